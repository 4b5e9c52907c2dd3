import type { Deps } from '../../deps.js'
import { AccountsError, attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { recoveryMails, withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import type { PendingMail } from '../../seams/outbox.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import { withoutApiKeys } from '../../tokens/api-key.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../../user.js'
import { askOwner } from '../../users/ownership/ask-owner.js'
import { orUsernameTaken, usernameFaults } from '../../users/ownership/choose-username.js'
import { isUsed } from '../../users/ownership/states.js'
import { changesHands, type OwnershipEvent } from '../../users/ownership/table.js'
import type { Brought } from '../../users/ownership/verbs.js'

/** What lets somebody choose a new password: a link or a code. */
export interface ResetProof {
  user: StoredUser
  /** What it says about who owns the account. */
  eventFor(user: StoredUser): OwnershipEvent
  /**
   * Uses it up along with the changes.
   * @throws AccountsError if it is no longer valid
   */
  use(
    changesFor: (current: StoredUser) => UserChanges | null,
    messages: (changed: StoredUser, before: StoredUser) => readonly PendingMail[],
  ): Promise<StoredUser>
}

/** What somebody chooses, once the proof is known to be valid: the rules of a password depend on the account. */
export interface NewPasswordChoice extends PasswordPair, Pick<Brought, 'username' | 'profile'> {
  /** Whether the API keys end as well. */
  endsKeys: boolean
}

export type ResetDeps = Pick<Deps, 'passwords' | 'throttle' | 'options' | 'postOffice' | 'rules'>

/** Whose password is set. */
export interface ResetDone {
  user: User
  /** Whether somebody had used the account before anybody proved its address. */
  isHandedOver: boolean
}

/**
 * Sets a new password with a valid link or code. A mailed one proves the mailbox, so the address counts as verified, and the
 * table of ownership says what stays; all the user's sessions, links and codes become invalid. A link that the app's own code has handed over proves nothing about the
 * address: whoever talked the support desk into it must not end the links in the owner's mailbox either.
 * @param client who asks the app's rule, if nobody has proven the address before
 * @throws AccountsError what the proof throws; ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_CONFLICT and
 * RuleError, after which it is still valid
 */
export async function resetByProof(
  deps: ResetDeps,
  devices: RememberedDevices,
  client: Client,
  { user: owner, eventFor, use }: ResetProof,
  choice: NewPasswordChoice,
): Promise<ResetDone> {
  const { passwords, throttle, options, postOffice } = deps
  return attributed(owner, async () => {
    const event = eventFor(owner)
    const { username, profile } = choice
    const named = { ...owner, username: username ?? owner.username }
    const faults = checkPasswordPair('new_password', choice, named, options.password)
    faults.unshift(...usernameFaults(owner, username))
    if (faults.length > 0) throw invalidInput(...faults)
    const changesFor = await askOwner(deps, client, event, { method: 'password' }, owner, {
      username,
      profile,
    })
    const chosen = { password: choice.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, named, 'known')
    const user = await use(
      (current) => {
        if (eventFor(current) !== event)
          throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
        const changes = changesFor(current, { passwordHash })
        if (changes === null) return null
        return withNote(current, choice.endsKeys ? alsoWithoutKeys(current, changes) : changes, devices)
      },
      (changed, before) => [
        ...postOffice.about('password-changed', changed),
        ...recoveryMails(postOffice, changed, before),
      ],
    ).catch(orUsernameTaken)
    clearAttempts(throttle, user)
    return { user, isHandedOver: changesHands(event, owner) && isUsed(owner) }
  })
}

function alsoWithoutKeys(current: StoredUser, changes: UserChanges): UserChanges {
  return { ...changes, ...withoutApiKeys(withChanges(current, changes)) }
}
