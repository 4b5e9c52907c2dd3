import type { Membership, OrganizationKey, OrganizationStore } from '@fastify-accounts/organizations/store'
import { assertText, closable, InvalidArgumentError, type PendingMessage } from 'fastify-accounts'
import { createRun, LostRace, UnknownHolder, type Write } from './calls.js'
import { checkTable } from './check-table.js'
import { toMembership, toOrganization, toOrganizationRow } from './organization-row.js'
import type { OrganizationTable } from './organization-table.js'
import { organizationWrites, type ReadyWrite, toMembershipRows, toReadyWrite } from './organization-writes.js'
import { originOf } from './user-origin.js'
import { KeyTaken } from './user-writes.js'
import { time, whole } from './values.js'

type Found = Awaited<ReturnType<OrganizationStore['findFor']>>
type Outcome = Awaited<ReturnType<OrganizationStore['write']>>

/**
 * An organization store on two tables that `table` says how to query.
 *
 * The methods throw what the seam says; `UnavailableError` has the error of a function of yours as its `cause`.
 * @throws TypeError if a function is missing, or `userStore` has another `transaction`
 */
export function createTableOrganizationStore<Tx>(table: OrganizationTable<Tx>): OrganizationStore {
  checkTable(table, 'createTableOrganizationStore', functions)
  const run = createRun(table)
  const writes = organizationWrites(table)
  const { userStore } = table
  const origin = userStore && originOf(userStore, table.transaction)

  /** Checks the messages at once. */
  function poster(messages: readonly PendingMessage[]) {
    if (messages.length === 0) return async () => async (_: Tx) => {}
    if (!origin) throw new InvalidArgumentError('messages need a userStore')
    return origin.poster(messages)
  }

  /** Each change of a membership gives its organization another version: if that is the same afterwards, nothing has changed between. */
  async function findInTurn(by: 'id' | 'slug', key: string, userId: string): Promise<Found> {
    const organization = await writes.find(by, key)
    if (organization === null) return null
    const membership = await writes.findMember({ organizationId: organization.id, userId })
    const later = await writes.find(by, key)
    if (later?.id === organization.id && later.version === organization.version)
      return { organization, membership }
    throw new LostRace('the organization was changed')
  }

  async function findFor(by: 'id' | 'slug', key: string, userId: string): Promise<Found> {
    if (!table.findWithMember) return findInTurn(by, key, userId)
    const found = await table.findWithMember(by, key, userId)
    const organization = found ? toOrganization(found.organization) : null
    if (organization === null || organization[by] !== key) return null
    const membership = found?.membership ? toMembership(found.membership) : null
    const isTheirs = membership?.organizationId === organization.id && membership.userId === userId
    return { organization, membership: isTheirs ? membership : null }
  }

  async function withOrganizations(memberships: readonly Membership[]) {
    const ids = memberships.map(({ organizationId }) => organizationId)
    const found = ids.length === 0 ? [] : (await table.find('id', ids)).map(toOrganization)
    const byId = new Map(found.map((organization) => [organization.id, organization]))
    return memberships.map((membership) => {
      const organization = byId.get(membership.organizationId)
      if (organization === undefined) throw new LostRace('the organization was deleted')
      return { organization, membership }
    })
  }

  /** Does all writes, and what goes with them: all of it, or nothing. */
  async function writeAll<Result>(
    write: Write<Tx>,
    all: readonly ReadyWrite[],
    besides: (tx: Tx, undo: (result: Result | Outcome) => never) => Promise<Result>,
  ): Promise<Result | Outcome> {
    try {
      return await write<Result | Outcome>(async (tx, undo) => {
        for (const each of all) if (!(await writes.apply(tx, each))) return undo('changed')
        return besides(tx, undo)
      })
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      for (const { id, columns } of all) {
        const holder = columns.slug === undefined ? null : await writes.find('slug', columns.slug)
        if (holder !== null && holder.id !== id) return 'slug_taken'
      }
      throw new UnknownHolder('nobody has the key', { cause: error.cause })
    }
  }

  const store = closable<OrganizationStore>(
    {
      async create(organization, memberships, messages = []) {
        const row = toOrganizationRow(organization)
        const members = toMembershipRows(organization.id, memberships)
        const prepare = poster(messages)
        return run(async (write) => {
          const post = await prepare()
          try {
            await write(async (tx) => {
              await writes.insert(tx, row, members)
              await post(tx)
            })
            return true
          } catch (error) {
            if (!(error instanceof KeyTaken)) throw error
            if (await writes.find('slug', row.slug)) return false
            const { cause } = error
            if (await writes.find('id', row.id)) throw new InvalidArgumentError('id is in use', { cause })
            throw new UnknownHolder('nobody has the key', { cause })
          }
        })
      },

      async find(key) {
        const [by, value] = keyOf(key)
        return run(() => writes.find(by, value))
      },

      async findFor(key, userId) {
        const [by, value] = keyOf(key)
        assertText('userId', userId)
        return run(() => findFor(by, value, userId))
      },

      async list({ limit, after }) {
        if (after) assertText('after.id', after.id)
        const page = {
          limit: whole.write('limit', limit),
          after: after && { createdAt: time.write('after.createdAt', after.createdAt), id: after.id },
        }
        return run(async () => (await table.page(page)).map(toOrganization))
      },

      async listMembers(organizationId, { limit, after }) {
        assertText('organizationId', organizationId)
        if (after) assertText('after.userId', after.userId)
        const page = {
          organizationId,
          limit: whole.write('limit', limit),
          after: after && { since: time.write('after.since', after.since), userId: after.userId },
        }
        return run(async () => (await table.pageOfMembers(page)).map(toMembership))
      },

      async listOfUser(userId, { limit, after }) {
        assertText('userId', userId)
        if (after) assertText('after.organizationId', after.organizationId)
        const page = {
          userId,
          limit: whole.write('limit', limit),
          after: after && {
            since: time.write('after.since', after.since),
            organizationId: after.organizationId,
          },
        }
        return run(async () => withOrganizations((await table.pageOfUser(page)).map(toMembership)))
      },

      async countOfUser(userId) {
        assertText('userId', userId)
        return run(async () => Number(await table.countOfUser(userId)))
      },

      async write(all, messages = []) {
        const ready = inOneOrder(all.map(toReadyWrite))
        const prepare = poster(messages)
        return run(async (write) => {
          const post = await prepare()
          return writeAll<Outcome>(write, ready, async (tx) => {
            await post(tx)
            return 'written'
          })
        })
      },

      ...(userStore &&
        origin && {
          withUsers: {
            users: userStore,
            async delete(all, id, messages = [], successor, expectedVersion) {
              const ready = inOneOrder(all.map(toReadyWrite))
              const prepare = origin.deleter({ id, messages, successor, expectedVersion })
              return run(async (write, deadline) => {
                const remove = await prepare(deadline)
                const outcome = await writeAll<'written' | 'none'>(write, ready, async (tx, undo) =>
                  (await remove(tx)) ? 'written' : undo('none'),
                )
                // A deletion writes no slug of its own.
                return outcome === 'slug_taken' ? 'changed' : outcome
              })
            },
          },
        }),
    },
    () => table.close?.(),
  )
  // The very one, which `closable` would wrap.
  const outbox = userStore?.outbox
  return outbox ? Object.assign(store, { outbox }) : store
}

/** So of two writes of the same organizations, neither waits for the other one's last. */
function inOneOrder(writes: readonly ReadyWrite[]): ReadyWrite[] {
  return writes.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function keyOf(key: OrganizationKey): ['id' | 'slug', string] {
  const [by, value]: ['id' | 'slug', string] = 'id' in key ? ['id', key.id] : ['slug', key.slug]
  assertText(by, value)
  return [by, value]
}

const functions = {
  required: [
    'transaction',
    'insert',
    'find',
    'page',
    'compareAndSwap',
    'remove',
    'insertMember',
    'findMember',
    'changeMember',
    'removeMembers',
    'pageOfMembers',
    'pageOfUser',
    'countOfUser',
  ],
  optional: ['findWithMember', 'isUniqueViolation', 'isRetryable', 'close'],
}
