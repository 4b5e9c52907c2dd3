import { type Compilable, type RawBuilder, type Selectable, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import type { OrganizationMembersTable, OrganizationsTable } from '../base/schema.js'
import type { Names } from '../columns/names.js'
import { memberColumns, organizationColumns } from '../columns/organization-columns.js'
import { type JoinedRow, joinedTable } from '../run/joined-table.js'
import { jsonRows, rowStatement } from '../run/json-rows.js'
import { type FindRow, sharesQueries } from '../run/keyed-statement.js'
import { cachedRows } from '../run/row-cache.js'
import { compiled, statement } from '../run/statement.js'
import { inTurnBatches } from '../run/turn-batches.js'

/** An organization, and the membership that somebody has there. */
export interface RowPair<Member = Selectable<OrganizationMembersTable> | null> {
  organization: Selectable<OrganizationsTable>
  member: Member
}

interface UserPage {
  user_id: string
  limit: number
  after?: { since: number; organization_id: string }
}

export interface OrganizationsWithMembers {
  /**
   * Uses the row cache on SQLite; on PostgreSQL, lookups in one turn share a query. The rows must not be changed: other
   * callers may have them as well.
   */
  find(by: 'id' | 'slug', key: string, userId: string): Promise<RowPair | undefined>
  /** A page of the memberships of a user. */
  pageOfUser(page: UserPage): Promise<RowPair<Selectable<OrganizationMembersTable>>[]>
}

/** The SQL that reads an organization and a membership in one statement. */
export function organizationsWithMembers(host: Database, names: Names): OrganizationsWithMembers {
  const db = accountsDb(host)
  const organization = joinedTable<OrganizationsTable>(names, 'organizations', 'o', organizationColumns)
  const member = joinedTable<OrganizationMembersTable>(names, 'organizationMembers', 'm', memberColumns)
  const columns = [...organization.names, ...member.names]
  const selected = sql.join([...organization.selected, ...member.selected])
  const isOfThis = sql`${member.column('organization_id')} = ${organization.column('id')}`
  const pairOf = (row: JoinedRow): RowPair => ({
    organization: organization.rowOf(row),
    member: row.m_user_id === null ? null : member.rowOf(row),
  })

  /** Finds by a pair of a key and a user's id, as one text. */
  function lookupBy(by: 'id' | 'slug'): FindRow<RowPair> {
    const ask = rowStatement<{ key: string; user_id: string }, JoinedRow>(db, columns, (at) => ({
      compile: () =>
        sql<JoinedRow>`select ${selected} from ${organization.from}
          left join ${member.from} on ${isOfThis} and ${member.column('user_id')} = ${at.user_id}
          where ${organization.column(by)} = ${at.key}`.compile(db),
    }))
    const one: FindRow<RowPair> = async (pair) => {
      const [key, user_id] = partsOf(pair)
      const row = await ask({ key, user_id })
      return row && pairOf(row)
    }
    if (!sharesQueries(db)) return one

    const query = compiled((at: { keys: readonly string[]; user_ids: readonly string[] }) => ({
      compile: () =>
        sql<JoinedRow>`select ${selected}, ${sql.id('k', 'user_id')} as ${sql.id('k_user_id')}
          from unnest(${at.keys}::text[], ${at.user_ids}::text[]) as ${sql.id('k')} (${sql.id('key')}, ${sql.id('user_id')})
          join ${organization.from} on ${organization.column(by)} = ${sql.id('k', 'key')}
          left join ${member.from} on ${isOfThis} and ${member.column('user_id')} = ${sql.id('k', 'user_id')}`.compile(
          db,
        ),
    }))
    const askMany = jsonRows<{ keys: readonly string[]; user_ids: readonly string[] }, JoinedRow>(
      db,
      [...columns, 'k_user_id'],
      query,
    )
    const many = async (pairs: readonly string[]) => {
      const parts = pairs.map(partsOf)
      const rows = await askMany({ keys: parts.map(([key]) => key), user_ids: parts.map(([, id]) => id) })
      return new Map(
        rows.map((row) => [pairText(String(row[`o_${by}`]), String(row.k_user_id)), pairOf(row)]),
      )
    }
    return inTurnBatches({ one, many })
  }

  const tables = [names.tables.organizations, names.tables.organizationMembers]
  const lookups = {
    id: cachedRows(host, tables, lookupBy('id')),
    slug: cachedRows(host, tables, lookupBy('slug')),
  }

  const pageQuery = (
    { user_id, limit }: UserPage,
    beyond: RawBuilder<unknown> = sql``,
  ): Compilable<JoinedRow> => ({
    compile: () =>
      sql<JoinedRow>`select ${selected} from ${member.from} join ${organization.from} on ${isOfThis}
        where ${member.column('user_id')} = ${user_id} ${beyond}
        order by ${member.column('since')}, ${member.column('organization_id')} limit ${limit}`.compile(db),
  })
  const firstPage = statement(db, (at: UserPage) => pageQuery(at))
  const laterPage = statement(db, (at: UserPage & NonNullable<UserPage['after']>) =>
    pageQuery(
      at,
      // A range that every engine reads from the index; a row value or an OR alone is a scan on some.
      sql`and ${member.column('since')} >= ${at.since}
        and (${member.column('since')} > ${at.since} or ${member.column('organization_id')} > ${at.organization_id})`,
    ),
  )

  return {
    find: (by, key, userId) => lookups[by](pairText(key, userId)),
    async pageOfUser({ after, ...page }) {
      const { rows } = await (after === undefined ? firstPage(page) : laterPage({ ...page, ...after }))
      return rows.map((row) => ({ organization: organization.rowOf(row), member: member.rowOf(row) }))
    },
  }
}

/** What no id and no slug has within. */
const separator = '\0'

const pairText = (key: string, userId: string): string => `${key}${separator}${userId}`

function partsOf(pair: string): [key: string, userId: string] {
  const at = pair.indexOf(separator)
  return [pair.slice(0, at), pair.slice(at + 1)]
}
