import type { Deps } from '../../deps.js'
import { attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { recoveryMails, withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import { nothingGranted } from '../../seams/before.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import { withoutApiKeys } from '../../tokens/api-key.js'
import type { LinkParts, Purpose } from '../../tokens/email-link.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../../user.js'
import { askHandOver } from '../../users/ask-sign-up.js'
import { resetChanges, vouchedPasswordChanges } from '../../users/change.js'
import { changeByLink } from '../../users/change-by-link.js'

/** Whether the link was mailed, or made by `createPasswordLink`. */
export const resetPurposes = ['reset-password', 'password-link'] as const satisfies Purpose[]

/**
 * Sets a new password with a valid link. A mailed one proves the mailbox, so the address counts as verified; all the
 * user's sessions and links become invalid. One that the app's own code has handed over proves nothing about the address:
 * whoever talked the support desk into it must not end the links in the owner's mailbox either.
 * @param client who asks the app's rule, if nobody has proven the address before
 * @param endsKeys whether the API keys end as well
 * @returns `isHandedOver`: somebody had used the account before anybody proved its address
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT and RuleError, after which the link is still valid
 */
export async function resetPassword(
  deps: Pick<Deps, 'users' | 'passwords' | 'links' | 'throttle' | 'options' | 'postOffice' | 'rules'>,
  devices: RememberedDevices,
  client: Client,
  parts: LinkParts,
  pair: PasswordPair,
  endsKeys: boolean,
): Promise<{ user: User; isHandedOver: boolean }> {
  const { links, passwords, throttle, options, postOffice } = deps
  const link = await links.open(resetPurposes, parts)
  return attributed(link.user, async () => {
    const faults = checkPasswordPair('new_password', pair, link.user, options.password)
    if (faults.length > 0) throw invalidInput(...faults)
    const isMailed = link.purpose === 'reset-password'
    const granted = isMailed ? await askHandOver(deps, client, 'password', link.user) : nothingGranted
    const chosen = { password: pair.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, link.user, 'known')
    let isHandedOver = false
    const user = await changeByLink(
      deps,
      link,
      (current) => {
        isHandedOver = isMailed && !current.isVerified && current.lastLoginAt !== null
        const changes = isMailed
          ? resetChanges(current, passwordHash, options.links.undoLifetime, granted)
          : vouchedPasswordChanges(current, passwordHash)
        return withNote(current, endsKeys ? alsoWithoutKeys(current, changes) : changes, devices)
      },
      (changed, before) => [
        ...postOffice.about('password-changed', changed),
        ...recoveryMails(postOffice, changed, before),
      ],
    )
    clearAttempts(throttle, user)
    return { user, isHandedOver }
  })
}

function alsoWithoutKeys(current: StoredUser, changes: UserChanges): UserChanges {
  return { ...changes, ...withoutApiKeys(withChanges(current, changes)) }
}
