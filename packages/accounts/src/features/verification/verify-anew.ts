import type { Deps } from '../../deps.js'
import { AccountsError, attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { User } from '../../user.js'
import { askHandOver } from '../../users/ask-sign-up.js'
import { firstProof } from '../../users/change.js'
import { changeByLink } from '../../users/change-by-link.js'

/**
 * Verifies the address of a link for somebody who didn't make the account, or doesn't remember: with a new
 * password the account is theirs, and what was there before is removed.
 * @param client who asks the app's rule
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT and RuleError, after which the link is still valid;
 * ACCOUNTS_CONFLICT if the address has been verified already
 */
export async function verifyAnew(
  deps: Pick<Deps, 'users' | 'links' | 'passwords' | 'throttle' | 'options' | 'postOffice' | 'rules'>,
  devices: RememberedDevices,
  client: Client,
  parts: LinkParts,
  pair: PasswordPair,
): Promise<User> {
  const { links, passwords, throttle, options, postOffice } = deps
  const link = await links.open('verify-email', parts)
  const { user } = link
  return attributed(user, async () => {
    const faults = checkPasswordPair('new_password', pair, user, options.password)
    if (faults.length > 0) throw invalidInput(...faults)
    // The link of a verified address is no reset link.
    if (user.isVerified) throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'already_verified' })
    const granted = await askHandOver(deps, client, 'password', user)
    const chosen = { password: pair.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, user, 'known')
    const changed = await changeByLink(
      deps,
      link,
      (current) =>
        current.isVerified ? null : withNote(current, firstProof(current, passwordHash, granted), devices),
      (later) => postOffice.about('password-changed', later),
    )
    clearAttempts(throttle, changed)
    return changed
  })
}
