import type { Limit } from 'fastify-accounts'
import type { en } from './texts.js'

declare module 'fastify-accounts' {
  interface FeatureErrors {
    ACCOUNTS_IDENTITY_TAKEN: true
    ACCOUNTS_OTHER_BROWSER: true
    ACCOUNTS_PROVIDER_CANNOT_CONFIRM: true
    ACCOUNTS_PROVIDER_MISCONFIGURED: true
    ACCOUNTS_PROVIDER_REFUSED: true
    ACCOUNTS_PROVIDER_UNAVAILABLE: true
  }
  interface FeatureLinks {
    'confirm-identity': 'confirm-identity'
    // From the feature not-me, which every mount has.
    'not-me': 'not-me'
  }
  interface FeatureMails {
    'identity-added': true
    'identity-known': true
    'identity-removed': true
    'identity-sign-up': true
  }
  interface FeatureActions {
    'claim-account': 'claim-account'
    'confirm-identity': 'confirm-identity'
    'confirm-with': 'confirm-with' | 'confirm-with-token'
    'link-identity': 'identity' | 'identity-token'
    'list-identities': 'identities'
    'login-with': 'login-with' | 'login-with-callback' | 'login-with-token' | 'login-with-app' | 'app-login'
    'remove-identity': 'identity'
  }
  interface FeatureTexts {
    providers: typeof en
  }
  interface AccountLimits {
    /** Identities linked per user: each is a write and an email. Default 20 an hour. */
    changeIdentities: Limit
  }
  interface IpLimits {
    /** Logins and confirmations at a provider begun, and links to one, per client IP. Default 30 a minute. */
    loginWith: Limit
    /** What browsers and apps bring back from a provider, per client IP: most is a request to it. Default 30 a minute. */
    loginWithCallback: Limit
  }
}
