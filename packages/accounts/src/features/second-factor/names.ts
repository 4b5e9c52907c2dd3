import type { HostCall } from '../host.js'
import type { FactorsReset } from './reset-user-factors.js'
import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'show-factors': 'second-factor'
    'change-factors': 'second-factor'
    'start-totp': 'totp'
    'confirm-totp': 'totp-confirm'
    'remove-totp': 'totp'
    'rename-totp-app': 'totp-app'
    'remove-totp-app': 'totp-app'
    'remove-remembered-device': 'remembered-device'
    'renew-recovery-codes': 'recovery-codes'
    'reset-factors': 'user-second-factor-reset'
  }
  interface FeatureCalls {
    /**
     * Removes all second factors of a user who has lost them, and the passkeys, except those without which the user couldn't
     * log in, and emails the owner. Sessions continue. `null` if there is no such user.
     * @throws AccountsError ACCOUNTS_CONFLICT
     */
    resetUserFactors(userId: string, call?: HostCall): Promise<FactorsReset | null>
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
