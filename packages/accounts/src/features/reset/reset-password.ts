import type { Deps } from '../../deps.js'
import { AccountsError, attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair } from '../../passwords/password-policy.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { resetChanges } from '../../users/change.js'

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
  input: { newPassword: string; confirmPassword: string },
): Promise<{ user: User; isHandedOver: boolean }> {
  const { user, stillValid } = await deps.links.open('reset-password', parts)
  return attributed(user, () => replacePassword(deps, devices, user, stillValid, input))
}

async function replacePassword(
  {
    users,
    passwords,
    throttle,
    options,
    postOffice,
  }: Pick<Deps, 'users' | 'passwords' | 'throttle' | 'options' | 'postOffice'>,
  devices: RememberedDevices,
  user: StoredUser,
  stillValid: (later: User) => boolean,
  input: { newPassword: string; confirmPassword: string },
): Promise<{ user: User; isHandedOver: boolean }> {
  const faults = checkPasswordPair(
    { password: 'new_password', confirm: 'confirm_password' },
    { password: input.newPassword, confirm: input.confirmPassword },
    user,
    options.password,
  )
  if (faults.length > 0) throw invalidInput(...faults)

  const chosen = { password: input.newPassword, field: 'new_password' }
  const passwordHash = await passwords.hashNew(chosen, user, 'known')
  let isHandedOver = false
  const changed = await users.change(
    user,
    (current) => {
      isHandedOver = !current.isVerified && current.lastLoginAt !== null
      const changes = resetChanges(current, passwordHash, options.links.undoLifetime)
      return stillValid(current) ? withNote(current, changes, devices) : null
    },
    { messages: (changed) => postOffice.about('password-changed', changed) },
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  clearAttempts(throttle, changed)
  return { user: changed, isHandedOver }
}
