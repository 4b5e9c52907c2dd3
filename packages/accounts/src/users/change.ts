import type { Deps } from '../deps.js'
import { AccountsError, attributed } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import type { RightsChange } from '../options/options.js'
import { rolesAfter, type WithRoles } from '../options/privileges.js'
import { day } from '../options/time.js'
import type { Granted } from '../seams/before.js'
import { apiKeysOf, withoutApiKeys } from '../tokens/api-key.js'
import {
  type AccountUser,
  accountUser,
  addedAt,
  type Credential,
  noPassword,
  type StoredUser,
  type User,
  type UserChanges,
  withChanges,
} from '../user.js'
import { invitationKept } from './invitation.js'
import { promiseEnded, promiseKept } from './promised-roles.js'
import { nameOf, nothingAdded, plainProof, plainProofOf, withoutPlainProof } from './unproven.js'
import { maySee } from './visible.js'

/** How long an email about a change may take to arrive, in milliseconds: the outbox gives up after a day. */
const mailDelay = 2 * day

/**
 * Logs everybody out and disables the password; a reset link is the way back in. Login methods added since
 * the earliest event that any link can report go as well, because an attacker may have added them. Older ones
 * stay, except what may be someone else's since before the address was verified. This link's own event isn't
 * early enough: using it invalidates the links about earlier ones, so a thief who logs in twice would keep
 * what the first login added. API keys go whatever their age: whoever got in may have read one, and a program is
 * given another in a minute.
 * @param linkLifetime the link's maximum lifetime in milliseconds
 */
export function lockChanges(current: StoredUser, linkLifetime: number): UserChanges {
  return {
    ...newPasswordChanges(current, noPassword),
    ...withoutKeysAndAdditions(current, earliestReported(linkLifetime)),
  }
}

function withoutKeysAndAdditions(
  current: StoredUser,
  since: number,
): Pick<UserChanges, 'credentials' | 'identityKeys' | 'factors'> {
  const keyless = withoutApiKeys(current)
  const changes = withoutAdditions({ ...current, ...keyless }, since)
  return keyless.credentials.length === current.credentials.length ? changes : { ...keyless, ...changes }
}

/**
 * The changes of a reset, which proves the address. If nobody had proved it, it becomes its owner's
 * account. If it was verified by somebody who didn't show that they made the account, the reset also secures it;
 * what was added since then stays once the links in the emails about it have expired, so a second factor
 * isn't removed by just reading the owner's email. Otherwise everything stays.
 * @param linkLifetime as for `lockChanges`
 * @param granted as for `firstProof`
 */
export function resetChanges(
  current: StoredUser,
  passwordHash: string,
  linkLifetime: number,
  granted: Granted,
): UserChanges {
  if (!current.isVerified) return firstProof(current, passwordHash, granted)
  const plain = plainProofOf(current)
  const since = plain?.since == null ? Number.POSITIVE_INFINITY : Date.parse(plain.since)
  const secured = plain ? withoutAdditions(current, Math.max(since, earliestReported(linkLifetime))) : {}
  return {
    ...newPasswordChanges(current, passwordHash),
    verifyEpoch: current.verifyEpoch + 1,
    ...secured,
    ...(plain && promiseAfter(withChanges(current, secured))),
  }
}

/** A login method that is left may be somebody else's, who must not get the roles with it. */
const promiseAfter = (secured: StoredUser): UserChanges =>
  secured.identityKeys.length === 0 ? promiseKept(secured) : promiseEnded(secured)

/** The earliest event that any link can report, in milliseconds since 1970. */
const earliestReported = (linkLifetime: number): number => Date.now() - linkLifetime - mailDelay

/** Removes what was added since a time, and the suspects of an address that was only verified plainly. */
function withoutAdditions(
  current: StoredUser,
  since: number,
): Pick<UserChanges, 'credentials' | 'identityKeys' | 'factors'> {
  const { suspects = [] } = plainProofOf(current) ?? {}
  const isGone = (each: Credential): boolean => suspects.includes(nameOf(each)) || addedAt(each) >= since
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
 * while it was unverified is removed, and so are the password, sessions, known devices and links.
 * @param passwordHash the owner's own, or `noPassword`
 * @param granted what the app's rule gives to the owner. What it promised to somebody else goes; what an invitation
 * gave stays
 */
export function firstProof(
  current: StoredUser,
  passwordHash: string,
  granted: Granted,
): UserChanges & ReturnType<typeof nothingAdded> {
  const bare = nothingAdded(current)
  const invited = invitationKept(current, bare.credentials)
  return {
    ...newPasswordChanges(current, passwordHash),
    ...bare,
    ...invited,
    credentials: invited.credentials ?? bare.credentials,
    ...grantedChanges(withChanges(current, invited), granted),
    verifyEpoch: current.verifyEpoch + 1,
    isVerified: true,
  }
}

/** The changes for a new password: all earlier sessions and reset links become invalid. */
export function newPasswordChanges(current: User, passwordHash: string): UserChanges {
  return { passwordHash, sessionEpoch: current.sessionEpoch + 1, resetEpoch: current.resetEpoch + 1 }
}

/** The same for a password that somebody chooses for whom the app's own code vouches. */
export function vouchedPasswordChanges(current: StoredUser, passwordHash: string): UserChanges {
  return { ...newPasswordChanges(current, passwordHash), ...promiseEnded(current) }
}

/** The flags and roles that staff set on a user. */
export interface UserFlags extends RightsChange {
  isActive?: boolean | undefined
  isVerified?: boolean | undefined
}

/** What the app's rule gives to an account whose address is proven. */
function grantedChanges(
  { fields, roles }: StoredUser,
  granted: Granted,
): Pick<UserChanges, 'fields' | 'roles'> {
  return {
    ...(Object.keys(granted.fields).length > 0 && { fields: { ...fields, ...granted.fields } }),
    ...(granted.roles.length > 0 && { roles: [...new Set([...roles, ...granted.roles])] }),
  }
}

/**
 * The changes for flags that staff or the app's own code set. They can't vouch for what an account got while its
 * address was unverified.
 */
export function vouchedChanges(current: StoredUser, flags: UserFlags, options: WithRoles): UserChanges {
  return { ...flagChanges(current, flags, options), ...(flags.isVerified && plainProof(current, 'staff')) }
}

export function flagChanges(
  current: StoredUser,
  { isStaff, roles, isActive, isVerified }: UserFlags,
  options: WithRoles,
): UserChanges {
  return {
    isStaff,
    ...(roles && { roles: rolesAfter(current.roles, roles, options) }),
    isActive,
    isVerified,
    // An older link must not verify the address again.
    ...(isVerified === false && current.isVerified && { verifyEpoch: current.verifyEpoch + 1 }),
    // Otherwise a session whose row stayed, or a link in an old email, would work again once the user is
    // reactivated.
    ...(isActive === false && {
      sessionEpoch: current.sessionEpoch + 1,
      resetEpoch: current.resetEpoch + 1,
      // Nor must a program that somebody has forgotten.
      ...(apiKeysOf(current).length > 0 && withoutApiKeys(current)),
    }),
  }
}

/** Who acts on the account of somebody else: a user, or the app's own code, which `authorize` isn't asked about. */
export type Actor<Someone = User> = Someone | 'host'

/** A rule of `authorize` about what somebody does to another user. */
type UserAction = 'deleteUser' | 'editUser' | 'grantRights' | 'manageUser' | 'resetFactors'

/**
 * Runs an action on a user if the actor may do it. Every refusal is attributed to that user.
 * @param rights the changes that `grantRights` decides about, if it is one of the actions
 * @throws AccountsError ACCOUNTS_FORBIDDEN; ACCOUNTS_NOT_FOUND, also if the actor may not know that the user
 * exists
 */
export async function withPermission<T>(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  actor: Actor<AccountUser>,
  { id, actions, rights = {} }: { id: string; actions: readonly UserAction[]; rights?: RightsChange },
  work: (target: StoredUser) => Promise<T>,
): Promise<T> {
  const target = await findUserById(users, id)
  if (target === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return attributed(target, async () => {
    if (actor === 'host') return work(target)
    let isAllowed = true
    for (const action of actions)
      isAllowed &&= await options.authorize[action](actor, accountUser(target), rights)
    if (isAllowed) return work(target)
    throw new AccountsError(
      (await maySee({ options }, actor, target)) ? 'ACCOUNTS_FORBIDDEN' : 'ACCOUNTS_NOT_FOUND',
    )
  })
}
