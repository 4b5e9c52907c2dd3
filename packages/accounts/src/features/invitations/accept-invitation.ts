import type { Deps } from '../../deps.js'
import { attributed, fieldError, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import { holdsPassword, type User } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { askOwner } from '../../users/ownership/ask-owner.js'
import { orUsernameTaken, usernameFaults } from '../../users/ownership/choose-username.js'
import { isUsed } from '../../users/ownership/states.js'
import type { Brought } from '../../users/ownership/verbs.js'
import { needsUsername } from './invited/needs-username.js'

/**
 * Accepts an invitation with its link, which proves the address: the account is theirs, with what the invitation gave.
 * What somebody else may have put there before is removed. Nobody is logged in.
 * @returns `isHandedOver`: somebody had used the account before
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN and RuleError, after
 * which the link is still valid
 */
export async function acceptInvitation(
  deps: Pick<Deps, 'users' | 'links' | 'passwords' | 'throttle' | 'options' | 'postOffice' | 'rules'>,
  devices: RememberedDevices,
  client: Client,
  parts: LinkParts,
  pair: PasswordPair,
  { username, profile }: Pick<Brought, 'username' | 'profile'>,
): Promise<{ user: User; isHandedOver: boolean }> {
  const { links, passwords, throttle, options, postOffice } = deps
  const link = await links.open('invitation', parts)
  return attributed(link.user, async () => {
    const named = { ...link.user, username: username ?? link.user.username }
    const faults = [
      ...(username === undefined && needsUsername(options, link.user)
        ? [fieldError('username', 'required')]
        : usernameFaults(link.user, username)),
      ...checkPasswordPair('new_password', pair, named, options.password),
    ]
    if (faults.length > 0) throw invalidInput(...faults)
    const how = { method: 'invitation' } as const
    const changesFor = await askOwner(deps, client, 'proved-elsewhere', how, link.user, { username, profile })
    const chosen = { password: pair.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, named, 'known')
    const user = await changeByLink(
      deps,
      link,
      (current) => {
        const changes = changesFor(current, { passwordHash })
        return changes && withNote(current, changes, devices)
      },
      (later, before) => (holdsPassword(before) ? postOffice.about('password-changed', later) : []),
    ).catch(orUsernameTaken)
    clearAttempts(throttle, user)
    return { user, isHandedOver: isUsed(link.user) }
  })
}
