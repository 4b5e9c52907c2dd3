import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    verify: `${'user' | 'signup'}-verify${'' | '-password' | '-passkey' | '-new-password'}`
    'verify-resend': `${'user' | 'signup'}-verify-resend`
  }
  interface FeatureLinks {
    'verify-email': 'user-verify' | 'signup-verify'
  }
  interface FeatureMails {
    'verify-email': true
  }
  interface FeatureTexts {
    verification: typeof en
  }
}

declare module '../../options/limits.js' {
  interface IpLimits {
    /** Requests for a new verification email per client IP. Default 20 a minute. */
    resend: Limit
  }
}
