import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { AccountUser } from '../../user.js'
import { type Actor, withPermission } from '../../users/change.js'

/**
 * Ends all sessions of a user, for an actor who may manage them.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT
 */
export async function endUserSessions(
  deps: Pick<Deps, 'users' | 'options' | 'events'>,
  actor: Actor<AccountUser>,
  id: string,
): Promise<void> {
  await withPermission(deps, actor, { id, actions: ['manageUser'] }, async (target) => {
    const changed = await deps.users.change(target, (current) => ({
      sessionEpoch: current.sessionEpoch + 1,
    }))
    if (changed === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    deps.events.tell('session.ended', target, {})
  })
}
