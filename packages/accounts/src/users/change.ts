import type { Deps } from '../deps.js'
import { AccountsError, about } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import {
  type AccountUser,
  accountUser,
  type Credential,
  noPassword,
  type StoredUser,
  type User,
  type UserChanges,
} from '../user.js'

/** How long a mail about what was done may be on its way, in milliseconds: the outbox gives it up after a day. */
const mailDelay = 2 * 86_400_000

/**
 * Logs everybody out, and makes the password void: the way back in is a reset link. What was added to log in by since
 * what a link reports at the earliest goes too: whoever is locked out may have added it. What was there before stays.
 * Not only since what this link reports: its use ends the links about anything earlier, and a thief who logs in twice
 * would keep what the first login added.
 * @param linkLifetime milliseconds that the link lived at most
 */
export function lockChanges(current: StoredUser, linkLifetime: number): UserChanges {
  const since = Date.now() - linkLifetime - mailDelay
  const isNew = ({ createdAt }: Credential): boolean =>
    typeof createdAt === 'string' && Date.parse(createdAt) >= since
  const gone = new Set(current.credentials.filter(isNew).map(({ kind, id }) => `${kind}:${id}`))
  const old = current.credentials.filter((each) => !isNew(each))
  const factors = current.factors.filter((factor) => old.some(({ kind }) => kind === factor))
  // Codes that complete nothing are none.
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
 * Without what somebody may have added to an account whose address they did not have. Authenticator apps stay, with the
 * recovery codes: none is turned on behind an address that is not proven, so they are from before staff set another
 * address, or took the proof of it away. They let nobody in, they only ask for more: a reset by whoever reads a mailbox
 * that staff mistyped must not take the second factor off.
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
 * What the first proof of an address brings: somebody else may have typed it, so whatever was there while nobody had
 * proven it is void. The password, sessions, known devices and links go too.
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

/** What a new password brings: every session and every reset link that was given out before is dead. */
export function newPasswordChanges(current: User, passwordHash: string): UserChanges {
  return { passwordHash, sessionEpoch: current.sessionEpoch + 1, resetEpoch: current.resetEpoch + 1 }
}

/** What is decided about a user. */
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
    // What was taken away is not given back by a link of before.
    ...(isVerified === false && current.isVerified && { verifyEpoch: current.verifyEpoch + 1 }),
    // Without it a session whose row stayed, or a link in an old mail, would live again with the user.
    ...(isActive === false && {
      sessionEpoch: current.sessionEpoch + 1,
      resetEpoch: current.resetEpoch + 1,
    }),
  }
}

/**
 * Does something to a user to whom the actor may do it. Every refusal is about that user.
 * @throws AccountsError ACCOUNTS_FORBIDDEN; ACCOUNTS_NOT_FOUND, also where the actor may not know that there is one
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
    const visible = await options.authorize.showUser(actor, accountUser(target))
    throw new AccountsError(visible ? 'ACCOUNTS_FORBIDDEN' : 'ACCOUNTS_NOT_FOUND')
  })
}
