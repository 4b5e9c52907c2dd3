import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { followingName } from '../identifiers/address-name.js'
import type { EmailAddress } from '../identifiers/email.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { PendingMail } from '../seams/outbox.js'
import { DuplicateError } from '../seams/store-errors.js'
import { type StoredUser, type User, type UserChanges, undoableUntil } from '../user.js'
import { flagChanges } from './change.js'

/**
 * The changes for a new address, and the notice to the old one.
 *
 * The notice has a link that undoes the change, unless an earlier link still works: an attacker who changes
 * the address twice must not get a link against the owner's. Only a verified address gets one, so a stranger
 * whose address was mistyped doesn't.
 */
export interface AddressChange {
  /**
   * If the username is the old address, it becomes the new one.
   * @param nameIsFree whether it may, as far as is known; otherwise another name replaces it
   */
  changesFor(current: User, nameIsFree: boolean): UserChanges
  mailsFor(changed: User, before: User): readonly PendingMail[]
}

export function addressChange(
  { options, postOffice }: Pick<Deps, 'options' | 'postOffice'>,
  address: EmailAddress,
): AddressChange {
  const changedAt = new Date()
  const opensUndo = (user: User): boolean =>
    user.email !== null &&
    user.isVerified &&
    changedAt.getTime() >= undoableUntil(user, options.links.undoLifetime)
  return {
    changesFor: (current, nameIsFree) => ({
      ...address,
      ...followingName(current, address, nameIsFree),
      verifyEpoch: current.verifyEpoch + 1,
      ...(opensUndo(current) && { emailChangedAt: changedAt }),
    }),
    mailsFor: (changed, before) =>
      before.email === null
        ? []
        : postOffice.about('email-changed', changed, {
            to: before.email,
            isProven: before.isVerified,
            withLink: opensUndo(before),
          }),
  }
}

/** The changes that take an address away. */
export function clearedAddress(current: StoredUser): UserChanges {
  return {
    ...followingName(current, null),
    email: null,
    emailKey: null,
    isVerified: false,
    verifyEpoch: current.verifyEpoch + 1,
  }
}

/**
 * The same where an account may wait for the address to be confirmed. Without one there is nothing to confirm, so such an
 * account is deactivated: otherwise it would be let in.
 */
export function withoutAddress(
  options: Pick<ResolvedOptions, 'requireEmailConfirmation'>,
  current: StoredUser,
): UserChanges {
  const waits = options.requireEmailConfirmation && !current.isVerified
  return {
    ...(waits && flagChanges(current, { isActive: false }, {})),
    ...clearedAddress(current),
  }
}

/**
 * Changes the address, and retries with another name if somebody else has the new address as a username.
 * @throws AccountsError ACCOUNTS_EMAIL_TAKEN
 */
export async function withFollowingName<T>(change: (nameIsFree: boolean) => Promise<T>): Promise<T> {
  try {
    return await change(true).catch((error: unknown) => {
      if (error instanceof DuplicateError && error.field === 'username') return change(false)
      throw error
    })
  } catch (error) {
    throw error instanceof DuplicateError ? new AccountsError('ACCOUNTS_EMAIL_TAKEN') : error
  }
}
