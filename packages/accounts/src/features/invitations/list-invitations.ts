import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { UserPosition } from '../../seams/user-store.js'
import type { AccountUser, StoredUser } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { openInvitation } from './invited/with-invitation.js'

const perPage = 50

/**
 * One page of open invitations. It shows who has no account, so it takes the right to see details of users as well.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listInvitations(
  deps: Pick<Deps, 'throttle' | 'options'> & { list: NonNullable<Deps['users']['list']> },
  actor: Actor<AccountUser>,
  after: UserPosition | undefined,
): Promise<{ users: StoredUser[]; next: UserPosition | null }> {
  if (actor !== 'host') {
    const { authorize } = deps.options
    const mayList = (await authorize.invite(actor)) && (await authorize.listDetails(actor))
    if (!mayList) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    await deps.throttle.spend('listUsers', actor.id)
  }
  const where = { kind: 'person', isInvited: true, isVerified: false } as const
  const found = await deps.list({ limit: perPage + 1, after, where })
  const read = found.slice(0, perPage)
  return {
    users: read.filter((user) => openInvitation(user) !== null),
    next: found.length > perPage ? (read.at(-1) ?? null) : null,
  }
}
