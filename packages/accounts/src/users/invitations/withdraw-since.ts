import type { Deps } from '../../deps.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { isOfMount } from './invitation.js'

type WithdrawDeps = Pick<Deps, 'invitations' | 'events' | 'options'>

/** How many invitations are read at once. */
const perPage = 100

/**
 * Locks an account down, and withdraws what it has invited since somebody else may have used it. Before the account is locked,
 * so an outage leaves the link that locks it valid; and after it, for what was invited meanwhile.
 * @param since from then on; those that were sent more than once may have been changed since, and go as well
 * @returns what `lock` returns, and how many invitations were withdrawn
 */
export async function withdrawingSince<T>(
  deps: WithdrawDeps,
  userId: string,
  since: Date,
  lock: () => Promise<T>,
): Promise<{ locked: T; withdrawn: number }> {
  const withdrawn = await withdrawSince(deps, userId, since)
  const locked = await lock()
  // The response doesn't wait for it, and the outage is logged.
  void withdrawSince(deps, userId, since).catch(() => {})
  return { locked, withdrawn }
}

async function withdrawSince(
  { invitations, events, options }: WithdrawDeps,
  inviterId: string,
  since: Date,
): Promise<number> {
  let withdrawn = 0
  let last: Invitation | undefined
  do {
    const page = await invitations.list({ inviterId, limit: perPage, after: last })
    for (const { id, target, createdAt, sends, acceptingUntil } of page) {
      if (!isOfMount(target, options) || (createdAt < since && sends === 1)) continue
      // One that is being accepted may still take effect, but not if that fails.
      const isOpen = acceptingUntil === null
      const told = events.about('invitation.withdrawn', { id: inviterId }, { invitation_id: id })
      if ((await invitations.delete(id, undefined, isOpen ? told : [])) && isOpen) withdrawn += 1
    }
    last = page.at(-1)
  } while (last !== undefined)
  return withdrawn
}
