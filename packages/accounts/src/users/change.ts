import type { Deps } from '../deps.js'
import { AccountsError, about } from '../errors.js'
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
import { maySee } from './visible.js'

/** How long an email about a change may take to arrive, in milliseconds: the outbox gives up after a day. */
const mailDelay = 2 * day

/**
 * Logs everybody out and disables the password; a reset link is the way back in. Login methods added since
 * the earliest event that any link can report go too, because an attacker may have added them. Older ones
 * stay. This link's own event isn't early enough: using it invalidates the links about earlier ones, so a
 * thief who logs in twice would keep what the first login added.
 * @param linkLifetime the link's maximum lifetime in milliseconds
 */
export function lockChanges(current: StoredUser, linkLifetime: number): UserChanges {
  const since = Date.now() - linkLifetime - mailDelay
  const isNew = ({ createdAt }: Credential): boolean =>
    typeof createdAt === 'string' && Date.parse(createdAt) >= since
  const gone = new Set(current.credentials.filter(isNew).map(({ kind, id }) => `${kind}:${id}`))
  const old = current.credentials.filter((each) => !isNew(each))
  const factors = current.factors.filter((factor) => old.some(({ kind }) => kind === factor))
  // Recovery codes without a factor complete nothing.
  const credentials = old.filter(({ kind }) => kind !== 'recovery-code' || factors.length > 0)
  return {
    ...newPasswordChanges(current, noPassword),
    ...(gone.size > 0 && {
      credentials,
      identityKeys: current.identityKeys.filter((key) => !gone.has(key)),
      factors,
    }),
  }
}

/**
 * Removes what somebody without access to the address may have added. Authenticator apps stay, with the
 * recovery codes: enrolling one requires a verified address, so they are older than the change by which staff
 * set or unverified the address. They let nobody in, they only ask for more: a reset through a mailbox that
 * staff mistyped must not remove the second factor.
 */
export function nothingAdded({
  factors,
  credentials,
}: StoredUser): Pick<StoredUser, 'credentials' | 'identityKeys' | 'factors'> {
  const owners = factors.includes('totp') ? ['totp', 'recovery-code'] : []
  return {
    credentials: credentials.filter(({ kind }) => owners.includes(kind)),
    identityKeys: [],
    factors: factors.filter((factor) => owners.includes(factor)),
  }
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
  work: (target: User) => Promise<T>,
): Promise<T> {
  const target = await findUserById(users, id)
  if (target === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return about(target, async () => {
    let isAllowed = true
    for (const action of actions) isAllowed &&= await options.authorize[action](actor, accountUser(target))
    if (isAllowed) return work(target)
    throw new AccountsError(
      (await maySee({ options }, actor, target)) ? 'ACCOUNTS_FORBIDDEN' : 'ACCOUNTS_NOT_FOUND',
    )
  })
}
