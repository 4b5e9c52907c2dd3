import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    forgot: 'forgot'
    reset: 'reset-code' | 'reset'
    'reset-done': 'reset-done'
  }
  interface FeatureLinks {
    'reset-password': 'reset'
    /** Made for somebody whom the app knows otherwise: it proves no address. */
    'password-link': 'reset'
  }
  interface FeatureMails {
    'reset-password': true
  }
  interface FeatureTexts {
    reset: typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /** Reset emails per address; beyond it the response stays the same and no email is sent. Default 5 an hour. */
    forgotMails: Limit
  }
  interface IpLimits {
    /** Forgot requests per client IP. Default 20 a minute. */
    forgot: Limit
    /** Uses of reset links and codes per client IP. Default 20 a minute. */
    reset: Limit
  }
}
