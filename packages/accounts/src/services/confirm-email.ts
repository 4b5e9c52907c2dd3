import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { followingName } from '../identifiers/address-name.js'
import { parseEmail } from '../identifiers/email.js'
import { DuplicateError } from '../seams/store-errors.js'
import type { LinkParts } from '../tokens/email-link.js'
import type { User } from '../user.js'
import { changeUser } from '../users/change.js'

/**
 * Gives an account the address that a link was mailed to, which proves it; the old address gets a notice.
 *
 * With the notice goes a link that undoes the change, but not while an earlier one lives: who took an account over
 * and changes its address twice must not get a link against the owner's. Nor does a stranger whose address somebody
 * once wrote by mistake get one: only an address that was proven does.
 *
 * A username that is the old address becomes the new one.
 * @param email the address, as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_EMAIL_TAKEN where somebody else has it meanwhile
 */
export async function confirmEmail(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice'>,
  parts: LinkParts,
  email: string,
): Promise<User> {
  const { users, links, options, postOffice } = deps
  const address = parseEmail(email)
  if (address === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const { user, stillValid } = await links.open('change-email', parts, address.email)
  const changedAt = new Date()
  const opensUndo = ({ email, isVerified, emailChangedAt }: User): boolean =>
    email !== null &&
    isVerified &&
    (emailChangedAt === null || changedAt.getTime() - emailChangedAt.getTime() >= options.links.undoLifetime)
  /** A name that is the old address follows it; where somebody else has the new one for a name, another takes its place. */
  const change = (nameIsFree: boolean): Promise<User | null> =>
    changeUser(
      users,
      user,
      (current) => {
        if (!stillValid(current)) return null
        return {
          ...address,
          ...followingName(current, address, nameIsFree),
          isVerified: true,
          verifyEpoch: current.verifyEpoch + 1,
          ...(opensUndo(current) && { emailChangedAt: changedAt }),
        }
      },
      (changed, before) =>
        before.email === null
          ? []
          : postOffice.about('email-changed', changed, {
              to: before.email,
              isProven: before.isVerified,
              withLink: opensUndo(before),
            }),
    )
  const changed = await change(true)
    .catch((error: unknown) => {
      if (error instanceof DuplicateError && error.field === 'username') return change(false)
      throw error
    })
    .catch((error: unknown) => {
      throw error instanceof DuplicateError ? new AccountsError('ACCOUNTS_EMAIL_TAKEN') : error
    })
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
