import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { Invitation } from '../../seams/invitation-store.js'
import type { AccountUser } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { accountsTarget, isExpired } from '../../users/invitations/invitation.js'

const perPage = 50

/**
 * One page of open invitations: an actor's own; for staff and the app's own code, all.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listInvitations(
  { throttle, options, invitations }: Pick<Deps, 'throttle' | 'options' | 'invitations'>,
  actor: Actor<AccountUser>,
  after: Pick<Invitation, 'createdAt' | 'id'> | undefined,
): Promise<{ invitations: Invitation[]; next: Invitation | null }> {
  if (actor !== 'host') {
    if (!(await options.authorize.invite(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    await throttle.spend('listUsers', actor.id)
  }
  const whose = actor === 'host' || actor.isStaff ? {} : { inviterId: actor.id }
  const found = await invitations.list({ target: accountsTarget, ...whose, limit: perPage + 1, after })
  const page = found.slice(0, perPage)
  return {
    invitations: page.filter((each) => !isExpired(each)),
    next: found.length > perPage ? (page.at(-1) ?? null) : null,
  }
}
