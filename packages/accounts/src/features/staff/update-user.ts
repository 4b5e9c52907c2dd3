import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { PendingMail } from '../../seams/outbox.js'
import { DuplicateError } from '../../seams/store-errors.js'
import { accountUser, type StoredUser, type User, type UserChanges } from '../../user.js'
import { type AddressChange, addressChange, withFollowingName } from '../../users/address.js'
import { flagChanges, type UserFlags, vouchedChanges, withPermission } from '../../users/change.js'
import { demoteUser } from '../../users/demote.js'
import { type Profile, profileChanges } from '../../users/profile.js'

/** Changes to another user; missing values stay unchanged. */
interface UserUpdate extends Profile {
  flags: UserFlags
  email?: string | undefined
}

/**
 * Disables, enables, promotes or demotes another user, or changes their address, username, own fields and
 * whether the address counts as proven, and emails the owner about it. You can't change your own account this
 * way, so one staff member always remains.
 *
 * A new address is unproven unless the same update says otherwise. Open links become invalid, and the old
 * address can undo the change.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT,
 * ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN; ACCOUNTS_CONFLICT also if the owner, or another staff
 * member, was faster
 */
export async function updateUser(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice'>,
  actor: User,
  id: string,
  { flags, email, ...profile }: UserUpdate,
): Promise<User> {
  const { users } = deps
  const edits =
    email !== undefined ||
    profile.username !== undefined ||
    flags.isVerified !== undefined ||
    Object.keys(profile.fields).length > 0
  const manages = flags.isActive !== undefined || flags.isStaff !== undefined || !edits
  const actions = [...(manages ? (['manageUser'] as const) : []), ...(edits ? (['editUser'] as const) : [])]
  return withPermission(deps, accountUser(actor), { id, actions }, async (target) => {
    if (target.id === actor.id) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    const { changesFor, mailsFor } = edits
      ? editsOf(deps, target, { flags, email, ...profile })
      : { changesFor: (current: StoredUser) => flagChanges(current, flags), mailsFor: () => [] }
    const demotes = target.isStaff && (flags.isStaff === false || flags.isActive === false)
    const change = (nameIsFree: boolean): Promise<StoredUser | null> => {
      const at = (current: StoredUser) => changesFor(current, nameIsFree)
      return demotes && actor.isStaff
        ? demoteUser(users, actor, target, at, mailsFor)
        : users.change(target, at, { messages: mailsFor })
    }
    const changed = await (email !== undefined && profile.username === undefined
      ? withFollowingName(change)
      : change(true)
    ).catch((error: unknown) => {
      if (!(error instanceof DuplicateError)) throw error
      throw new AccountsError(error.field === 'email' ? 'ACCOUNTS_EMAIL_TAKEN' : 'ACCOUNTS_USERNAME_TAKEN')
    })
    if (changed === null) throw new AccountsError('ACCOUNTS_CONFLICT')
    return changed
  })
}

interface Edits {
  changesFor(current: StoredUser, nameIsFree: boolean): UserChanges | null
  mailsFor(changed: User, before: User): readonly PendingMail[]
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT */
function editsOf(
  deps: Pick<Deps, 'options' | 'postOffice'>,
  target: StoredUser,
  { flags, email, ...profile }: UserUpdate,
): Edits {
  const { options, postOffice } = deps
  const address = email === undefined ? undefined : parseEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  if (flags.isVerified === true && address === undefined && target.email === null)
    throw invalidInput(fieldError('is_verified', 'invalid'))
  const profileOf = profileChanges(options, target, profile, address?.emailKey)
  const move: AddressChange | undefined =
    address === undefined || address.email === target.email ? undefined : addressChange(deps, address)
  return {
    changesFor(current, nameIsFree) {
      // What was checked and read is outdated: another decision may be right now.
      const isSame = (['isStaff', 'emailKey', 'usernameKey'] as const).every(
        (name) => current[name] === target[name],
      )
      if (!isSame) return null
      return {
        ...vouchedChanges(current, flags),
        ...(move && {
          ...move.changesFor(current, nameIsFree),
          isVerified: flags.isVerified ?? false,
          resetEpoch: current.resetEpoch + 1,
        }),
        ...profileOf(current),
      }
    },
    mailsFor(changed, before) {
      if (move !== undefined) {
        const proof = changed.isVerified ? [] : postOffice.about('verify-email', changed, { variant: 'user' })
        return [...move.mailsFor(changed, before), ...proof]
      }
      const isChanged = (['username', 'isVerified', 'fields'] as const).some(
        (name) => !isDeepStrictEqual(changed[name], before[name]),
      )
      return isChanged ? postOffice.about('account-changed', changed, { isProven: before.isVerified }) : []
    },
  }
}
