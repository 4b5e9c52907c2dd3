import {
  type Credential,
  holdsPassword,
  invitationKind,
  type StoredUser,
  type UserChanges,
  type UserFields,
} from '../user.js'
import { fieldsWithin } from '../validation.js'

/**
 * What an invitation gives to whoever first proves the address. Unlike roles promised at a sign-up it survives that proof:
 * somebody with a right to do so named the address, not whoever made the account. Any change of the address raises
 * `verifyEpoch`, which ends it. It lets nobody in.
 */
export interface Invitation extends Credential {
  kind: typeof invitationKind
  /** Another one with each email, so only the latest link works. */
  id: string
  emailKey: string
  verifyEpoch: number
  roles: string[]
  fields: UserFields
  /** RFC 3339. */
  expiresAt: string
  /** Whether the account was made for it, and goes with it. */
  made: boolean
}

/** What shows whether an account's invitation still holds. */
type Invited = Pick<StoredUser, 'credentials' | 'emailKey' | 'verifyEpoch'>

export const isInvitation = (each: Credential): each is Invitation => each.kind === invitationKind

/** The invitation of an account, if it still holds. */
export function invitationOf({ credentials, emailKey, verifyEpoch }: Invited): Invitation | null {
  const found = credentials.find(isInvitation)
  if (found === undefined || Date.now() > Date.parse(found.expiresAt)) return null
  return found.emailKey === emailKey && found.verifyEpoch === verifyEpoch ? found : null
}

/**
 * Whether an account was made for an invitation that has expired, and nobody has used it. Until somebody invites them again
 * nobody gets in with it: in an app that people only join by invitation, an account without its roles is still an account.
 */
export function isLapsed(
  user: Invited & Pick<StoredUser, 'isVerified' | 'lastLoginAt' | 'passwordHash'>,
): boolean {
  const { credentials, emailKey, verifyEpoch, isVerified, lastLoginAt } = user
  const found = credentials.find(isInvitation)
  const isOfIt = found?.made === true && found.emailKey === emailKey && found.verifyEpoch === verifyEpoch
  return isOfIt && invitationOf(user) === null && !isVerified && lastLoginAt === null && !holdsPassword(user)
}

/** Whether an unproven account is for somebody whom an invitation named, also if it has expired: they choose how to log in. */
export const isInvited = ({
  isVerified,
  credentials,
}: Pick<StoredUser, 'isVerified' | 'credentials'>): boolean => !isVerified && credentials.some(isInvitation)

export function withoutInvitation(credentials: readonly Credential[]): Credential[] {
  return credentials.filter((each) => !isInvitation(each))
}

/** What the owner of the address gets; nothing without an invitation. */
export function invitedWith(user: Invited): Pick<Invitation, 'fields' | 'roles'> {
  return invitationOf(user) ?? { fields: {}, roles: [] }
}

/**
 * The changes that give what an account is invited with, at the first proof of its address.
 * @param credentials those that stay
 */
export function invitationKept(
  current: Invited & Pick<StoredUser, 'roles' | 'fields'>,
  credentials: readonly Credential[] = current.credentials,
): Pick<UserChanges, 'roles' | 'fields' | 'credentials'> {
  if (!current.credentials.some(isInvitation)) return {}
  const { fields, roles } = invitedWith(current)
  return {
    credentials: withoutInvitation(credentials),
    ...(roles.length > 0 && { roles: [...new Set([...current.roles, ...roles])] }),
    // Anybody may have filled the others.
    ...(Object.keys(fields).length > 0 && { fields: fieldsWithin(fields, current.fields) }),
  }
}
