import { AccountsError, type PendingMessage, type StoredUser } from 'fastify-accounts'
import type { DeletionPlan } from 'fastify-accounts/features'
import { withdrawAll } from './invitations/withdraw-all.js'
import { withdrawFor } from './invitations/withdraw-for.js'
import { membershipWrite } from './membership/membership-write.js'
import { removeLeftover } from './membership/remove-gone.js'
import { everyMembership } from './organization/every-membership.js'
import type { OwnOrganization } from './organization/list-own-organizations.js'
import { type OrganizationDeps, pauseAfter, writeTo } from './parts.js'
import type { OrganizationWrite } from './store/organization-store.js'

type PlanDeps = Pick<OrganizationDeps, 'organizations' | 'invitations' | 'events' | 'options' | 'settings'>

/** What becomes of an organization when the account of a member goes. */
interface Step extends OwnOrganization {
  write: OrganizationWrite
  messages: readonly PendingMessage[]
}

/**
 * What the deletion of an account does to its organizations: those where it is alone go with it, elsewhere its membership does.
 * In the database of the users all of it is one transaction; elsewhere the memberships go first, so a crash lets nobody in.
 * @throws AccountsError ACCOUNTS_CONFLICT: `last_owner` if an organization would be left without an owner
 */
export async function planDeletion(deps: PlanDeps, user: StoredUser): Promise<DeletionPlan | null> {
  // A sign-up with somebody else's address belongs to nothing.
  if (user.kind === 'unclaimed') return null
  const steps: Step[] = []
  for await (const own of everyMembership(deps, user.id)) steps.push(stepOf(deps, own))
  const { deleteWithUser } = deps.organizations
  const after = () => removeNew(deps, user)
  if (steps.length === 0) return { after }
  if (deleteWithUser === undefined) return { before: () => removeEach(deps, user, steps), after }
  return {
    async before() {
      for (const step of steps) await withdrawStep(deps, user, step)
      return true
    },
    messages: steps.flatMap(({ messages }) => messages),
    async deleteStored(...deletion) {
      const writes = steps.map(({ write }) => write)
      const outcome = await deleteWithUser(writes, ...deletion)
      if (outcome === 'changed') await pauseAfter(5)
      return outcome === 'written'
    },
    after,
  }
}

function stepOf({ events, settings }: PlanDeps, own: OwnOrganization): Step {
  const { organization, membership } = own
  const { id, members } = organization
  const { userId } = membership
  if (members > 1)
    return {
      ...own,
      write: writeTo(organization, membershipWrite(organization, { before: membership, after: null })),
      messages: events.about('member.removed', { id: userId }, { organization_id: id }),
    }
  if (!settings.deleteWithLastMember) throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'last_owner' })
  return {
    ...own,
    write: writeTo(organization, { isDeletion: true }),
    messages: events.about('organization.deleted', { id: userId }, { organization_id: id }),
  }
}

/** Withdraws what could bring the user back, or would be left of an organization that goes. */
async function withdrawStep(deps: PlanDeps, user: StoredUser, { organization, membership, write }: Step) {
  if (write.isDeletion) await withdrawAll(deps, organization)
  await withdrawFor(deps, organization, user, membership)
}

/** @returns `false` once an organization has changed since it was read */
async function removeEach(deps: PlanDeps, user: StoredUser, steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) {
    await withdrawStep(deps, user, step)
    const outcome = await deps.organizations.write([step.write], step.messages)
    if (outcome === 'written') continue
    await pauseAfter(5)
    return false
  }
  return true
}

/** What others have added between the plan and the deletion. */
async function removeNew(deps: PlanDeps, user: StoredUser): Promise<void> {
  for await (const { organization, membership } of everyMembership(deps, user.id)) {
    await withdrawFor(deps, organization, user, membership)
    await removeLeftover(deps, organization.id, user.id)
  }
}
