import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    verify: true
    'verify-resend': true
  }
  interface FeatureLinks {
    'verify-email': true
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
