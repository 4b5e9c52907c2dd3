import {
  assertText,
  DuplicateError,
  type ImportOutcome,
  InvalidArgumentError,
  type ListingUserStore,
  type PendingMail,
  type StoredUser,
  type UserPosition,
  type UserPrefix,
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
import { inspectPrivileges } from './privileges.js'
import { withColumns } from './renamed-columns.js'
import { cachedRows } from './row-cache.js'
import type { Tables } from './schema.js'
import { freeOf, type StoreOptions } from './store-options.js'
import { batchSize, userBatches } from './user-batches.js'
import { setOrigin, type UserChange } from './user-origin.js'
import { noName, toColumns, toRow, toStoredUser, type UserRow } from './user-row.js'
import { type PageQuery, type PrefixValues, userStatements } from './user-statements.js'
import { fromText, limits, toTime, toWhole } from './values.js'

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
  const { outbox, insert: insertMails } = createOutbox(options.db, names, calls)

  /**
   * Makes the change, its identities, the mails about it, and any further work in one transaction; if the change has
   * no effect, nothing else is done either.
   */
  async function writing<T>(
    write: Write,
    {
      mails = [],
      identityKeys,
      besides,
    }: {
      mails?: readonly PendingMail[]
      identityKeys?: readonly string[] | undefined
      besides?: ((transaction: Kysely<Tables>) => Promise<void>) | undefined
    },
    id: string,
    change: (on?: Kysely<Tables>) => Promise<T>,
  ): Promise<T> {
    const rows = mails.map((mail) => toOutboxRow(mail))
    return write(
      async (transaction) => {
        const written = await change(transaction && withColumns(transaction, names.columns.users))
        if (written === undefined || transaction === undefined) return written
        if (identityKeys !== undefined) await identities.set(id, identityKeys, transaction)
        if (rows.length > 0) await insertMails(rows, transaction)
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
    { id, changes, expectedVersion, mails }: UserChange,
    besides?: (transaction: Kysely<Tables>) => Promise<void>,
  ): Promise<StoredUser | null> {
    assertText('id', id)
    const columns = toColumns(changes, id)
    if (!Number.isSafeInteger(expectedVersion)) return null // no user has such a version
    const { identityKeys } = changes
    return toFound(
      await guarded(id, columns, identityKeys ?? [], () =>
        writing(write, { mails, identityKeys, besides }, id, (on) =>
          sql.update(id, columns, expectedVersion, on),
        ),
      ),
    )
  }

  async function holdersOf({ username_key = '', email_key }: Partial<UserRow>) {
    return (await sql.holders({ username_key, email_key: email_key ?? '' })).rows
  }

  const store: ListingUserStore = {
    async create(user, mails = []) {
      const row = toRow(uuidv7(), user)
      const own = mails.map((mail) => ({ ...mail, userId: row.id }))
      const { identityKeys } = user
      const besides = { mails: own, ...(identityKeys.length > 0 && { identityKeys }) }
      await calls.run(async (write) => {
        await guarded(row.id, row, identityKeys, () =>
          writing(write, besides, row.id, (on) => sql.insert(row, on)),
        )
        // If a mail goes with it, timing must not reveal whether the address was free. A taken one costs a lookup of
        // its holder and another write for the mail, so a free one makes as many round trips.
        if (own.length > 0) {
          await holdersOf(row).catch(() => {})
          await write(async () => {}).catch(() => {})
        }
      })
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

    async list({ limit, after, prefix, where = {}, order = { by: 'createdAt' } }) {
      if (toWhole('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
      const query: PageQuery = {
        by: order.by === 'usernameKey' ? 'username_key' : 'created_at',
        descending: order.descending === true,
        flags: toColumns(where),
        prefix: prefix && rangeOf(prefix),
        after: after && placeOf(after),
        limit,
      }
      return calls.run(async () => (await sql.page(query)).rows.map(toStoredUser))
    },

    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix'],

    async update(id, changes, expectedVersion, mails = []) {
      return calls.run((write) => update(write, { id, changes, expectedVersion, mails }))
    },

    async delete(id) {
      assertText('id', id)
      return calls.run((write) => writing(write, { identityKeys: [] }, id, (on) => sql.remove({ id }, on)))
    },

    async now() {
      return calls.run(async () => new Date(Math.round(await sql.now())))
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

function placeOf({ id, createdAt, usernameKey }: UserPosition) {
  assertText('after.id', id)
  if (usernameKey !== null) assertText('after.usernameKey', usernameKey)
  const username_key = usernameKey ?? noName + id
  return { id, created_at: toTime('after.createdAt', createdAt), username_key }
}

/** Keys are compared byte by byte: no Unicode character sorts after the last one. */
function rangeOf({ usernameKey, emailKey }: UserPrefix): PrefixValues {
  if (usernameKey !== undefined) assertText('prefix.usernameKey', usernameKey)
  if (emailKey !== undefined) assertText('prefix.emailKey', emailKey)
  const endOf = (start: string | undefined): string => (start === undefined ? '' : `${start}\u{10ffff}`)
  // Keys of users without a name begin with this one, and are excluded.
  const name = usernameKey?.startsWith(noName) ? undefined : usernameKey
  return { name: name ?? '', nameEnd: endOf(name), email: emailKey ?? '', emailEnd: endOf(emailKey) }
}
