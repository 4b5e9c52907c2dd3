import type { NewUser } from '../../user.js'
import { type OwnershipOptions, takeInvitations } from '../ownership/verbs.js'
import type { Acceptance } from './accept-along.js'

/** A new user whose address is proven, with what invitations give. */
export function withInvitations(
  user: NewUser,
  acceptances: readonly Acceptance[],
  options: OwnershipOptions,
): NewUser {
  return { ...user, ...takeInvitations({ ...user, id: '', version: 0 }, { acceptances }, options) } as NewUser
}
