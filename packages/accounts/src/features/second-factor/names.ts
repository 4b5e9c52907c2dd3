import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'show-factors': true
    'change-factors': true
    'start-totp': true
    'confirm-totp': true
    'remove-totp': true
    'rename-totp-app': true
    'remove-totp-app': true
    'remove-remembered-device': true
    'renew-recovery-codes': true
    'reset-factors': true
  }
  interface FeatureMails {
    'factor-added': true
    'factor-removed': true
    'recovery-codes-changed': true
    'recovery-codes-low': true
    'factor-guessed': true
    'factor-turned-off': true
  }
  interface FeatureTexts {
    'second-factor': typeof en
  }
}
