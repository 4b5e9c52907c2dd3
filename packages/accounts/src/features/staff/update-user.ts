import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps.js'
import { AccountsError, changedMeanwhile, fieldError, invalidInput } from '../../errors.js'
import { type EmailAddress, newAddressFault, parseTypedEmail } from '../../identifiers/email.js'
import { isPrivileged, sameRights } from '../../options/privileges.js'
import type { PendingMail } from '../../seams/outbox.js'
import { DuplicateError } from '../../seams/store-errors.js'
import { accountUser, type StoredUser, type User, type UserChanges, withChanges } from '../../user.js'
import { addressChange, withFollowingName } from '../../users/address.js'
import { askChangeEmail } from '../../users/ask-change-email.js'
import { type Actor, flagChanges, type UserFlags, withPermission } from '../../users/change.js'
import { demoteUser } from '../../users/demote.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import { type Profile, profileChanges } from '../../users/profile.js'

/** Changes to another user; missing values stay unchanged. */
interface UserUpdate extends Profile {
  flags: UserFlags
  email?: string | undefined
}

/**
 * For the actor, disables or enables another user, or changes their rights, address, username, own fields and whether the
 * address counts as proven, and emails the owner about the latter. You can't change your own account this way, so one user
 * who may grant rights always remains.
 *
 * A new address is unproven unless the same update says otherwise. Open links become invalid, and the old
 * address can undo the change.
 * @returns also whether the actor may see the user in detail
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT,
 * ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN; ACCOUNTS_CONFLICT also if the owner, or another staff
 * member, was faster; RuleError
 */
export async function updateUser(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'rules'>,
  actor: Actor,
  id: string,
  { flags, email, ...profile }: UserUpdate,
): Promise<{ user: User; isDetailed: boolean }> {
  const { users, options } = deps
  const edits =
    email !== undefined ||
    profile.username !== undefined ||
    flags.isVerified !== undefined ||
    Object.keys(profile.fields).length > 0
  const { isActive, isStaff, roles } = flags
  const rights = { isStaff, roles }
  const grants = isStaff !== undefined || roles !== undefined
  const manages = isActive !== undefined || !(edits || grants)
  const actions = [
    ...(manages ? (['manageUser'] as const) : []),
    ...(grants ? (['grantRights'] as const) : []),
    ...(edits ? (['editUser'] as const) : []),
  ]
  const asker = actor === 'host' ? actor : accountUser(actor)
  const postOffice = actor === 'host' ? deps.postOffice : deps.postOffice.byStaff()
  return withPermission(deps, asker, { id, actions, rights }, async (target) => {
    if (actor !== 'host' && target.id === actor.id)
      throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'own_account' })
    const { changesFor, mailsFor, address } = edits
      ? editsOf({ ...deps, postOffice }, target, { flags, email, ...profile }, actor === 'host')
      : {
          changesFor: (current: StoredUser) =>
            actor === 'host' || sameRights(current, target) ? flagChanges(current, flags, options) : null,
          mailsFor: () => [],
          address: null,
        }
    if (address !== null && actor !== 'host') await askChangeEmail(deps, target, address, actor)
    // Before the change: a rule that fails must not fail what is done.
    const isDetailed = asker === 'host' || (await options.authorize.showDetails(asker, accountUser(target)))
    const demotes =
      isPrivileged(target, options) && (isStaff === false || isActive === false || roles !== undefined)
    const change = (nameIsFree: boolean): Promise<StoredUser | null> => {
      const at = (current: StoredUser) => changesFor(current, nameIsFree)
      return demotes && actor !== 'host'
        ? demoteUser(deps, actor, target, at, mailsFor)
        : users.change(target, at, { messages: mailsFor })
    }
    const changed = await (email !== undefined && profile.username === undefined
      ? withFollowingName(change)
      : change(true)
    ).catch((error: unknown) => {
      if (!(error instanceof DuplicateError)) throw error
      throw new AccountsError(error.field === 'email' ? 'ACCOUNTS_EMAIL_TAKEN' : 'ACCOUNTS_USERNAME_TAKEN')
    })
    if (changed !== null) return { user: changed, isDetailed }
    throw (await users.findById(id)) === null ? new AccountsError('ACCOUNTS_NOT_FOUND') : changedMeanwhile()
  })
}

interface Edits {
  changesFor(current: StoredUser, nameIsFree: boolean): UserChanges | null
  mailsFor(changed: User, before: User): readonly PendingMail[]
  /** The new address; `null` if it stays. */
  address: EmailAddress | null
}

/** What the owner is told about, besides a new address. */
const changedNames = ['username', 'isVerified', 'fields'] as const

/** @throws AccountsError ACCOUNTS_INVALID_INPUT */
function editsOf(
  deps: Pick<Deps, 'options' | 'postOffice'>,
  target: StoredUser,
  { flags, email, ...profile }: UserUpdate,
  isByHost: boolean,
): Edits {
  const { options, postOffice } = deps
  const address = email === undefined ? undefined : parseTypedEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const newAddress = address === undefined || address.email === target.email ? null : address
  const fault = newAddress && newAddressFault(newAddress, options)
  if (fault !== null) throw invalidInput(fault)
  if (flags.isVerified === true && address === undefined && target.email === null)
    throw invalidInput(fieldError('is_verified', 'invalid'))
  const profileOf = profileChanges(options, target, profile, address?.emailKey)
  const move = newAddress && addressChange(deps, newAddress)
  return {
    address: newAddress,
    changesFor(current, nameIsFree) {
      // What was checked and read is outdated: another decision may be right now.
      const isSame = (['emailKey', 'usernameKey'] as const).every((name) => current[name] === target[name])
      if (!isSame || !sameRights(current, target)) return null
      const changes = {
        ...flagChanges(current, flags, options),
        ...(move && {
          ...move.changesFor(current, nameIsFree),
          isVerified: false,
          resetEpoch: current.resetEpoch + 1,
        }),
        ...profileOf(current),
      }
      if (flags.isVerified !== true) return changes
      const moved = { ...withChanges(current, changes), isVerified: move === null && current.isVerified }
      return { ...changes, ...ownershipChanges('vouched-for', moved, options), isVerified: true }
    },
    mailsFor(changed, before) {
      if (move !== null) {
        const proof = changed.isVerified ? [] : postOffice.about('verify-email', changed, { variant: 'user' })
        return [...move.mailsFor(changed, before), ...proof]
      }
      // After an import the app's own code may vouch for every address at once.
      const noticed = isByHost ? changedNames.filter((name) => name !== 'isVerified') : changedNames
      const isChanged = noticed.some((name) => !isDeepStrictEqual(changed[name], before[name]))
      return isChanged ? postOffice.about('account-changed', changed, { isProven: before.isVerified }) : []
    },
  }
}
