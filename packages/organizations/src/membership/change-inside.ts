import type { PendingMessage } from 'fastify-accounts'
import { AccountsError } from 'fastify-accounts'
import { changedMeanwhile } from 'fastify-accounts/features'
import { maxAttempts, type OrganizationDeps, pauseAfter, writeTo } from '../parts.js'
import type { OrganizationWrite } from '../store/organization-store.js'
import { type Actor, currentActor, findInside, type Inside } from './inside.js'

/** What is decided about an organization as it was read. */
export interface Decision<T> {
  /** `null` if nothing changes. */
  write: Omit<OrganizationWrite, 'organizationId' | 'expectedVersion'> | null
  /** Events that are stored with it. */
  messages?: readonly PendingMessage[]
  result: T
}

/**
 * Changes an organization or its memberships. Who acts, and what they may do there, is read anew for each attempt; if anything in the
 * organization has changed until the write, it is decided again. So of two who act at once, the later one knows what the earlier did.
 * @param name an id or a slug
 * @param decide throws what refuses the change
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN; ACCOUNTS_CONFLICT: `changed_meanwhile` if others kept changing it, `slug_taken`
 */
export async function changeInside<T>(
  deps: Pick<OrganizationDeps, 'users' | 'organizations' | 'settings' | 'options'>,
  actor: Actor,
  name: string,
  decide: (inside: Inside) => Promise<Decision<T>> | Decision<T>,
): Promise<T> {
  let key = name
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const inside = await findInside(deps, await currentActor(deps, actor), key)
    // Another organization may get the slug meanwhile.
    key = inside.organization.id
    const { write, messages = [], result } = await decide(inside)
    if (write === null) return result
    const outcome = await deps.organizations.write([writeTo(inside.organization, write)], messages)
    if (outcome === 'written') return result
    if (outcome === 'slug_taken') throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'slug_taken' })
    await pauseAfter(attempt)
  }
  throw changedMeanwhile()
}
