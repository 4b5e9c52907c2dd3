import type { Deps } from '../deps.js'
import { AccountsError, about } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import {
  type AccountUser,
  accountUser,
  type Credential,
  noPassword,
  type StoredUser,
  type User,
  type UserChanges,
  withChanges,
} from '../user.js'

/** So many others may change the same user in between. */
const maxAttempts = 10

/**
 * Changes a user by compare-and-set, again with the newest record where somebody was faster.
 * @param changesFor the changes that a record calls for; `{}` where it is right as it is, `null` gives up
 * @param mailsFor the mails that tell of the change, and are kept if and only if it is
 * @returns the changed user, or `null` where `changesFor` gave up or the user is gone
 * @throws AccountsError ACCOUNTS_CONFLICT when others were faster every time
 */
export async function changeUser<Known extends User>(
  users: Pick<UserStore, 'findById' | 'update'>,
  user: Known,
  changesFor: (current: Known) => UserChanges | null,
  mailsFor: (changed: Known, before: Known) => readonly PendingMail[] = () => [],
): Promise<Known | null> {
  // What a store returns is a whole record, whatever was known of it before.
  const whole = (record: StoredUser | null) => record as Known | null
  let current: Known | null = user
  for (let attempt = 0; attempt < maxAttempts && current !== null; attempt += 1) {
    const changes = changesFor(current)
    if (changes === null) return null
    if (Object.keys(changes).length === 0) return current
    const mails = mailsFor(withChanges(current, changes), current)
    const changed = whole(await users.update(current.id, changes, current.version, mails))
    if (changed !== null) return changed
    current = whole(await users.findById(current.id))
  }
  if (current === null) return null
  throw new AccountsError('ACCOUNTS_CONFLICT')
}

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
