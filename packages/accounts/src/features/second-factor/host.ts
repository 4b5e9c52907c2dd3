import type { MailKind } from '../../seams/mailer.js'
import { foundOrNull } from '../../users/host-accounts.js'
import { type FeatureHost, hostCall } from '../host.js'
import { resetUserFactors } from './reset-user-factors.js'

/** @param mail the kind of email that tells the owner; `undefined` if no feature has one */
export function factorHost(mail: MailKind | undefined): FeatureHost {
  return {
    calls: {
      resetUserFactors: hostCall(
        'reset-factors',
        ['userId'],
        (core) => (userId) => foundOrNull(() => resetUserFactors(core, 'host', userId, mail)),
      ),
    },
  }
}
