import type {
  Membership,
  Organization,
  OrganizationKey,
  OrganizationStore,
  OrganizationWrite,
} from '@fastify-accounts/organizations/store'
import { scramble } from './checks.js'
import type { Calls } from './outage.js'

const letters = scramble(16)
let serial = 0

/**
 * An organization for your own tests of a store, with an id and a slug that no other call returns.
 *
 * @param overrides what matters to the test
 */
export function newOrganization(overrides: Partial<Organization> = {}): Omit<Organization, 'version'> {
  serial += 1
  const { version: _, ...rest } = overrides
  return {
    id: `org_${`${letters}${serial}`.padEnd(22, '_')}`,
    slug: `acme-${serial}`,
    name: `Acme ${serial}`,
    fields: { plan: 'free', seats: { most: 5 } },
    createdAt: new Date(),
    members: 1,
    owners: 1,
    ...rest,
  }
}

/** A membership for your own tests of a store. */
export function newMembership(overrides: Partial<Membership> = {}): Membership {
  return {
    organizationId: 'org_1',
    userId: 'user-1',
    roles: ['owner', 'admin'],
    since: new Date(),
    invitationId: null,
    ...overrides,
  }
}

/** Stores an organization with these members, and returns it as it should be found. */
export async function establish(
  store: OrganizationStore,
  overrides: Partial<Organization> = {},
  userIds: readonly string[] = [],
): Promise<Organization> {
  const organization = newOrganization(overrides)
  const expected = { ...structuredClone(organization), version: 1 }
  const members = userIds.map((userId) => newMembership({ organizationId: organization.id, userId }))
  if (!(await store.create(organization, members))) throw new Error('create() says that the slug is taken')
  return expected
}

/** A write of an organization as it was read. */
export const writeTo = (
  { id, version }: Pick<Organization, 'id' | 'version'>,
  write: Omit<OrganizationWrite, 'organizationId' | 'expectedVersion'> = {},
): OrganizationWrite => ({ organizationId: id, expectedVersion: version, ...write })

/** Everything that a store says of an organization. */
export async function stateOf(store: OrganizationStore, id: string) {
  return { organization: await store.find({ id }), members: await store.listMembers(id, { limit: 100 }) }
}

/** The calls that change this organization or add the other one, and those that read. */
export function organizationCalls(
  store: OrganizationStore,
  organization: Organization,
  fresh: Omit<Organization, 'version'> = newOrganization(),
): { writes: Calls; reads: Calls } {
  const { id, slug } = organization
  const put = [newMembership({ organizationId: id, userId: 'user-7' })]
  return {
    writes: {
      'create()': () => store.create(fresh, [newMembership({ organizationId: fresh.id })]),
      'write() of a field': () => store.write([writeTo(organization, { changes: { name: 'Late' } })]),
      'write() of a membership': () => store.write([writeTo(organization, { put })]),
      'write() of a deletion': () => store.write([writeTo(organization, { isDeletion: true })]),
    },
    reads: {
      'find()': () => store.find({ id }),
      'find() by slug': () => store.find({ slug }),
      'findFor()': () => store.findFor({ id }, 'user-1'),
      'findFor() by slug': () => store.findFor({ slug }, 'user-1'),
      'list()': () => store.list({ limit: 10 }),
      'listMembers()': () => store.listMembers(id, { limit: 10 }),
      'listOfUser()': () => store.listOfUser('user-1', { limit: 10 }),
      'countOfUser()': () => store.countOfUser('user-1'),
    },
  }
}

/** By its id, and by its slug. */
export const keysOf = ({ id, slug }: Pick<Organization, 'id' | 'slug'>): OrganizationKey[] => [
  { id },
  { slug },
]
