import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureLinks {
    'login-code': true
  }
  interface FeatureMails {
    'login-code': true
    'confirmation-code': true
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
    /**
     * Codes mailed per address to log in with, and per account to confirm with; for login codes, a device on which a
     * login was completed has its own. Over it the answer stays the same and no mail goes out. Default 5 an hour.
     */
    loginCodeMails: Limit
  }
  interface IpLimits {
    /** Requests for a code by email per client IP. Default 20 a minute. */
    loginCodeRequest: Limit
  }
}
