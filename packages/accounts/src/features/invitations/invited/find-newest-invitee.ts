import { findInvitations } from '../../../users/invitations/find-invitations.js'
import type { SubjectDeps } from '../../feature.js'
import { type Invitee, inviteeOf } from './invitee.js'

/** Whom the newest invitation of an address is for; `null` if there is none. */
export async function findNewestInvitee(deps: SubjectDeps, emailKey: string): Promise<Invitee | null> {
  for await (const newest of findInvitations(deps, emailKey)) return inviteeOf(newest)
  return null
}
