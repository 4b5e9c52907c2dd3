import type { Invitation, StoredUser } from 'fastify-accounts'
import { canTakeEffect, inviterNameOf, isKnownOwner, type ListPosition } from 'fastify-accounts/features'
import type { Page } from '../page.js'
import type { OrganizationDeps } from '../parts.js'
import { describe } from './describe.js'
import { isGood } from './is-good.js'
import { stateOf } from './state-of.js'
import { organizationIdOf } from './target.js'

/** An invitation as the invited person sees it. */
export interface OwnInvitation {
  invitation: Invitation
  organization: { id: string; name: string }
  roles: readonly string[]
  /** The name of the inviter; `null` for the app itself, or somebody without a name. */
  inviter: string | null
}

/** How many are looked at for one page: each takes several lookups. */
const perPage = 20

type ListDeps = Pick<OrganizationDeps, 'users' | 'invitations' | 'organizations' | 'settings' | 'options'>

/**
 * One page of the invitations to organizations that a user can accept, the newest first. None before their address is known to be
 * theirs: they may be somebody else's.
 * @throws AccountsError ACCOUNTS_THROTTLED
 */
export async function listOwnInvitations(
  deps: ListDeps & Pick<OrganizationDeps, 'throttle'>,
  user: StoredUser,
  after: ListPosition | undefined,
): Promise<Page<OwnInvitation>> {
  await deps.throttle.spend('listUsers', user.id)
  if (user.emailKey === null || !isKnownOwner(user)) return { results: [], next: null }
  const rows = (await deps.invitations.listByEmail(user.emailKey))
    .filter((each) => organizationIdOf(each, deps.options) !== null)
    .filter((each) => after === undefined || isBelow(each, after))
    .toSorted((one, other) => (isBelow(one, other) ? 1 : -1))
  const page = rows.slice(0, perPage)
  const results: OwnInvitation[] = []
  for (const each of page) {
    const shown = await shownTo(deps, each)
    if (shown !== null) results.push(shown)
  }
  const last = rows.length > perPage ? page.at(-1) : undefined
  return {
    results,
    next: last === undefined ? null : { createdAt: last.createdAt, id: last.id, usernameKey: null },
  }
}

/** Whether one comes after another in the list. */
function isBelow(
  one: Pick<ListPosition, 'createdAt' | 'id'>,
  other: Pick<ListPosition, 'createdAt' | 'id'>,
): boolean {
  const before = other.createdAt.getTime() - one.createdAt.getTime()
  return before > 0 || (before === 0 && one.id < other.id)
}

/** `null` if it gives nothing anymore. */
async function shownTo(deps: ListDeps, invitation: Invitation): Promise<OwnInvitation | null> {
  if (!canTakeEffect(await stateOf(deps, invitation)) || !(await isGood(deps, invitation))) return null
  const described = await describe(deps, invitation)
  return (
    described && {
      invitation,
      organization: { id: described.id, name: described.name },
      roles: described.roles,
      inviter: await inviterNameOf(deps, invitation),
    }
  )
}
