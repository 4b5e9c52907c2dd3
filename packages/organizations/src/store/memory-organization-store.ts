import { assertInTime, assertText, InvalidArgumentError } from 'fastify-accounts'
import type {
  Membership,
  Organization,
  OrganizationKey,
  OrganizationStore,
  OrganizationWrite,
} from './organization-store.js'

/**
 * An organization store in this process' memory: for tests and trying out. A restart loses every organization.
 *
 * @throws InvalidArgumentError from its methods, as `OrganizationStore` says; never UnavailableError
 */
export function createMemoryOrganizationStore(): OrganizationStore {
  const byId = new Map<string, Organization>()
  const members = new Map<string, Map<string, Membership>>()

  const holderOf = (slug: string) => [...byId.values()].find((each) => each.slug === slug)
  const at = (key: OrganizationKey): Organization | undefined =>
    'id' in key ? byId.get(textOf('id', key.id)) : holderOf(textOf('slug', key.slug))
  const ofUser = (userId: string): Membership[] =>
    [...members.values()].flatMap((each) => each.get(textOf('userId', userId)) ?? [])

  function refusalOf({
    organizationId,
    expectedVersion,
    changes,
  }: OrganizationWrite): 'changed' | 'slug_taken' | null {
    const found = byId.get(organizationId)
    if (found?.version !== expectedVersion) return 'changed'
    const holder = changes?.slug === undefined ? undefined : holderOf(changes.slug)
    return holder !== undefined && holder.id !== organizationId ? 'slug_taken' : null
  }

  function apply({
    organizationId,
    changes = {},
    put = [],
    remove = [],
    isDeletion,
  }: OrganizationWrite): void {
    if (isDeletion) {
      byId.delete(organizationId)
      members.delete(organizationId)
      return
    }
    const found = byId.get(organizationId)
    if (found === undefined) return
    const set = changeable.filter((field) => changes[field] !== undefined)
    const changed = Object.fromEntries(set.map((field) => [field, changes[field]]))
    byId.set(organizationId, copy({ ...found, ...changed, version: found.version + 1 }))
    const own = members.get(organizationId)
    for (const userId of remove) own?.delete(userId)
    for (const membership of put) own?.set(membership.userId, copy(membership))
  }

  return {
    async create(organization, memberships) {
      assertInTime()
      textOf('id', organization.id)
      assertMemberships(organization.id, memberships)
      if (holderOf(textOf('slug', organization.slug)) !== undefined) return false
      if (byId.has(organization.id)) throw new InvalidArgumentError('id is in use')
      byId.set(organization.id, copy({ ...organization, version: 1 }))
      members.set(organization.id, new Map(memberships.map((each) => [each.userId, copy(each)])))
      return true
    },

    async find(key) {
      const found = at(key)
      return found === undefined ? null : copy(found)
    },

    async findFor(key, userId) {
      textOf('userId', userId)
      const organization = at(key)
      const membership = organization && members.get(organization.id)?.get(userId)
      return organization === undefined ? null : copy({ organization, membership: membership ?? null })
    },

    async list({ limit, after }) {
      return page([...byId.values()], ({ createdAt, id }) => [createdAt, id], limit, after)
    },

    async listMembers(organizationId, { limit, after }) {
      const all = members.get(textOf('organizationId', organizationId))?.values() ?? []
      return page([...all], ({ since, userId }) => [since, userId], limit, after)
    },

    async listOfUser(userId, { limit, after }) {
      return page(
        ofUser(userId),
        ({ since, organizationId }) => [since, organizationId],
        limit,
        after,
      ).flatMap((membership) => {
        const organization = byId.get(membership.organizationId)
        return organization === undefined ? [] : [{ organization: copy(organization), membership }]
      })
    },

    async countOfUser(userId) {
      return ofUser(userId).length
    },

    async write(writes) {
      assertInTime()
      for (const { organizationId, changes, put = [], remove = [] } of writes) {
        textOf('organizationId', organizationId)
        if (changes?.slug !== undefined) textOf('slug', changes.slug)
        assertMemberships(organizationId, put)
        for (const userId of remove) textOf('userId', userId)
      }
      for (const each of writes) {
        const refusal = refusalOf(each)
        if (refusal !== null) return refusal
      }
      for (const each of writes) apply(each)
      return 'written'
    },
  }
}

const changeable = ['slug', 'name', 'fields', 'members', 'owners'] as const

function textOf(name: string, text: string): string {
  assertText(name, text)
  return text
}

function assertMemberships(id: string, memberships: readonly Membership[]): void {
  for (const { organizationId, userId } of memberships) {
    textOf('userId', userId)
    if (organizationId !== id) throw new InvalidArgumentError('organizationId is of another organization')
  }
}

type Position = readonly [time: Date, id: string]

/** Copies of the first ones after a position, the oldest first. */
function page<Item extends Place, Place>(
  all: readonly Item[],
  positionOf: (item: Place) => Position,
  limit: number,
  after: Place | undefined,
): Item[] {
  const start = after && positionOf(after)
  return all
    .filter((each) => start === undefined || compare(positionOf(each), start) > 0)
    .sort((one, other) => compare(positionOf(one), positionOf(other)))
    .slice(0, limit)
    .map(copy)
}

const compare = ([time, id]: Position, [otherTime, other]: Position): number =>
  time.getTime() - otherTime.getTime() || (id < other ? -1 : Number(id > other))

const copy = <T>(record: T): T => structuredClone(record)
