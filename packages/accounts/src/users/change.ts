import type { Deps } from '../deps.js'
import { AccountsError, attributed } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import { day } from '../options/time.js'
import {
  type AccountUser,
  accountUser,
  type Credential,
  noPassword,
  type StoredUser,
  type User,
  type UserChanges,
} from '../user.js'
import { nameOf, nothingAdded, plainProof, plainProofOf, withoutPlainProof } from './unproven.js'
import { maySee } from './visible.js'

/** How long an email about a change may take to arrive, in milliseconds: the outbox gives up after a day. */
const mailDelay = 2 * day

/**
 * Logs everybody out and disables the password; a reset link is the way back in. Login methods added since
 * the earliest event that any link can report go too, because an attacker may have added them. Older ones
 * stay, except what may be someone else's since before the address was verified. This link's own event isn't
 * early enough: using it invalidates the links about earlier ones, so a thief who logs in twice would keep
 * what the first login added.
 * @param linkLifetime the link's maximum lifetime in milliseconds
 */
export function lockChanges(current: StoredUser, linkLifetime: number): UserChanges {
  return {
    ...newPasswordChanges(current, noPassword),
    ...withoutAdditions(current, earliestReported(linkLifetime)),
  }
}

/**
 * The changes of a reset, which proves the address. If nobody had proved it, it becomes its owner's
 * account. If it was verified by somebody who didn't show that they made the account, the reset also secures it;
 * what was added since then stays once the links in the emails about it have expired, so a second factor
 * isn't removed by just reading the owner's email. Otherwise everything stays.
 * @param linkLifetime as for `lockChanges`
 */
export function resetChanges(current: StoredUser, passwordHash: string, linkLifetime: number): UserChanges {
  if (!current.isVerified) return firstProof(current, passwordHash)
  const plain = plainProofOf(current)
  const since = plain?.since == null ? Number.POSITIVE_INFINITY : Date.parse(plain.since)
  return {
    ...newPasswordChanges(current, passwordHash),
    verifyEpoch: current.verifyEpoch + 1,
    ...(plain && withoutAdditions(current, Math.max(since, earliestReported(linkLifetime)))),
  }
}

/** The earliest event that any link can report, in milliseconds since 1970. */
const earliestReported = (linkLifetime: number): number => Date.now() - linkLifetime - mailDelay

/** Removes what was added since a time, and the suspects of an address that was only verified plainly. */
function withoutAdditions(
  current: StoredUser,
  since: number,
): Pick<UserChanges, 'credentials' | 'identityKeys' | 'factors'> {
  const { suspects = [] } = plainProofOf(current) ?? {}
  const isGone = (each: Credential): boolean =>
    suspects.includes(nameOf(each)) ||
    (typeof each.createdAt === 'string' && Date.parse(each.createdAt) >= since)
  const gone = new Set([...suspects, ...current.credentials.filter(isGone).map(nameOf)])
  const left = withoutPlainProof(current.credentials.filter((each) => !isGone(each)))
  const factors = current.factors.filter((factor) => left.some(({ kind }) => kind === factor))
  // Recovery codes without a factor complete nothing.
  const credentials = left.filter(({ kind }) => kind !== 'recovery-code' || factors.length > 0)
  if (credentials.length === current.credentials.length && gone.size === 0) return {}
  return { credentials, identityKeys: current.identityKeys.filter((key) => !gone.has(key)), factors }
}

/**
 * The changes at the first verification of an address. Somebody else may have typed it, so everything added
 * while it was unverified is void, and so are the password, sessions, known devices and links.
 * @param passwordHash the owner's own, or `noPassword`
 */
export function firstProof(
  current: StoredUser,
  passwordHash: string,
): UserChanges & ReturnType<typeof nothingAdded> {
  return {
    ...newPasswordChanges(current, passwordHash),
    ...nothingAdded(current),
    verifyEpoch: current.verifyEpoch + 1,
    isVerified: true,
  }
}

/** The changes for a new password: all earlier sessions and reset links become invalid. */
export function newPasswordChanges(current: User, passwordHash: string): UserChanges {
  return { passwordHash, sessionEpoch: current.sessionEpoch + 1, resetEpoch: current.resetEpoch + 1 }
}

/** The flags that staff set on a user. */
export interface UserFlags {
  isStaff?: boolean | undefined
  isActive?: boolean | undefined
  isVerified?: boolean | undefined
}

/**
 * The changes for flags that staff or the app's own code set. They can't vouch for what an account got while its
 * address was unverified.
 */
export function vouchedChanges(current: StoredUser, flags: UserFlags): UserChanges {
  return { ...flagChanges(current, flags), ...(flags.isVerified && plainProof(current, 'staff')) }
}

export function flagChanges(current: User, { isStaff, isActive, isVerified }: UserFlags): UserChanges {
  return {
    isStaff,
    isActive,
    isVerified,
    // An older link must not verify the address again.
    ...(isVerified === false && current.isVerified && { verifyEpoch: current.verifyEpoch + 1 }),
    // Otherwise a session whose row stayed, or a link in an old email, would work again once the user is
    // reactivated.
    ...(isActive === false && {
      sessionEpoch: current.sessionEpoch + 1,
      resetEpoch: current.resetEpoch + 1,
    }),
  }
}

/**
 * Runs an action on a user if the actor may do it. Every refusal is attributed to that user.
 * @throws AccountsError ACCOUNTS_FORBIDDEN; ACCOUNTS_NOT_FOUND, also if the actor may not know that the user
 * exists
 */
export async function withPermission<T>(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  actor: AccountUser,
  { id, actions }: { id: string; actions: readonly ('deleteUser' | 'editUser' | 'manageUser')[] },
  work: (target: StoredUser) => Promise<T>,
): Promise<T> {
  const target = await findUserById(users, id)
  if (target === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return attributed(target, async () => {
    let isAllowed = true
    for (const action of actions) isAllowed &&= await options.authorize[action](actor, accountUser(target))
    if (isAllowed) return work(target)
    throw new AccountsError(
      (await maySee({ options }, actor, target)) ? 'ACCOUNTS_FORBIDDEN' : 'ACCOUNTS_NOT_FOUND',
    )
  })
}
