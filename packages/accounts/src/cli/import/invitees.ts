import type { PasswordHasher, Roles } from '../../index.js'
import { isPrivileged } from '../../options/privileges.js'
import { type NewUser, noPassword } from '../../user.js'

/** A user for whom the import has no password that works, by what becomes of them. */
export interface InvitationCounts {
  /** Of the users in the file: invited by this run. */
  invited: number
  /** Their invitation from an earlier run is still open. */
  invitedBefore: number
  /** Somebody else vouches for their address or their rights: "forgot password" is for them. */
  notInvited: number
  /** Disabled, or without an address. */
  unreachable: number
}

/** What inviting needs to know of the app. */
export interface InvitationRules {
  /** Tells which hashes the app can verify. */
  hasher: PasswordHasher | undefined
  roles?: Roles | undefined
}

/** @returns `null` if the user has a way to log in */
export function invitationState(
  user: NewUser,
  { hasher, roles }: InvitationRules,
): keyof InvitationCounts | null {
  const { passwordHash, credentials, identityKeys, email, isActive } = user
  const hasPassword = passwordHash !== noPassword && hasher?.canVerify(passwordHash) !== false
  // The key of a program lets in no person.
  const hasOther =
    credentials.some(({ kind }) => kind === 'passkey') || identityKeys.some((key) => key.startsWith('oidc:'))
  if (hasPassword || hasOther) return null
  if (!isActive || email === null) return 'unreachable'
  if (user.isVerified || user.factors.length > 0 || isPrivileged(user, { roles })) return 'notInvited'
  return 'invited'
}
