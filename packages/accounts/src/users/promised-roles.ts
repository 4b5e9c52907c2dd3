import { type Credential, type NewUser, type StoredUser, type UserChanges, withChanges } from '../user.js'
import { type Invitation, invitationKept, isInvitation } from './invitation.js'

const kind = 'promised-roles'

/**
 * Roles given at a sign-up to an address that nobody has proven yet. They are the account's once somebody has, who also
 * showed that they made it: otherwise whoever signs up with another person's address would get that person's roles. Any
 * change of the address raises `verifyEpoch`, which ends the promise. It lets nobody in.
 */
interface PromisedRoles extends Credential {
  kind: typeof kind
  emailKey: string
  verifyEpoch: number
  roles: string[]
}

const isPromisedRoles = (each: Credential): each is PromisedRoles => each.kind === kind

/** Whether a credential is such a promise, or that of an invitation. */
export const isPromise = (each: Credential): each is PromisedRoles | Invitation =>
  isPromisedRoles(each) || isInvitation(each)

/** The credentials without promises. */
export function withoutPromise(credentials: readonly Credential[]): Credential[] {
  return credentials.filter((each) => !isPromise(each))
}

/**
 * The changes that end promises, where somebody else vouches for who has the account: its password no longer shows who
 * signed up.
 */
export function promiseEnded({
  credentials,
}: Pick<StoredUser, 'credentials'>): Pick<UserChanges, 'credentials'> {
  return credentials.some(isPromise) ? { credentials: withoutPromise(credentials) } : {}
}

/** A new user with the roles of its sign-up: promised, or granted if its address is proven or it has none. */
export function withRoles(user: NewUser, roles: readonly string[]): NewUser {
  if (roles.length === 0) return user
  const { emailKey, verifyEpoch, isVerified, credentials } = user
  if (emailKey === null || isVerified) return { ...user, roles: [...new Set([...user.roles, ...roles])] }
  const promise: PromisedRoles = { kind, emailKey, verifyEpoch, roles: [...roles] }
  return { ...user, credentials: [...credentials, promise] }
}

/** The changes that keep what was promised, also by an invitation, or drop what was for another address. */
export function promiseKept(current: StoredUser): Pick<UserChanges, 'roles' | 'fields' | 'credentials'> {
  const invited = invitationKept(current)
  const { credentials, emailKey, verifyEpoch, roles } = withChanges(current, invited)
  const promise = credentials.find(isPromisedRoles)
  if (promise === undefined) return invited
  const isValid = promise.emailKey === emailKey && promise.verifyEpoch === verifyEpoch
  return {
    ...invited,
    credentials: withoutPromise(credentials),
    ...(isValid && { roles: [...new Set([...roles, ...promise.roles])] }),
  }
}
