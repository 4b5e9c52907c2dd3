import type { en as confirmation } from './confirmation/texts.js'
import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'request-confirmation-code': 'confirm-code'
    'request-login-code': 'login-code'
    'login-code': 'login-code-confirm' | 'login-code-link'
    'show-login-code': 'login-code-link'
  }
  interface FeatureLinks {
    'login-code': 'login-code-link'
  }
  interface FeatureMails {
    'login-code': true
    'confirmation-code': true
  }
  interface FeatureTexts {
    'confirmation-code': typeof confirmation
    'email-code': typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /**
     * Wrong emailed codes: login and reset codes together per address, confirmation codes per account. A device that
     * completed a login has its own budget. Default 10 an hour.
     */
    loginCode: Limit
    /**
     * Codes emailed per address to log in with, and per account to confirm with; for login codes, a device
     * that completed a login has its own budget. Beyond it the response stays the same and no email is sent.
     * Default 5 an hour.
     */
    loginCodeMails: Limit
  }
  interface IpLimits {
    /** Requests for a code by email per client IP. Default 20 a minute. */
    loginCodeRequest: Limit
  }
}
