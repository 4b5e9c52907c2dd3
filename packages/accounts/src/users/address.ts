import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { followingName } from '../identifiers/address-name.js'
import type { EmailAddress } from '../identifiers/email.js'
import type { PendingMail } from '../seams/outbox.js'
import { DuplicateError } from '../seams/store-errors.js'
import type { User, UserChanges } from '../user.js'

/**
 * What a new address changes, and the notice to the old one.
 *
 * With the notice goes a link that undoes the change, but not while an earlier one lives: who took an account over
 * and changes its address twice must not get a link against the owner's. Nor does a stranger whose address somebody
 * once wrote by mistake get one: only an address that was proven does.
 */
export interface AddressChange {
  /**
   * A username that is the old address becomes the new one.
   * @param nameIsFree whether it may, as far as is known; otherwise another name takes its place
   */
  changesFor(current: User, nameIsFree: boolean): UserChanges
  mailsFor(changed: User, before: User): readonly PendingMail[]
}

export function addressChange(
  { options, postOffice }: Pick<Deps, 'options' | 'postOffice'>,
  address: EmailAddress,
): AddressChange {
  const changedAt = new Date()
  const opensUndo = ({ email, isVerified, emailChangedAt }: User): boolean =>
    email !== null &&
    isVerified &&
    (emailChangedAt === null || changedAt.getTime() - emailChangedAt.getTime() >= options.links.undoLifetime)
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

/**
 * Makes a change of the address, and makes it again with another name where somebody else has the new address for a name.
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
