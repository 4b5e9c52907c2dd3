import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'change-email': true
    'confirm-email': true
    'undo-email': true
    'keep-email': true
    'release-email': true
  }
  interface FeatureLinks {
    'change-email': true
    'undo-email': true
    'release-email': true
  }
  interface FeatureMails {
    'change-email': true
    'email-changed': true
    'email-taken': true
  }
  interface FeatureTexts {
    'email-change': typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /** Requests for another email address per user. Default 5 an hour. */
    changeEmail: Limit
    /** The same over a day, since each may email a stranger. Default 20 in 1 day. */
    changeEmailDay: Limit
  }
}
