import { type Compilable, type Selectable, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import { traits } from '../base/traits.js'
import { columnName, type Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { type UserRow, userColumnsOf } from '../columns/user-row.js'
import { rowStatement } from '../run/json-rows.js'
import { type FindRow, keyedStatement } from '../run/keyed-statement.js'
import { affected, memo, type On, pick, statement } from '../run/statement.js'
import type { SearchKeys } from './user-search.js'

type Row = Selectable<UsersTable>
type Rows = Promise<{ rows: Row[] }>
/** Keys from the start, up to before the end. */
interface Range {
  by: 'username_key' | 'email_key'
  start: string
  end: string
}
/** A page of the list: of all users, or of those that match everything that is set. */
export interface PageQuery {
  by: 'created_at' | 'username_key' | 'email_key'
  descending: boolean
  equal: Partial<Pick<UserRow, EqualColumn>>
  isUsed: boolean | undefined
  /** Only users with a key in this range, in its order. */
  prefix: Range | undefined
  /** Only users whose fields contain this in any case. */
  search: SearchKeys | undefined
  after: Place | undefined
  limit: number
}
interface Place extends Pick<UserRow, 'created_at' | 'username_key' | 'id'> {
  email_key: string
}
const equalColumns = ['kind', 'is_active', 'is_staff', 'is_verified'] as const
type EqualColumn = (typeof equalColumns)[number]
type PageValues = Pick<Range, 'start' | 'end'> &
  Place &
  Pick<UserRow, EqualColumn> &
  Pick<SearchKeys, 'inJson' | 'inColumn'> & { limit: number }
type HeldKeys = { username_key: string; email_key: string }
type UpdateValues = UserRow & { expected: number }

/** The SQL of the user store, each query compiled once. */
export interface UserStatements {
  /** `on` is a transaction to run in, here and below. */
  insert(row: UserRow, on?: On): Promise<unknown>
  byId: FindRow<Row>
  byUsername: FindRow<Row>
  byEmail: FindRow<Row>
  byIdentity: FindRow<Row>
  /** Locks the row until the transaction ends. */
  lock(values: { id: string }, on: On): Rows
  /** The users who hold one of these keys; nobody holds ''. */
  holders(values: HeldKeys): Promise<{ rows: Pick<Row, 'id' | 'username_key'>[] }>
  page(query: PageQuery): Rows
  /** Writes the columns and the next version if the version is the expected one, and then returns the new row. */
  update(id: string, columns: Partial<UserRow>, expected: number, on?: On): Promise<Row | undefined>
  remove(values: { id: string }, on?: On): Promise<boolean>
  /** The same, if the version is the expected one. */
  removeAt(values: { id: string; expected: number }, on?: On): Promise<boolean>
}

export function userStatements(host: Database, names: Names): UserStatements {
  const { tables, columns } = names
  const db = withColumns(accountsDb(host), columns.users)
  const { users } = tables
  const userColumns = userColumnsOf(names.fields)
  const pageColumns = userColumns.map((name) => `u.${name}` as const)
  const { returning, containsInAnyCase } = traits[engineOf(host)]
  const select = db.selectFrom(users).select(userColumns)
  const everybody = db.selectFrom(`${users} as u`).select(pageColumns)

  const pageOf = memo((shape: PageQuery) => {
    const { by, descending, equal, isUsed, prefix, search, after } = shape
    const key = JSON.stringify([
      by,
      descending,
      Object.keys(equal),
      String(isUsed),
      prefix === undefined,
      search && [search.textColumns, search.otherColumns],
      after === undefined,
    ])
    return [key, () => statement(db, pageQuery(shape))] as const
  })

  const pageQuery =
    ({ by, descending, equal, isUsed, prefix, search, after }: PageQuery) =>
    (at: PageValues): Compilable<Row> => {
      let page = everybody
      if (prefix !== undefined)
        page = page.where(`u.${prefix.by}`, '>=', at.start).where(`u.${prefix.by}`, '<', at.end)
      for (const column of equalColumns)
        if (column in equal) page = page.where(`u.${column}`, '=', at[column])
      if (isUsed === true) {
        page = page.where((eb) =>
          eb.or([eb('u.is_verified', '=', eb.lit(1)), eb('u.last_login_at', 'is not', null)]),
        )
      }
      if (isUsed === false)
        page = page.where('u.is_verified', '=', sql.lit(0)).where('u.last_login_at', 'is', null)
      if (search !== undefined) {
        page = page.where((eb) =>
          eb.or([
            containsInAnyCase(eb.ref('u.fields'), at.inJson),
            ...search.textColumns.map((column) => containsInAnyCase(eb.ref(`u.${column}`), at.inColumn)),
            ...search.otherColumns.map((column) => eb(`u.${column}`, 'is not', null)),
          ]),
        )
      }
      const [beyond, from] = descending ? (['<', '<='] as const) : (['>', '>='] as const)
      const direction = descending ? 'desc' : 'asc'
      if (by !== 'created_at') {
        if (after) page = page.where(`u.${by}`, beyond, at[by])
        return page.orderBy(`u.${by}`, direction).limit(at.limit)
      }
      if (after) {
        page = page
          // A range that every engine reads from the index; a row value or an OR alone is a scan on some.
          .where('u.created_at', from, at.created_at)
          .where((eb) => eb.or([eb('u.created_at', beyond, at.created_at), eb('u.id', beyond, at.id)]))
      }
      return page.orderBy('u.created_at', direction).orderBy('u.id', direction).limit(at.limit)
    }

  const byKey = (key: 'id' | 'username_key' | 'email_key') =>
    keyedStatement(db, { columns: userColumns, key }, (value) => select.where(key, '=', value))
  const ofIdentity = (column: string) => sql.id(columnName(names, 'identities', column))
  const holding = rowStatement<{ key: string }, Row>(db, userColumns, (at) =>
    select.where(
      'id',
      '=',
      sql<string>`(select ${ofIdentity('user_id')} from ${sql.table(tables.identities)} where ${ofIdentity('identity_key')} = ${at.key})`,
    ),
  )
  const lock = statement(db, (at: { id: string }) => {
    const found = select.where('id', '=', at.id)
    // A transaction on SQLite has the only lock for writing.
    return engineOf(host) === 'sqlite' ? found : found.forUpdate()
  })
  const remove = statement(db, (at: { id: string }) => db.deleteFrom(users).where('id', '=', at.id))
  const removeAt = statement(db, (at: { id: string; expected: number }) =>
    db.deleteFrom(users).where('id', '=', at.id).where('version', '=', at.expected),
  )

  const updateQuery = (changed: (keyof UserRow)[]) => (at: UpdateValues) =>
    db
      .updateTable(users)
      .set({ ...pick(at, changed), version: at.version })
      .where('id', '=', at.id)
      .where('version', '=', at.expected)

  // The code, not the client, decides which columns change together: there are few such sets.
  const updateOf = memo((columns: Partial<UserRow>) => {
    const changed = namesOf(columns)
    return [changed.join(), () => statement(db, updateQuery(changed))] as const
  })
  const updateReturningOf = memo((columns: Partial<UserRow>) => {
    const changed = namesOf(columns)
    const build = (at: UpdateValues): Compilable<Row> => updateQuery(changed)(at).returning(userColumns)
    return [changed.join(), () => rowStatement(db, userColumns, build)] as const
  })

  const values = (id: string, columns: Partial<UserRow>, expected: number) =>
    ({ ...columns, id, expected, version: expected + 1 }) as UpdateValues

  async function updateReturning(id: string, columns: Partial<UserRow>, expected: number, on?: On) {
    return updateReturningOf(columns)(values(id, columns, expected), on)
  }

  function createReadThenUpdate(): UserStatements['update'] {
    const findForUpdate = statement(db, (at: { id: string }) => select.where('id', '=', at.id))
    return async (id, columns, expected, on) => {
      const [row] = (await findForUpdate({ id }, on)).rows
      if (!row || Number(row.version) !== expected) return undefined
      // A row never changes without its version: if the update finds this version, it found the row just read.
      const updated = affected(await updateOf(columns)(values(id, columns, expected), on)) === 1
      return updated ? { ...row, ...columns, version: expected + 1 } : undefined
    }
  }

  return {
    insert: statement(db, (at: UserRow) => db.insertInto(users).values(pick(at, userColumns))),
    byId: byKey('id'),
    byUsername: byKey('username_key'),
    byEmail: byKey('email_key'),
    byIdentity: (key) => holding({ key }),
    lock,
    holders: statement(db, (at: HeldKeys) => {
      const held = db.selectFrom(users).select(['id', 'username_key'])
      return held
        .where('username_key', '=', at.username_key)
        .unionAll((eb) =>
          eb.selectFrom(users).select(['id', 'username_key']).where('email_key', '=', at.email_key),
        )
    }),
    async page(query) {
      const { equal, prefix, search, after, limit } = query
      return pageOf(query)({ ...equal, ...prefix, ...after, ...search, limit } as PageValues)
    },
    update: returning ? updateReturning : createReadThenUpdate(),
    remove: async (at, on) => affected(await remove(at, on)) === 1,
    removeAt: async (at, on) => affected(await removeAt(at, on)) === 1,
  }
}

function namesOf(columns: Partial<UserRow>): (keyof UserRow)[] {
  return Object.keys(columns) as (keyof UserRow)[]
}
