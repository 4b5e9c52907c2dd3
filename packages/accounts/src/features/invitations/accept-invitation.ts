import type { Deps } from '../../deps.js'
import { AccountsError, attributed, fieldError, invalidInput } from '../../errors.js'
import { addressNameFaults } from '../../identifiers/address-name.js'
import { checkUsername, usernameKey } from '../../identifiers/username.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import { isDuplicate } from '../../seams/store-errors.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import { holdsPassword, type User } from '../../user.js'
import { askHandOver } from '../../users/ask-sign-up.js'
import { firstProof } from '../../users/change.js'
import { changeByLink } from '../../users/change-by-link.js'
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
  username: string | undefined,
): Promise<{ user: User; isHandedOver: boolean }> {
  const { links, passwords, throttle, options, postOffice } = deps
  const link = await links.open('invitation', parts)
  return attributed(link.user, async () => {
    const named = { ...link.user, username: username ?? link.user.username }
    const faults = checkPasswordPair('new_password', pair, named, options.password)
    if (username === undefined) {
      if (needsUsername(options, link.user)) faults.unshift(fieldError('username', 'required'))
    } else {
      const fault = checkUsername(username)
      faults.unshift(...(fault === null ? addressNameFaults(username, link.user.emailKey) : [fault]))
    }
    if (faults.length > 0) throw invalidInput(...faults)
    const granted = await askHandOver(deps, client, 'invitation', link.user, named.username)
    const chosen = { password: pair.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, named, 'known')
    let isHandedOver = false
    const user = await changeByLink(
      deps,
      link,
      (current) => {
        isHandedOver = current.lastLoginAt !== null
        const changes = firstProof(current, passwordHash, granted)
        const name = username === undefined ? {} : { username, usernameKey: usernameKey(username) }
        return withNote(current, { ...changes, ...name }, devices)
      },
      (later, before) => (holdsPassword(before) ? postOffice.about('password-changed', later) : []),
    ).catch((error: unknown) => {
      throw isDuplicate(error, 'username') ? new AccountsError('ACCOUNTS_USERNAME_TAKEN') : error
    })
    clearAttempts(throttle, user)
    return { user, isHandedOver }
  })
}
