import type { Deps } from '../../deps.js'
import { attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { User } from '../../user.js'
import { resetChanges } from '../../users/change.js'
import { changeByLink } from '../../users/change-by-link.js'

/**
 * Sets a new password with a valid reset link. The link proves the mailbox, so the address counts as
 * verified; all the user's sessions and links become invalid.
 * @returns `isHandedOver`: somebody had used the account before anybody proved its address
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT, after which the link is still valid
 */
export async function resetPassword(
  deps: Pick<Deps, 'users' | 'passwords' | 'links' | 'throttle' | 'options' | 'postOffice'>,
  devices: RememberedDevices,
  parts: LinkParts,
  pair: PasswordPair,
): Promise<{ user: User; isHandedOver: boolean }> {
  const { links, passwords, throttle, options, postOffice } = deps
  const link = await links.open('reset-password', parts)
  return attributed(link.user, async () => {
    const faults = checkPasswordPair('new_password', pair, link.user, options.password)
    if (faults.length > 0) throw invalidInput(...faults)
    const chosen = { password: pair.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, link.user, 'known')
    let isHandedOver = false
    const user = await changeByLink(
      deps,
      link,
      (current) => {
        isHandedOver = !current.isVerified && current.lastLoginAt !== null
        return withNote(current, resetChanges(current, passwordHash, options.links.undoLifetime), devices)
      },
      (changed) => postOffice.about('password-changed', changed),
    )
    clearAttempts(throttle, user)
    return { user, isHandedOver }
  })
}
