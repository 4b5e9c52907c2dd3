import { randomUUID } from 'node:crypto'
import { LibsqlError } from '@libsql/client'
import {
  and,
  asc,
  DrizzleQueryError,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import {
  assertInTime,
  assertText,
  DuplicateError,
  type ListingUserStore,
  type StoredUser,
  UnavailableError,
  type UserChanges,
  type UserFilter,
  type UserPosition,
  type UserPrefix,
  type UserSearch,
} from 'fastify-accounts'
import { fieldColumns, fromFieldColumns, toFieldColumns } from './customer-fields.js'
import { type CustomerRow, customers } from './customers.js'

/**
 * Keeps users in the customers table. The caller, who opened the database, closes it. libsql runs a statement on a file at
 * once, in this thread, or waits for another process's lock: for at most 200 ms after a deadline that `callDeadline` tells.
 */
export function createDrizzleUserStore(db: LibSQLDatabase): ListingUserStore {
  // Other rows are customers without an account: not back-filled yet, or with a login that isn't unique.
  const isAccount = or(isNotNull(customers.usernameKey), isNotNull(customers.emailKey))

  async function find(condition: SQL | undefined): Promise<StoredUser | null> {
    const [row] = await run(db.select().from(customers).where(and(condition, isAccount)))
    return row ? toUser(row) : null
  }

  async function write(rows: PromiseLike<CustomerRow[]>, keys: UserChanges, id?: string) {
    try {
      const [row] = await run(rows)
      return row ? toUser(row) : null
    } catch (error) {
      const taken = takenField(error)
      if (taken === null) throw error
      // If both keys are taken, the database may report either; the username takes precedence.
      if (taken === 'email' && keys.usernameKey) {
        const holder = await find(eq(customers.usernameKey, keys.usernameKey))
        if (holder !== null && holder.id !== id) throw new DuplicateError('username')
      }
      throw new DuplicateError(taken)
    }
  }

  return {
    async create(user) {
      assertInTime()
      const row = { ...user, ...toColumns(user), username: user.username ?? randomUUID(), version: 1 }
      const created = await write(db.insert(customers).values(row).returning(), user)
      if (created === null) throw new UnavailableError('the customer was not stored')
      return created
    },

    async findById(id) {
      const rowId = toRowId(id)
      return rowId === null ? null : find(eq(customers.id, rowId))
    },

    async findByUsername(usernameKey) {
      assertText('usernameKey', usernameKey)
      return find(eq(customers.usernameKey, usernameKey))
    },

    async findByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return find(eq(customers.emailKey, emailKey))
    },

    async list({ limit, after, prefix, search, where = {}, order = { by: 'createdAt' } }) {
      const { createdAt, id } = customers
      const key = prefix ? keyOf(prefix) : order.by === 'usernameKey' && order.by
      const [inOrder, beyond] = order.descending ? ([desc, lt] as const) : ([asc, gt] as const)
      const isBehind = (place: UserPosition) =>
        key
          ? beyond(customers[key], place[key] ?? '')
          : or(
              beyond(createdAt, place.createdAt),
              and(eq(createdAt, place.createdAt), beyond(id, toRowId(place.id) ?? 0)),
            )
      const isMeant = and(
        key ? and(isNotNull(customers[key]), isAccount) : isAccount,
        after && isBehind(after),
        prefix && beginsWith(prefix),
        search && contains(search),
        matches(where),
      )
      const columns = key ? [customers[key]] : [createdAt, id]
      const rows = db.select().from(customers).where(isMeant).limit(limit)
      return (await run(rows.orderBy(...columns.map((column) => inOrder(column))))).map(toUser)
    },

    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix', 'search'],

    async update(id, changes, expectedVersion) {
      assertInTime()
      const rowId = toRowId(id)
      const { username: _, ...others } = changes
      // The origin is set at creation only.
      const row = { ...others, ...toColumns(changes), origin: undefined, version: expectedVersion + 1 }
      if (rowId === null) return null
      // Compare-and-swap: the expected version is part of the statement.
      const isExpected = and(eq(customers.id, rowId), eq(customers.version, expectedVersion), isAccount)
      return write(db.update(customers).set(row).where(isExpected).returning(), changes, id)
    },

    async delete(id, _messages, _successor, expectedVersion) {
      assertInTime()
      const rowId = toRowId(id)
      if (rowId === null) return false
      const isExpected = expectedVersion === undefined ? undefined : eq(customers.version, expectedVersion)
      const isIt = and(eq(customers.id, rowId), isExpected, isAccount)
      return (await run(db.delete(customers).where(isIt).returning({ id: customers.id }))).length === 1
    },
  }
}

/** A range of keys, so the indexes can be used; SQLite compares text byte by byte. */
function beginsWith(prefix: UserPrefix): SQL | undefined {
  const column = customers[keyOf(prefix)]
  const start = prefix[keyOf(prefix)] ?? ''
  return and(gte(column, start), lt(column, `${start}\u{10ffff}`))
}

/** The key that a prefix is of, in whose order its list is. */
function keyOf(prefix: UserPrefix): 'usernameKey' | 'emailKey' {
  return prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey'
}

/** Looks through all rows that match otherwise. `lower` of SQLite only knows ASCII letters. */
function contains({ text, fields }: UserSearch): SQL | undefined {
  const isIn = (value: unknown) => sql`instr(lower(${value}), lower(${text})) > 0`
  const others = sql`EXISTS (SELECT 1 FROM json_each(${customers.moreFields})
    WHERE key IN ${fields} AND type = 'text' AND ${isIn(sql`value`)})`
  const own = Object.entries(fieldColumns).filter(([name]) => fields.includes(name))
  return or(...own.map(([, column]) => isIn(column)), others)
}

function matches({ kind, isUsed, ...flags }: UserFilter): SQL | undefined {
  const { isActive, isStaff, isVerified } = flags
  const used = or(eq(customers.isVerified, true), isNotNull(customers.lastLoginAt))
  const unused = and(eq(customers.isVerified, false), isNull(customers.lastLoginAt))
  return and(
    kind === undefined ? undefined : eq(customers.kind, kind),
    isUsed === undefined ? undefined : isUsed ? used : unused,
    isActive === undefined ? undefined : eq(customers.isBlocked, !isActive),
    isStaff === undefined ? undefined : eq(customers.isStaff, isStaff),
    isVerified === undefined ? undefined : eq(customers.isVerified, isVerified),
  )
}

function toUser(row: CustomerRow): StoredUser {
  const { id, isBlocked, fullName, phone, moreFields, ...same } = row
  return {
    ...same,
    id: String(id),
    username: same.usernameKey === null ? null : same.username,
    // An address without a key is invalid, or another customer also has it: treat it as absent.
    email: same.emailKey === null ? null : same.email,
    isActive: !isBlocked,
    // This store has no `findByIdentity`, so no customer has a passkey or logs in with a provider.
    identityKeys: [],
    fields: fromFieldColumns({ fullName, phone, moreFields }),
  }
}

/**
 * The values that a row stores under another name. Everything else is checked and stored as is.
 * @throws InvalidArgumentError
 */
function toColumns({ isActive, fields, username, ...same }: UserChanges): Partial<CustomerRow> {
  if (username !== undefined && username !== null) assertText('username', username)
  if (same.passwordHash !== undefined) assertText('passwordHash', same.passwordHash)
  for (const name of ['usernameKey', 'email', 'emailKey'] as const) {
    if (same[name] !== undefined && same[name] !== null) assertText(name, same[name])
  }
  return {
    ...(username !== undefined && { username: username ?? randomUUID() }),
    ...(isActive !== undefined && { isBlocked: !isActive }),
    ...(fields !== undefined && toFieldColumns(fields)),
  }
}

/** A row's id has one exact spelling: `7`, not `07` or ` 7`. `null`: no row has this id. */
function toRowId(id: string): number | null {
  assertText('id', id)
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

async function run<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query
  } catch (error) {
    // Drizzle's message contains the statement's values, including hashes; the driver's doesn't.
    const cause = error instanceof DrizzleQueryError ? error.cause : error
    throw new UnavailableError('the customers table cannot be used', { cause })
  }
}

function takenField(error: unknown): DuplicateError['field'] | null {
  const cause = error instanceof UnavailableError ? error.cause : undefined
  if (!(cause instanceof LibsqlError) || cause.extendedCode !== 'SQLITE_CONSTRAINT_UNIQUE') return null
  return cause.message.endsWith('customers.mail_key') ? 'email' : 'username'
}
