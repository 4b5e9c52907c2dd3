import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'change-email': 'change-email'
    'show-email-change': 'change-email'
    'cancel-email-change': 'change-email'
    'confirm-email': 'email-confirm'
    'undo-email': 'email-undo'
    'keep-email': 'email-keep'
    'release-email': 'email-release'
  }
  interface FeatureLinks {
    'change-email': 'email-confirm'
    'undo-email': 'email-undo'
    'release-email': 'email-release'
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
