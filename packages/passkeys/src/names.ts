import type { Limit } from 'fastify-accounts'
import type { en } from './texts.js'

declare module 'fastify-accounts' {
  interface FeatureErrors {
    ACCOUNTS_INVALID_PASSKEY: true
  }
  // From the feature not-me, which every mount has.
  interface FeatureLinks {
    'not-me': 'not-me'
  }
  interface FeatureMails {
    'passkey-added': true
    'passkey-removed': true
  }
  interface FeatureActions {
    'add-passkey': 'passkeys'
    'list-passkeys': 'passkeys'
    'login-passkey': 'login-passkey'
    'passkey-options':
      | 'passkey-options'
      | 'confirm-passkey-options'
      | 'login-passkey-options'
      | 'signup-passkey-options'
    'remove-passkey': 'passkey'
    'rename-passkey': 'passkey'
    'sign-up-passkey': 'signup-passkey'
  }
  interface FeatureTexts {
    passkeys: typeof en
  }
  interface AccountLimits {
    /** Passkeys added and renamed per user: each is a write, and may send an email. Default 20 an hour. */
    changePasskeys: Limit
  }
  interface IpLimits {
    /** Challenges per client IP: a login page requests one each time it is opened. Default 60 a minute. */
    passkeyOptions: Limit
    /** Logins by passkey per client IP. Default 30 a minute. */
    loginPasskey: Limit
  }
}
