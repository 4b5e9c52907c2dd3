import type { Compilable, Selectable } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import type { InvitationsTable } from '../base/schema.js'
import { traits } from '../base/traits.js'
import { type InvitationRow, invitationColumns } from '../columns/invitation-row.js'
import type { Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { affected, isOne, memo, type On, pick, statement } from '../run/statement.js'

type Row = Selectable<InvitationsTable>
type Rows = Promise<{ rows: Row[] }>
type UpdateValues = InvitationRow & { expected: number }

/** A page of invitations; absent: of all, or from the first. */
export interface InvitationPage {
  target?: string
  inviter_id?: string
  after?: Pick<InvitationRow, 'created_at' | 'id'>
  limit: number
}
type PageValues = Required<Omit<InvitationPage, 'after'>> & Pick<InvitationRow, 'created_at' | 'id'>

/** The SQL of the invitation store, each query compiled once. */
export interface InvitationStatements {
  insert(row: InvitationRow, on?: On): Promise<unknown>
  byId(values: { id: string }, on?: On): Rows
  byEmail(values: { email_key: string }): Rows
  page(page: InvitationPage): Rows
  /** Writes the columns and the next version if the version is the expected one, and then returns the new row. */
  update(id: string, columns: Partial<InvitationRow>, expected: number, on?: On): Promise<Row | undefined>
  remove(values: { id: string }, on?: On): Promise<boolean>
  /** The same, if the version is the expected one. */
  removeAt(values: { id: string; expected: number }, on?: On): Promise<boolean>
  /** Removes one portion of what had expired at `now`; `last` says whether it was the last. */
  removeExpired(now: number): Promise<{ count: number; last: boolean }>
}

/** Rows that one DELETE of expired invitations removes: locks for a few milliseconds. */
const portion = 500

export function invitationStatements(host: Database, { tables, columns }: Names): InvitationStatements {
  const db = withColumns(accountsDb(host), columns.invitations)
  const { invitations } = tables
  const select = db.selectFrom(invitations).select(invitationColumns)
  const remove = db.deleteFrom(invitations)
  const { returning } = traits[engineOf(host)]

  const byId = statement(db, (at: { id: string }) => select.where('id', '=', at.id))

  const pageOf = memo(({ target, inviter_id, after }: InvitationPage) => {
    const build = (at: PageValues): Compilable<Row> => {
      let page = select
      if (target !== undefined) page = page.where('target', '=', at.target)
      if (inviter_id !== undefined) page = page.where('inviter_id', '=', at.inviter_id)
      if (after) {
        page = page
          // A range that every engine reads from the index; a row value or an OR alone is a scan on some.
          .where('created_at', '>=', at.created_at)
          .where((eb) => eb.or([eb('created_at', '>', at.created_at), eb('id', '>', at.id)]))
      }
      return page.orderBy('created_at').orderBy('id').limit(at.limit)
    }
    const key = [target, inviter_id, after].map((each) => each !== undefined).join()
    return [key, () => statement(db, build)] as const
  })

  const updateQuery = (changed: (keyof InvitationRow)[]) => (at: UpdateValues) =>
    db
      .updateTable(invitations)
      .set({ ...pick(at, changed), version: at.version })
      .where('id', '=', at.id)
      .where('version', '=', at.expected)
  // The code, not the client, decides which columns change together: there are few such sets.
  const changedIn = (changes: Partial<InvitationRow>) => Object.keys(changes) as (keyof InvitationRow)[]
  const updateOf = memo((changes: Partial<InvitationRow>) => {
    const changed = changedIn(changes)
    return [changed.join(), () => statement(db, updateQuery(changed))] as const
  })
  const updateReturningOf = memo((changes: Partial<InvitationRow>) => {
    const changed = changedIn(changes)
    const build = (at: UpdateValues): Compilable<Row> => updateQuery(changed)(at).returning(invitationColumns)
    return [changed.join(), () => statement(db, build)] as const
  })
  const values = (id: string, changes: Partial<InvitationRow>, expected: number) =>
    ({ ...changes, id, expected, version: expected + 1 }) as UpdateValues

  const update: InvitationStatements['update'] = returning
    ? async (id, changes, expected, on) =>
        (await updateReturningOf(changes)(values(id, changes, expected), on)).rows[0]
    : async (id, changes, expected, on) => {
        const [row] = (await byId({ id }, on)).rows
        if (!row || Number(row.version) !== expected) return undefined
        // A row never changes without its version: if the update finds this version, it found the row just read.
        const isUpdated = await isOne(updateOf(changes)(values(id, changes, expected), on))
        return isUpdated ? { ...row, ...changes, version: expected + 1 } : undefined
      }

  const removeOne = statement(db, (at: { id: string }) => remove.where('id', '=', at.id))
  const removeAt = statement(db, (at: { id: string; expected: number }) =>
    remove.where('id', '=', at.id).where('version', '=', at.expected),
  )
  // First find where a portion ends: MySQL allows no LIMIT in a subquery, PostgreSQL none in a DELETE.
  const portionEnd = statement(db, (at: { now: number }) =>
    db
      .selectFrom(invitations)
      .select('expires_at')
      .where('expires_at', '<', at.now)
      .orderBy('expires_at')
      .limit(1)
      .offset(portion - 1),
  )
  const removeUntil = statement(db, (at: { end: number }) => remove.where('expires_at', '<=', at.end))

  return {
    insert: statement(db, (at: InvitationRow) =>
      db.insertInto(invitations).values(pick(at, invitationColumns)),
    ),
    byId,
    byEmail: statement(db, (at: { email_key: string }) =>
      select.where('email_key', '=', at.email_key).orderBy('created_at', 'desc').orderBy('id', 'desc'),
    ),
    page: (page) => pageOf(page)({ ...page, ...page.after } as PageValues),
    update,
    remove: (at, on) => isOne(removeOne(at, on)),
    removeAt: (at, on) => isOne(removeAt(at, on)),
    async removeExpired(now) {
      const [end] = (await portionEnd({ now })).rows
      const count = affected(await removeUntil({ end: end ? Number(end.expires_at) : now - 1 }))
      return { count, last: end === undefined }
    },
  }
}
