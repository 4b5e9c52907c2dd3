import type { Deps } from '../../deps.js'
import { AccountsError, attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import { nothingGranted } from '../../seams/before.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { askHandOver } from '../../users/ask-sign-up.js'
import { firstProof, newPasswordChanges } from '../../users/change.js'
import { changeByLink } from '../../users/change-by-link.js'
import { plainProof } from '../../users/unproven.js'
import { needsPassword } from './needs-password.js'

/**
 * Verifies the address of a link for somebody who didn't make the account, or doesn't remember: with a new
 * password the account is theirs, and what was there before is removed. Where its maker signed up with the address alone
 * and has no other way in, everything stays.
 * @param client who asks the app's rule
 * @param isMaker whether the person who opens the link has shown that they made this account
 * @returns the user, and whether the account may have changed hands
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT and RuleError, after which the link is still valid;
 * ACCOUNTS_CONFLICT if the address has been verified already
 */
export async function verifyAnew(
  deps: Pick<
    Deps,
    'users' | 'links' | 'passwords' | 'throttle' | 'options' | 'postOffice' | 'rules' | 'hasWayIn'
  >,
  devices: RememberedDevices,
  client: Client,
  isMaker: (user: User) => boolean,
  parts: LinkParts,
  pair: PasswordPair,
): Promise<{ user: StoredUser; isHandedOver: boolean }> {
  const { links, passwords, throttle, options, postOffice } = deps
  const link = await links.open('verify-email', parts)
  const { user } = link
  return attributed(user, async () => {
    const faults = checkPasswordPair('new_password', pair, user, options.password)
    if (faults.length > 0) throw invalidInput(...faults)
    // The link of a verified address is no reset link.
    if (user.isVerified) throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'already_verified' })
    const asMaker = isMaker(user) && needsPassword(deps, user)
    const granted = asMaker ? nothingGranted : await askHandOver(deps, client, 'password', user)
    const chosen = { password: pair.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, user, 'known')
    const changed = await changeByLink(
      deps,
      link,
      (current) => {
        if (current.isVerified || asMaker !== (isMaker(current) && needsPassword(deps, current))) return null
        return asMaker
          ? { ...newPasswordChanges(current, passwordHash), ...plainProof(current, 'maker') }
          : withNote(current, firstProof(current, passwordHash, granted), devices)
      },
      // As at a sign-up with a password, the maker's first one is no news.
      (later) => (asMaker ? [] : postOffice.about('password-changed', later)),
    )
    clearAttempts(throttle, changed)
    return { user: changed, isHandedOver: !asMaker && changed.lastLoginAt !== null }
  })
}
