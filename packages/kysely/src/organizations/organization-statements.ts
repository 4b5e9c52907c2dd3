import type { Selectable } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import type { OrganizationMembersTable, OrganizationsTable } from '../base/schema.js'
import type { Names } from '../columns/names.js'
import {
  type MemberRow,
  memberColumns,
  type OrganizationRow,
  organizationColumns,
} from '../columns/organization-columns.js'
import { withColumns } from '../columns/renamed-columns.js'
import { type FindRow, keyedStatement } from '../run/keyed-statement.js'
import { isOne, memo, type On, pick, statement } from '../run/statement.js'

type Row = Selectable<OrganizationsTable>
type Position = Pick<OrganizationRow, 'created_at' | 'id'>
type MemberPosition = Pick<MemberRow, 'since' | 'user_id'>
type OfOrganization = Pick<MemberRow, 'organization_id'>
type UpdateValues = OrganizationRow & { expected: number }

/** The SQL of the organization store, each query compiled once. */
export interface OrganizationStatements {
  insert(row: OrganizationRow, on?: On): Promise<unknown>
  byId: FindRow<Row>
  bySlug: FindRow<Row>
  page(values: { limit: number; after?: Position }): Promise<{ rows: Row[] }>
  /** Writes the columns and the next version if the version is the expected one. */
  update(id: string, columns: Partial<OrganizationRow>, expected: number, on?: On): Promise<boolean>
  /** Removes the organization, but none of its memberships, if the version is the expected one. */
  removeAt(values: { id: string; expected: number }, on?: On): Promise<boolean>
  members(
    values: OfOrganization & { limit: number; after?: MemberPosition },
  ): Promise<{ rows: Selectable<OrganizationMembersTable>[] }>
  countOfUser(values: { user_id: string }): Promise<number>
  /** Adds a membership, or replaces the one of the same user. */
  put(row: MemberRow, on?: On): Promise<unknown>
  removeMember(values: OfOrganization & { user_id: string }, on?: On): Promise<unknown>
  removeMembers(values: OfOrganization, on?: On): Promise<unknown>
}

export function organizationStatements(host: Database, { tables, columns }: Names): OrganizationStatements {
  const db = withColumns(accountsDb(host), columns.organizations)
  const { organizations, organizationMembers: members } = tables
  const select = db.selectFrom(organizations).select(organizationColumns)

  // A range that every engine reads from the index; a row value or an OR alone is a scan on some.
  const pages = select.orderBy('created_at').orderBy('id')
  const firstPage = statement(db, (at: { limit: number }) => pages.limit(at.limit))
  const laterPage = statement(db, (at: Position & { limit: number }) =>
    pages
      .where('created_at', '>=', at.created_at)
      .where((eb) => eb.or([eb('created_at', '>', at.created_at), eb('id', '>', at.id)]))
      .limit(at.limit),
  )

  // The code, not the client, decides which columns change together: there are few such sets.
  const updateOf = memo((changes: Partial<OrganizationRow>) => {
    const changed = Object.keys(changes) as (keyof OrganizationRow)[]
    const build = (at: UpdateValues) =>
      db
        .updateTable(organizations)
        .set({ ...pick(at, changed), version: at.version })
        .where('id', '=', at.id)
        .where('version', '=', at.expected)
    return [changed.join(), () => statement(db, build)] as const
  })
  const removeAt = statement(db, (at: { id: string; expected: number }) =>
    db.deleteFrom(organizations).where('id', '=', at.id).where('version', '=', at.expected),
  )
  const byKey = (key: 'id' | 'slug') =>
    keyedStatement(db, { columns: organizationColumns, key }, (value) => select.where(key, '=', value))

  return {
    insert: statement(db, (at: OrganizationRow) =>
      db.insertInto(organizations).values(pick(at, organizationColumns)),
    ),
    byId: byKey('id'),
    bySlug: byKey('slug'),
    page: ({ after, limit }) => (after === undefined ? firstPage({ limit }) : laterPage({ limit, ...after })),
    update: (id, changes, expected, on) =>
      isOne(updateOf(changes)({ ...changes, id, expected, version: expected + 1 } as UpdateValues, on)),
    removeAt: (at, on) => isOne(removeAt(at, on)),
    ...memberStatements(host, members, columns),
  }
}

type MemberStatements = Pick<
  OrganizationStatements,
  'members' | 'countOfUser' | 'put' | 'removeMember' | 'removeMembers'
>

function memberStatements(
  host: Database,
  members: Names['tables']['organizationMembers'],
  columns: Names['columns'],
): MemberStatements {
  const db = withColumns(accountsDb(host), columns.organizationMembers)
  const ofOrganization = (at: OfOrganization) =>
    db
      .selectFrom(members)
      .select(memberColumns)
      .where('organization_id', '=', at.organization_id)
      .orderBy('since')
      .orderBy('user_id')
  const firstPage = statement(db, (at: OfOrganization & { limit: number }) =>
    ofOrganization(at).limit(at.limit),
  )
  const laterPage = statement(db, (at: OfOrganization & MemberPosition & { limit: number }) =>
    ofOrganization(at)
      .where('since', '>=', at.since)
      .where((eb) => eb.or([eb('since', '>', at.since), eb('user_id', '>', at.user_id)]))
      .limit(at.limit),
  )
  const countOfUser = statement(db, (at: { user_id: string }) =>
    db
      .selectFrom(members)
      .select((eb) => eb.fn.count<number | string>('organization_id').as('count'))
      .where('user_id', '=', at.user_id),
  )
  const replaced = ['roles', 'since', 'invitation_id'] as const
  const put = statement(db, (at: MemberRow) => {
    const insert = db.insertInto(members).values(pick(at, memberColumns))
    if (engineOf(host) === 'mysql') return insert.onDuplicateKeyUpdate(pick(at, replaced))
    return insert.onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id']).doUpdateSet(pick(at, replaced)),
    )
  })
  const remove = (at: OfOrganization) =>
    db.deleteFrom(members).where('organization_id', '=', at.organization_id)

  return {
    members: ({ after, ...at }) => (after === undefined ? firstPage(at) : laterPage({ ...at, ...after })),
    countOfUser: async (at) => Number((await countOfUser(at)).rows[0]?.count ?? 0),
    put,
    removeMember: statement(db, (at: OfOrganization & { user_id: string }) =>
      remove(at).where('user_id', '=', at.user_id),
    ),
    removeMembers: statement(db, remove),
  }
}
