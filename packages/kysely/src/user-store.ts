import {
  assertText,
  DuplicateError,
  InvalidArgumentError,
  type UserPrefix,
  type UserStore,
} from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'
import { createCalls } from './calls.js'
import { failureOf } from './errors.js'
import { type Names, resolveNames } from './names.js'
import { freeOf, type StoreOptions } from './store-options.js'
import { toColumns, toRow, toUser, type UserRow } from './user-row.js'
import { type PrefixValues, userStatements } from './user-statements.js'
import { fromText, toTime, toWhole } from './values.js'

/** On which database, and under which names, each user store of ours keeps its users. */
const origins = new WeakMap<UserStore, { db: unknown; names: Names }>()

/** The names that a user store has on this database; `undefined` where it is none of ours, or on another. */
export function namesOnDatabase(store: UserStore, db: unknown): Names | undefined {
  const origin = origins.get(store)
  return origin?.db === db ? origin?.names : undefined
}

/**
 * Keeps users in an SQL table, made by `migrate`. Ids are UUIDs of version 7.
 *
 * The methods throw what the seam says; `UnavailableError` has the driver's error as its `cause`, and no SQL and no
 * values in its text.
 * @throws TypeError where an option is wrong
 */
export function createKyselyUserStore<DB>(options: StoreOptions<DB>): UserStore {
  const names = resolveNames(options)
  const sql = userStatements(options.db, names)
  const calls = createCalls(freeOf(options))

  /** Turns the engine's word for "taken" into the seam's; username first, where both are. */
  async function guarded<T>(id: string, keys: Partial<UserRow>, write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (failureOf(error) !== 'duplicate') throw error
      const { username_key, email_key } = keys
      if (username_key && isOther(id, await sql.byUsername({ username_key }))) {
        throw new DuplicateError('username', { cause: error })
      }
      if (email_key && isOther(id, await sql.byEmail({ email_key }))) {
        throw new DuplicateError('email', { cause: error })
      }
      throw error // whoever held the key is gone: the next try may pass
    }
  }

  const store: UserStore = {
    async create(user) {
      const row = toRow(uuidv7(), user)
      await calls.run(() => guarded(row.id, row, () => sql.insert(row)))
      return toUser(row)
    },

    async findById(id) {
      assertText('id', id)
      return calls.run(async () => firstUser(await sql.byId({ id })))
    },

    async findByUsername(usernameKey) {
      assertText('usernameKey', usernameKey)
      return calls.run(async () => firstUser(await sql.byUsername({ username_key: usernameKey })))
    },

    async findByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return calls.run(async () => firstUser(await sql.byEmail({ email_key: emailKey })))
    },

    async list({ limit, after, prefix }) {
      if (toWhole('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
      const range = prefix && rangeOf(prefix)
      const ask = (): Promise<Found> => {
        if (!after) return range ? sql.firstFound({ ...range, limit }) : sql.firstPage({ limit })
        const { id } = after
        assertText('after.id', id)
        const created_at = toTime('after.createdAt', after.createdAt)
        const place = { created_at, id, limit }
        return range ? sql.nextFound({ ...range, ...place }) : sql.nextPage(place)
      }
      return calls.run(async () => (await ask()).rows.map(toUser))
    },

    async update(id, changes, expectedVersion) {
      assertText('id', id)
      const columns = toColumns(changes)
      if (!Number.isSafeInteger(expectedVersion)) return null // no user has such a version
      return calls.run(async () => {
        const row = await guarded(id, columns, () => sql.update(id, columns, expectedVersion))
        return row ? toUser(row) : null
      })
    },

    async delete(id) {
      assertText('id', id)
      return calls.run(() => sql.remove({ id }))
    },

    close: calls.close,
  }
  origins.set(store, { db: options.db, names })
  return store
}

type Found = Awaited<ReturnType<ReturnType<typeof userStatements>['byId']>>

function firstUser({ rows: [row] }: Found) {
  return row ? toUser(row) : null
}

/** Keys are compared byte by byte: no character of Unicode comes behind the last one. */
function rangeOf({ usernameKey, emailKey }: UserPrefix): PrefixValues {
  assertText('prefix.usernameKey', usernameKey)
  if (emailKey !== undefined) assertText('prefix.emailKey', emailKey)
  const endOf = (start: string): string => `${start}\u{10ffff}`
  return {
    name: usernameKey,
    nameEnd: endOf(usernameKey),
    email: emailKey ?? '',
    emailEnd: emailKey === undefined ? '' : endOf(emailKey),
  }
}

function isOther(id: string, { rows: [row] }: Found): boolean {
  return row !== undefined && fromText(row.id) !== id
}
