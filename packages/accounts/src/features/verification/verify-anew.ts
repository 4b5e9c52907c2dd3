import type { Deps } from '../../deps.js'
import { AccountsError, attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import { holdsPassword, type StoredUser, type User } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { askOwner } from '../../users/ownership/ask-owner.js'
import { orUsernameTaken, usernameFaults } from '../../users/ownership/choose-username.js'
import { isUsed } from '../../users/ownership/states.js'
import { changesHands } from '../../users/ownership/table.js'
import type { Brought } from '../../users/ownership/verbs.js'

/** What the new owner of an account chooses. */
export interface OwnersChoice extends Pick<Brought, 'username' | 'profile'> {
  pair: PasswordPair
}

/**
 * Verifies the address of a link for somebody who didn't make the account, or doesn't remember: with a new
 * password the account is theirs, and what was there before is removed. In the maker's browser everything else stays.
 * @param client who asks the app's rule
 * @param isMaker whether the person who opens the link has shown that they made this account
 * @returns the user, and whether the account may have changed hands
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT and RuleError, after which the link is still valid;
 * ACCOUNTS_CONFLICT if the address has been verified already; ACCOUNTS_USERNAME_TAKEN
 */
export async function verifyAnew(
  deps: Pick<Deps, 'users' | 'links' | 'passwords' | 'throttle' | 'options' | 'postOffice' | 'rules'>,
  devices: RememberedDevices,
  client: Client,
  isMaker: (user: User) => boolean,
  parts: LinkParts,
  { pair, ...profile }: OwnersChoice,
): Promise<{ user: StoredUser; isHandedOver: boolean }> {
  const { links, passwords, throttle, options, postOffice } = deps
  const link = await links.open('verify-email', parts)
  const { user } = link
  return attributed(user, async () => {
    const event = isMaker(user) ? 'reset-by-maker' : 'proved-elsewhere'
    const named = { ...user, username: profile.username ?? user.username }
    const faults = [
      ...usernameFaults(user, profile.username),
      ...checkPasswordPair('new_password', pair, named, options.password),
    ]
    if (faults.length > 0) throw invalidInput(...faults)
    // The link of a verified address is no reset link.
    if (user.isVerified) throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'already_verified' })
    const changesFor = await askOwner(deps, client, event, { method: 'password' }, user, profile)
    const chosen = { password: pair.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, named, 'known')
    const changed = await changeByLink(
      deps,
      link,
      (current) => {
        if (current.isVerified || isMaker(current) !== isMaker(user)) return null
        const changes = changesFor(current, { passwordHash })
        return changes && withNote(current, changes, devices)
      },
      // As at a sign-up with a password, the maker's first one is no news.
      (later, before) =>
        event === 'reset-by-maker' && !holdsPassword(before)
          ? []
          : postOffice.about('password-changed', later),
    ).catch(orUsernameTaken)
    clearAttempts(throttle, changed)
    return { user: changed, isHandedOver: changesHands(event, user) && isUsed(user) }
  })
}
