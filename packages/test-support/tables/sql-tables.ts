import type { InvitationTable, OutboxTable, SessionTable, UserTable } from '@fastify-accounts/table-stores'
import type { OrganizationTable } from '@fastify-accounts/table-stores/organizations'
import type { ListAbility, UserListQuery } from 'fastify-accounts'

/** A connection, or a pool of them. Texts have `?` for values, and names in double quotes. */
export interface Connection {
  /** What the columns hold is checked when they are read. */
  rows<Row>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** How many rows the statement found. */
  run(text: string, values: readonly unknown[]): Promise<number>
}

/** What differs between the drivers. */
export interface Sql extends Connection {
  transaction<Result>(run: (tx: Connection) => Promise<Result>): Promise<Result>
  now?: () => Promise<Date>
  close(): Promise<void>
}

/** The tables of a test, each with one statement per function. */
export interface Tables {
  users: UserTable<Connection> & { outbox: OutboxTable<Connection> }
  sessions: SessionTable<Connection>
  invitations: InvitationTable<Connection>
  organizations: OrganizationTable<Connection>
}

export function sqlTables(sql: Sql): Tables {
  const { transaction } = sql
  const insert = (table: string) => (tx: Connection, row: object) => {
    const names = Object.keys(row).map((name) => `"${name}"`)
    const marks = names.map(() => '?').join(', ')
    return tx.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, Object.values(row))
  }
  const swap = (table: string) => (tx: Connection, expected: object, changes: object) => {
    const set = Object.keys(changes).map((name) => `"${name}" = ?`)
    const [isIt, values] = conditionsOf(expected)
    return tx.run(`UPDATE ${table} SET ${set.join(', ')} WHERE ${isIt}`, [
      ...Object.values(changes),
      ...values,
    ])
  }
  const remove = (table: string) => (tx: Connection, expected: object) => {
    const [isIt, values] = conditionsOf(expected)
    return tx.run(`DELETE FROM ${table} WHERE ${isIt}`, values)
  }
  const removeExpired = (table: string) => (tx: Connection, before: Date, limit: number) =>
    tx.run(
      `DELETE FROM ${table} WHERE id IN (
        SELECT id FROM (SELECT id FROM ${table} WHERE "expiresAt" < ? LIMIT ?) AS expired
      )`,
      [before, limit],
    )
  async function one<Row>(text: string, values: readonly unknown[], on: Connection = sql) {
    const [row] = await on.rows<Row>(text, values)
    return row
  }

  /** Rows with these values, by a time and an id, after those of this position. */
  function page<Row>(
    table: string,
    same: object,
    [time, id]: readonly [string, string],
    after: object | undefined,
    limit: number,
  ): Promise<Row[]> {
    const [isMeant, values] = conditionsOf(same)
    const conditions = isMeant === '' ? [] : [isMeant]
    if (after) {
      conditions.push(`("${time}" > ? OR ("${time}" = ? AND "${id}" > ?))`)
      values.push(Reflect.get(after, time), Reflect.get(after, time), Reflect.get(after, id))
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    return sql.rows(`SELECT * FROM ${table} ${where} ORDER BY "${time}", "${id}" LIMIT ?`, [...values, limit])
  }

  const users: Tables['users'] = {
    transaction,
    find: (by, key, tx) =>
      by === 'identityKey'
        ? one(
            'SELECT * FROM users WHERE id = (SELECT "userId" FROM identities WHERE "identityKey" = ?)',
            [key],
            tx,
          )
        : one(`SELECT * FROM users WHERE "${by}" = ?`, [key], tx),
    insert: insert('users'),
    compareAndSwap: swap('users'),
    async replaceIdentities(tx, userId, keys) {
      await tx.run('DELETE FROM identities WHERE "userId" = ?', [userId])
      for (const identityKey of keys) await insert('identities')(tx, { identityKey, userId })
    },
    remove: (tx, id) => remove('users')(tx, { id }),
    page: (query) => sql.rows(...pageOf(query)),
    listsBy,
    ...(sql.now && { now: sql.now }),
    close: sql.close,
    outbox: {
      async insert(tx, rows) {
        for (const row of rows) await insert('outbox')(tx, row)
      },
      find: (id) => one('SELECT * FROM outbox WHERE id = ?', [id]),
      due({ realm, by, limit }) {
        const [ofRealm, values] = realm === undefined ? ['', []] : ['realm = ? AND ', [realm]]
        const text = `SELECT * FROM outbox WHERE ${ofRealm}"dueAt" <= ? ORDER BY "dueAt", id LIMIT ?`
        return sql.rows(text, [...values, by, limit])
      },
      dead: ({ after = '', limit }) =>
        sql.rows('SELECT * FROM outbox WHERE "dueAt" IS NULL AND id > ? ORDER BY id LIMIT ?', [after, limit]),
      async count({ realm, isDead }) {
        const [ofRealm, values] = realm === undefined ? ['', []] : ['realm = ? AND ', [realm]]
        const isIt = isDead ? 'NULL' : 'NOT NULL'
        const row = await one<{ count: number }>(
          `SELECT count(*) AS count FROM outbox WHERE ${ofRealm}"dueAt" IS ${isIt}`,
          values,
        )
        return row?.count ?? 0
      },
      compareAndSwap: swap('outbox'),
      remove: remove('outbox'),
    },
  }

  const sessions: Tables['sessions'] = {
    transaction,
    insert: insert('sessions'),
    find: (id, tx) => one('SELECT * FROM sessions WHERE id = ?', [id], tx),
    compareAndSwap: swap('sessions'),
    remove: (tx, id) => remove('sessions')(tx, { id }),
    listByUser: (userId) => sql.rows('SELECT * FROM sessions WHERE "userId" = ?', [userId]),
    removeByUser: (tx, userId, keptId) =>
      tx.run('DELETE FROM sessions WHERE "userId" = ? AND id <> ?', [userId, keptId]),
    removeExpired: removeExpired('sessions'),
  }
  const invitations: Tables['invitations'] = {
    transaction,
    insert: insert('invitations'),
    find: (id, tx) => one('SELECT * FROM invitations WHERE id = ?', [id], tx),
    listByEmail: (emailKey) => sql.rows('SELECT * FROM invitations WHERE "emailKey" = ?', [emailKey]),
    page: ({ after, limit, ...same }) => page('invitations', same, ['createdAt', 'id'], after, limit),
    compareAndSwap: swap('invitations'),
    remove: remove('invitations'),
    removeExpired: removeExpired('invitations'),
  }
  const organizations: Tables['organizations'] = {
    transaction,
    insert: insert('organizations'),
    find: (by, keys, tx = sql) =>
      tx.rows(`SELECT * FROM organizations WHERE "${by}" IN (${keys.map(() => '?').join(', ')})`, keys),
    page: ({ after, limit }) => page('organizations', {}, ['createdAt', 'id'], after, limit),
    compareAndSwap: swap('organizations'),
    remove: remove('organizations'),
    insertMember: insert('members'),
    findMember({ organizationId, userId }, tx) {
      const [isIt, values] = conditionsOf({ organizationId, userId })
      return one(`SELECT * FROM members WHERE ${isIt}`, values, tx)
    },
    changeMember: swap('members'),
    removeMembers: remove('members'),
    pageOfMembers: ({ organizationId, after, limit }) =>
      page('members', { organizationId }, ['since', 'userId'], after, limit),
    pageOfUser: ({ userId, after, limit }) =>
      page('members', { userId }, ['since', 'organizationId'], after, limit),
    countOfUser: async (userId) =>
      (await one<{ count: number }>('SELECT count(*) AS count FROM members WHERE "userId" = ?', [userId]))
        ?.count ?? 0,
  }
  return { users, sessions, invitations, organizations }
}

/** That all of these columns have these values. */
function conditionsOf(expected: object): [string, unknown[]] {
  const given = Object.entries(expected).filter(([, value]) => value !== undefined)
  const isIt = given.map(([name, value]) => `"${name}" ${value === null ? 'IS NULL' : '= ?'}`)
  return [isIt.join(' AND '), given.map(([, value]) => value).filter((value) => value !== null)]
}

const listsBy: readonly ListAbility[] = ['createdAt', 'usernameKey', 'flags', 'prefix']

function pageOf({
  limit,
  after,
  prefix,
  where = {},
  order = { by: 'createdAt' },
}: UserListQuery): [string, unknown[]] {
  const conditions: string[] = []
  const values: unknown[] = []
  const add = (condition: string, ...given: unknown[]) => {
    conditions.push(condition)
    values.push(...given)
  }
  const [than, direction] = order.descending ? ['<', 'DESC'] : ['>', 'ASC']
  // A prefix has the order of its key.
  const prefixKey = prefix && (prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey')
  const key = prefixKey ?? (order.by === 'usernameKey' && order.by)
  if (key) add(`"${key}" IS NOT NULL`)
  if (after && key) add(`"${key}" ${than} ?`, after[key])
  if (after && !key) {
    const { createdAt, id } = after
    add(`("createdAt" ${than} ? OR ("createdAt" = ? AND id ${than} ?))`, createdAt, createdAt, id)
  }
  if (where.kind !== undefined) add('kind = ?', where.kind)
  if (where.isUsed !== undefined)
    add(`${where.isUsed ? '' : 'NOT '}("isVerified" = ? OR "lastLoginAt" IS NOT NULL)`, true)
  for (const flag of ['isActive', 'isStaff', 'isVerified'] as const)
    if (where[flag] !== undefined) add(`"${flag}" = ?`, where[flag])
  if (prefix && prefixKey)
    add(`"${prefixKey}" >= ? AND "${prefixKey}" < ?`, prefix[prefixKey], `${prefix[prefixKey]}\u{10ffff}`)
  const columns = key ? [`"${key}"`] : ['"createdAt"', 'id']
  const isMeant = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const inOrder = columns.map((column) => `${column} ${direction}`).join(', ')
  return [`SELECT * FROM users ${isMeant} ORDER BY ${inOrder} LIMIT ?`, [...values, limit]]
}
