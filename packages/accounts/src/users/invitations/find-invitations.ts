import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { hasAccepted } from '../../notes.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { isGood } from './check-may-invite.js'
import { isExpired, targetOf } from './invitation.js'

interface StateDeps extends Pick<Deps, 'invitations'> {
  users: Pick<Deps['users'], 'findById' | 'findByEmail'>
}

/**
 * What has become of an invitation.
 * - `open`: it can be accepted, sent again and withdrawn.
 * - `accepting`: an acceptance may still take effect.
 * - `accepted`: one has, and the process that made it died before the invitation was gone.
 * - `expired`: it only goes.
 */
export type InvitationState = 'open' | 'accepting' | 'accepted' | 'expired'

/**
 * An acceptance that has begun can take effect until its time is over. After that the account of the address shows whether it
 * has: see accept-along.ts.
 */
export async function invitationState(
  { users, invitations }: StateDeps,
  invitation: Invitation,
): Promise<InvitationState> {
  const { id, emailKey, acceptingUntil } = invitation
  if (isExpired(invitation)) return 'expired'
  if (acceptingUntil === null) return 'open'
  if ((await invitations.time()) <= acceptingUntil.getTime()) return 'accepting'
  const owner = await users.findByEmail(emailKey)
  return owner !== null && hasAccepted(owner, id) ? 'accepted' : 'open'
}

/** Whether it can still be accepted: what one request has begun without success, the next one goes on with. */
export const canTakeEffect = (state: InvitationState): boolean => state === 'open' || state === 'accepting'

/** The invitations to an account that somebody gets who proves this address, the newest first. */
export async function* findInvitations(
  deps: StateDeps & Pick<Deps, 'options'>,
  emailKey: string,
): AsyncGenerator<Invitation> {
  for (const invitation of await deps.invitations.listByEmail(emailKey)) {
    if (invitation.target !== targetOf(deps.options)) continue
    const state = await invitationState(deps, invitation)
    if (canTakeEffect(state) && (await isGood(deps, invitation).catch(leaveOut))) yield invitation
  }
}

/**
 * One whose rule of the app doesn't respond stays open: it must not keep somebody from proving an address. The outage is
 * logged.
 */
export function leaveOut(error: unknown): null {
  if (error instanceof AccountsError && error.code === 'ACCOUNTS_UNAVAILABLE') return null
  throw error
}
