import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureLinks {
    'login-code': true
  }
  interface FeatureMails {
    'login-code': true
  }
  interface FeatureActions {
    'request-login-code': true
    'show-login-code': true
    'login-code': true
  }
  interface FeatureTexts {
    'email-code': typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /**
     * Wrong codes by email per account, whichever code they were meant for; a device on which a login was completed has
     * its own. Default 10 an hour.
     */
    loginCode: Limit
    /** Login codes mailed per address; over it the answer stays the same and no mail goes out. Default 5 an hour. */
    loginCodeMails: Limit
  }
  interface IpLimits {
    /** Requests for a login code per client IP. Default 20 a minute. */
    loginCodeRequest: Limit
  }
}
