import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { Invitation } from '../../seams/invitation-store.js'
import type { UserPosition } from '../../seams/user-store.js'
import type { AccountUser } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { canTakeEffect, invitationState } from '../../users/invitations/find-invitations.js'
import { targetOf } from '../../users/invitations/invitation.js'

const perPage = 50

/**
 * One page of open invitations: an actor's own; for staff and the app's own code, all.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listInvitations(
  deps: Pick<Deps, 'throttle' | 'options' | 'users' | 'invitations'>,
  actor: Actor<AccountUser>,
  after: Pick<Invitation, 'createdAt' | 'id'> | undefined,
): Promise<{ invitations: Invitation[]; next: UserPosition | null }> {
  const { throttle, options, invitations } = deps
  if (actor !== 'host') {
    if (!(await options.authorize.invite(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    await throttle.spend('listUsers', actor.id)
  }
  const whose = actor === 'host' || actor.isStaff ? {} : { inviterId: actor.id }
  const found = await invitations.list({
    target: targetOf(deps.options),
    ...whose,
    limit: perPage + 1,
    after,
  })
  const page = found.slice(0, perPage)
  const last = found.length > perPage ? page.at(-1) : undefined
  const open: Invitation[] = []
  for (const each of page) if (await isOpen(deps, each)) open.push(each)
  return { invitations: open, next: last ? { ...last, usernameKey: null } : null }
}

/** One that was accepted by a process that died goes. */
async function isOpen(deps: Pick<Deps, 'users' | 'invitations'>, invitation: Invitation): Promise<boolean> {
  const state = await invitationState(deps, invitation)
  if (state === 'accepted') await deps.invitations.delete(invitation.id, invitation.version)
  return canTakeEffect(state)
}
