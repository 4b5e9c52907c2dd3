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
  const membersOf = (id: string): Membership[] => [...(members.get(id)?.values() ?? [])]
  const ofUser = (userId: string): Membership[] =>
    [...members.values()].flatMap((each) => each.get(userId) ?? [])

  function refusalOf({
    organizationId,
    expectedVersion,
    changes,
  }: OrganizationWrite): 'changed' | 'slug_taken' | null {
    const found = byId.get(textOf('organizationId', organizationId))
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
    const entries = Object.entries(changes).filter(([, value]) => value !== undefined)
    byId.set(organizationId, copy({ ...found, ...Object.fromEntries(entries), version: found.version + 1 }))
    const own = members.get(organizationId)
    for (const userId of remove) own?.delete(userId)
    for (const membership of put) own?.set(membership.userId, copy(membership))
  }

  return {
    async create(organization, memberships) {
      assertInTime()
      textOf('id', organization.id)
      if (holderOf(textOf('slug', organization.slug)) !== undefined) return false
      if (byId.has(organization.id)) throw new InvalidArgumentError('id is in use')
      byId.set(organization.id, copy({ ...organization, version: 1 }))
      members.set(
        organization.id,
        new Map(memberships.map((each) => [textOf('userId', each.userId), copy(each)])),
      )
      return true
    },

    async find(key) {
      const found = at(key)
      return found === undefined ? null : copy(found)
    },

    async findFor(key, userId) {
      const organization = at(key)
      const membership = organization && members.get(organization.id)?.get(textOf('userId', userId))
      return organization === undefined ? null : copy({ organization, membership: membership ?? null })
    },

    async list({ limit, after }) {
      const sorted = [...byId.values()].sort(
        by(
          ({ createdAt }) => createdAt,
          ({ id }) => id,
        ),
      )
      return sorted
        .filter(
          (each) => after === undefined || isAfter([each.createdAt, each.id], [after.createdAt, after.id]),
        )
        .slice(0, limit)
        .map(copy)
    },

    async listMembers(organizationId, { limit, after }) {
      const sorted = membersOf(textOf('organizationId', organizationId)).sort(
        by(
          ({ since }) => since,
          ({ userId }) => userId,
        ),
      )
      return sorted
        .filter(
          (each) => after === undefined || isAfter([each.since, each.userId], [after.since, after.userId]),
        )
        .slice(0, limit)
        .map(copy)
    },

    async listOfUser(userId, { limit, after }) {
      const sorted = ofUser(textOf('userId', userId)).sort(
        by(
          ({ since }) => since,
          ({ organizationId }) => organizationId,
        ),
      )
      return sorted
        .filter(
          (each) =>
            after === undefined ||
            isAfter([each.since, each.organizationId], [after.since, after.organizationId]),
        )
        .slice(0, limit)
        .flatMap((membership) => {
          const organization = byId.get(membership.organizationId)
          return organization === undefined ? [] : [copy({ organization, membership })]
        })
    },

    async countOfUser(userId) {
      return ofUser(textOf('userId', userId)).length
    },

    async write(writes) {
      assertInTime()
      for (const each of writes) {
        const refusal = refusalOf(each)
        if (refusal !== null) return refusal
      }
      for (const each of writes) apply(each)
      return 'written'
    },
  }
}

function textOf(name: string, text: string): string {
  assertText(name, text)
  return text
}

type Position = readonly [time: Date, id: string]

function isAfter([time, id]: Position, [otherTime, other]: Position): boolean {
  return (time.getTime() - otherTime.getTime() || (id < other ? -1 : Number(id > other))) > 0
}

const by =
  <T>(timeOf: (each: T) => Date, idOf: (each: T) => string) =>
  (a: T, b: T): number =>
    isAfter([timeOf(a), idOf(a)], [timeOf(b), idOf(b)]) ? 1 : -1

const copy = <T>(record: T): T => structuredClone(record)
