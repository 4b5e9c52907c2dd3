import type { Deps } from '../../deps.js'
import { AccountsError, attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair } from '../../passwords/password-policy.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { User } from '../../user.js'
import { firstProof } from '../../users/change.js'

/**
 * Verifies the address of a link for somebody who didn't make the account, or doesn't remember: with a new
 * password the account is theirs, and what was there before is void.
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT, after which the link is still valid;
 * ACCOUNTS_CONFLICT if the address has been verified already
 */
export async function verifyAnew(
  deps: Pick<Deps, 'users' | 'links' | 'passwords' | 'throttle' | 'options' | 'postOffice'>,
  devices: RememberedDevices,
  parts: LinkParts,
  {
    newPassword,
    confirmPassword = newPassword,
  }: { newPassword: string; confirmPassword?: string | undefined },
): Promise<User> {
  const { users, links, passwords, throttle, options, postOffice } = deps
  const { user, stillValid } = await links.open('verify-email', parts)
  return attributed(user, async () => {
    const faults = checkPasswordPair(
      { password: 'new_password', confirm: 'confirm_password' },
      { password: newPassword, confirm: confirmPassword },
      user,
      options.password,
    )
    if (faults.length > 0) throw invalidInput(...faults)
    // The link of a verified address is no reset link.
    if (user.isVerified) throw new AccountsError('ACCOUNTS_CONFLICT')
    const chosen = { password: newPassword, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, user, 'known')
    const changed = await users.change(
      user,
      (current) =>
        stillValid(current) && !current.isVerified
          ? withNote(current, firstProof(current, passwordHash), devices)
          : null,
      { messages: (later) => postOffice.about('password-changed', later) },
    )
    if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
    clearAttempts(throttle, changed)
    return changed
  })
}
