import { holdsPassword, type StoredUser, type UserFields } from '../user.js'

/**
 * What an invitation gives to the person who first proves the address. Unlike roles promised at a sign-up it survives that
 * proof: somebody with a right to do so named the address, not the maker of the account. Any change of the address raises
 * `verifyEpoch`, which ends it. It is a note of the account, and lets nobody in.
 */
export type Invitation = {
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
type Invited = Pick<StoredUser, 'notes' | 'emailKey' | 'verifyEpoch'>

/** The latest invitation of an account, also if it no longer holds. */
export const lastInvitationOf = ({ notes }: Pick<StoredUser, 'notes'>): Invitation | null =>
  (notes.invitation as Invitation | undefined) ?? null

/** The invitation of an account, if it still holds. */
export function invitationOf(user: Invited): Invitation | null {
  const found = lastInvitationOf(user)
  if (found === null || Date.now() > Date.parse(found.expiresAt)) return null
  return found.emailKey === user.emailKey && found.verifyEpoch === user.verifyEpoch ? found : null
}

/**
 * Whether an account was made for an invitation that has expired, and nobody has used it. Until somebody invites them again
 * nobody gets in with it: in an app that people only join by invitation, an account without its roles is still an account.
 */
export function isLapsed(
  user: Invited & Pick<StoredUser, 'isVerified' | 'lastLoginAt' | 'passwordHash'>,
): boolean {
  const { emailKey, verifyEpoch, isVerified, lastLoginAt } = user
  const found = lastInvitationOf(user)
  const isOfIt = found?.made === true && found.emailKey === emailKey && found.verifyEpoch === verifyEpoch
  return isOfIt && invitationOf(user) === null && !isVerified && lastLoginAt === null && !holdsPassword(user)
}

/** Whether an unproven account is for somebody whom an invitation named, also if it has expired: they choose how to log in. */
export const isInvited = (user: Pick<StoredUser, 'isVerified' | 'notes'>): boolean =>
  !user.isVerified && lastInvitationOf(user) !== null

/** What the owner of the address gets; nothing without an invitation. */
export function invitedWith(user: Invited): Pick<Invitation, 'fields' | 'roles'> {
  return invitationOf(user) ?? { fields: {}, roles: [] }
}
