import {
  assertText,
  DuplicateError,
  type ImportOutcome,
  InvalidArgumentError,
  type ListingUserStore,
  type PendingMessage,
  type StoredUser,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { createCalls, type Write } from './calls.js'
import { failureOf } from './errors.js'
import { createIdentities } from './identities.js'
import { inspectLimits } from './inspect.js'
import { resolveNames } from './names.js'
import { createOutbox } from './outbox.js'
import { toOutboxRow } from './outbox-row.js'
import { toPageQuery, toPlace } from './page-query.js'
import { inspectPrivileges } from './privileges.js'
import { withColumns } from './renamed-columns.js'
import { cachedRows } from './row-cache.js'
import type { Tables } from './schema.js'
import { freeOf, type StoreOptions } from './store-options.js'
import { batchSize, userBatches } from './user-batches.js'
import { setOrigin, type UserChange } from './user-origin.js'
import { toColumns, toRow, toStoredUser, type UserRow } from './user-row.js'
import { matchingUsers } from './user-search.js'
import { type PageQuery, userStatements } from './user-statements.js'
import { fromText, limits } from './values.js'

/**
 * Keeps users in an SQL table, created by `migrate`. Ids are UUIDs of version 7.
 *
 * The methods throw what the seam says; `UnavailableError` has the driver's error as its `cause`, and no SQL or
 * values in its text.
 * @throws TypeError if an option is wrong
 */
export function createKyselyUserStore(options: StoreOptions): ListingUserStore {
  const names = resolveNames(options)
  const sql = userStatements(options.db, names)
  const identities = createIdentities(options.db, names)
  const batches = userBatches(options.db, names, identities)
  const calls = createCalls(options.db, freeOf(options))
  const rows = cachedRows(options.db, [names.tables.users], sql.byId)
  const { outbox, insert: insertMessages } = createOutbox(options.db, names, calls)

  /**
   * Makes the change, its identities, the messages about it, and any further work in one transaction; if the change has
   * no effect, nothing else is done either.
   */
  async function writing<T>(
    write: Write,
    {
      messages = [],
      identityKeys,
      besides,
    }: {
      messages?: readonly PendingMessage[]
      identityKeys?: readonly string[] | undefined
      besides?: ((transaction: Kysely<Tables>) => Promise<void>) | undefined
    },
    id: string,
    change: (on?: Kysely<Tables>) => Promise<T>,
  ): Promise<T> {
    const rows = messages.map(toOutboxRow)
    return write(
      async (transaction) => {
        const written = await change(transaction && withColumns(transaction, names.columns.users))
        if (written === undefined || transaction === undefined) return written
        if (identityKeys !== undefined) await identities.set(id, identityKeys, transaction)
        if (rows.length > 0) await insertMessages(rows, transaction)
        await besides?.(transaction)
        return written
      },
      rows.length > 0 || identityKeys !== undefined || besides !== undefined,
    )
  }

  /** Turns the engine's "duplicate" error into the seam's; username first, if both are taken. */
  async function guarded<T>(
    id: string,
    keys: Partial<UserRow>,
    identityKeys: readonly string[],
    write: () => Promise<T>,
  ): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (failureOf(error) !== 'duplicate') throw error
      const others = (await holdersOf(keys)).filter((row) => fromText(row.id) !== id)
      if (others.length === 0) {
        const holders = await Promise.all(identityKeys.map((key) => identities.holder(key)))
        if (holders.some((holder) => holder !== null && holder !== id)) {
          throw new DuplicateError('identity', { cause: error })
        }
        throw error // the key's holder is gone: the next attempt may succeed
      }
      const isUsername = others.some(({ username_key }) => fromText(username_key) === keys.username_key)
      throw new DuplicateError(isUsername ? 'username' : 'email', { cause: error })
    }
  }

  async function update(
    write: Write,
    { id, changes, expectedVersion, messages }: UserChange,
    besides?: (transaction: Kysely<Tables>) => Promise<void>,
  ): Promise<StoredUser | null> {
    assertText('id', id)
    const columns = toColumns(changes, id)
    if (!Number.isSafeInteger(expectedVersion)) return null // no user has such a version
    const { identityKeys } = changes
    return toFound(
      await guarded(id, columns, identityKeys ?? [], () =>
        writing(write, { messages, identityKeys, besides }, id, (on) =>
          sql.update(id, columns, expectedVersion, on),
        ),
      ),
    )
  }

  async function holdersOf({ username_key = '', email_key }: Partial<UserRow>) {
    return (await sql.holders({ username_key, email_key: email_key ?? '' })).rows
  }

  const store: ListingUserStore = {
    async create(user, messages = []) {
      const row = toRow(uuidv7(), user)
      const own = messages.map((message) => ({ ...message, userId: row.id }))
      const { identityKeys } = user
      const besides = { messages: own, ...(identityKeys.length > 0 && { identityKeys }) }
      await calls.run((write) =>
        guarded(row.id, row, identityKeys, () =>
          writing(write, besides, row.id, (on) => sql.insert(row, on)),
        ),
      )
      return toStoredUser(row)
    },

    async findById(id) {
      assertText('id', id)
      return calls.run(async () => toFound(await rows(id)))
    },

    async findByUsername(usernameKey) {
      assertText('usernameKey', usernameKey)
      const found = await calls.run(async () => toFound(await sql.byUsername(usernameKey)))
      // Excludes users whose key only replaces a name.
      return found?.usernameKey === usernameKey ? found : null
    },

    async findByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return calls.run(async () => toFound(await sql.byEmail(emailKey)))
    },

    async findByIdentity(identityKey) {
      assertText('identityKey', identityKey)
      return calls.run(async () => {
        const id = await identities.holder(identityKey)
        return id === null ? null : toFound(await sql.byId(id))
      })
    },

    async createMany(users) {
      const rows = users.map(({ id = uuidv7(), ...user }) => {
        assertText('id', id)
        if (Buffer.byteLength(id) > limits.id) throw new InvalidArgumentError('id is too long')
        return toRow(id, user)
      })
      const outcomes: ImportOutcome[] = []
      for (let from = 0; from < rows.length; from += batchSize) {
        const batch = rows.slice(from, from + batchSize)
        outcomes.push(...(await calls.run((write) => batches.insert(batch, write))))
      }
      return outcomes
    },

    async list(query) {
      const page = toPageQuery(query)
      const read = async (next: PageQuery) => (await sql.page(next)).rows.map(toStoredUser)
      const { search, limit } = query
      return calls.run((_, inTime) =>
        search === undefined
          ? read(page)
          : matchingUsers(
              { search, limit },
              (last, most) => read({ ...page, ...(last && { after: toPlace(last) }), limit: most }),
              inTime,
            ),
      )
    },

    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix', 'search'],

    async update(id, changes, expectedVersion, messages = []) {
      return calls.run((write) => update(write, { id, changes, expectedVersion, messages }))
    },

    async delete(id, messages = []) {
      assertText('id', id)
      const besides = { identityKeys: [], messages }
      // If there was none, it has had no effect.
      const remove = async (on?: Kysely<Tables>) => (await sql.remove({ id }, on)) || undefined
      return calls.run(async (write) => (await writing(write, besides, id, remove)) ?? false)
    },

    async now() {
      return calls.run(async () => new Date(await sql.now()))
    },

    inspect: (within) =>
      calls.run(async () => [
        ...(await inspectPrivileges(options.db, names, ['users', 'identities', 'outbox'])),
        ...(within === undefined ? [] : await inspectLimits(options.db, within)),
      ]),

    outbox,

    close: calls.close,
  }
  setOrigin(store, { db: options.db, names, update })
  return store
}

function toFound(row: Parameters<typeof toStoredUser>[0] | undefined): StoredUser | null {
  return row === undefined ? null : toStoredUser(row)
}
