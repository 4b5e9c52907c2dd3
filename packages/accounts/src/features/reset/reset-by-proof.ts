import type { Deps } from '../../deps.js'
import { attributed, invalidInput } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { recoveryMails, withNote } from '../../logins/removed.js'
import { checkPasswordPair, type PasswordPair } from '../../passwords/password-policy.js'
import { nothingGranted } from '../../seams/before.js'
import type { PendingMail } from '../../seams/outbox.js'
import type { Client } from '../../sessions/client.js'
import { clearAttempts } from '../../throttle/throttle.js'
import { withoutApiKeys } from '../../tokens/api-key.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../../user.js'
import { askHandOver } from '../../users/ask-sign-up.js'
import { resetChanges, vouchedPasswordChanges } from '../../users/change.js'

/** What lets somebody choose a new password: a link or a code. */
export interface ResetProof {
  user: StoredUser
  /** Whether it was emailed, so it proves the mailbox. */
  isMailed: boolean
  /**
   * Uses it up along with the changes.
   * @throws AccountsError if it is no longer valid
   */
  use(
    changesFor: (current: StoredUser) => UserChanges,
    messages: (changed: StoredUser, before: StoredUser) => readonly PendingMail[],
  ): Promise<StoredUser>
}

/** What somebody chooses, once the proof is known to be valid: the rules of a password depend on the account. */
export interface NewPasswordChoice extends PasswordPair {
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
 * Sets a new password with a valid link or code. A mailed one proves the mailbox, so the address counts as verified; all the
 * user's sessions, links and codes become invalid. A link that the app's own code has handed over proves nothing about the
 * address: whoever talked the support desk into it must not end the links in the owner's mailbox either.
 * @param client who asks the app's rule, if nobody has proven the address before
 * @throws AccountsError what the proof throws; ACCOUNTS_INVALID_INPUT and RuleError, after which it is still valid
 */
export async function resetByProof(
  deps: ResetDeps,
  devices: RememberedDevices,
  client: Client,
  { user: owner, isMailed, use }: ResetProof,
  choice: NewPasswordChoice,
): Promise<ResetDone> {
  const { passwords, throttle, options, postOffice } = deps
  return attributed(owner, async () => {
    const faults = checkPasswordPair('new_password', choice, owner, options.password)
    if (faults.length > 0) throw invalidInput(...faults)
    const granted = isMailed ? await askHandOver(deps, client, 'password', owner) : nothingGranted
    const chosen = { password: choice.password, field: 'new_password' }
    const passwordHash = await passwords.hashNew(chosen, owner, 'known')
    let isHandedOver = false
    const user = await use(
      (current) => {
        isHandedOver = isMailed && !current.isVerified && current.lastLoginAt !== null
        const changes = isMailed
          ? resetChanges(current, passwordHash, options.links.undoLifetime, granted)
          : vouchedPasswordChanges(current, passwordHash)
        return withNote(current, choice.endsKeys ? alsoWithoutKeys(current, changes) : changes, devices)
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
