import type { Kysely } from 'kysely'
import { namesUnknownColumn, namesUnknownTable, SchemaError } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { activityColumns } from '../columns/activity-row.js'
import { invitationColumns } from '../columns/invitation-row.js'
import type { Names } from '../columns/names.js'
import { memberColumns, organizationColumns } from '../columns/organization-columns.js'
import { outboxColumns } from '../columns/outbox-row.js'
import { withColumns } from '../columns/renamed-columns.js'
import { sessionColumns } from '../columns/session-row.js'
import { userColumns } from '../columns/user-row.js'
import type { Step } from './migrations.js'

/**
 * Checks that the tables have our columns: CREATE TABLE IF NOT EXISTS accepts any table of that name.
 * @param toCome steps whose columns are not there yet
 * @throws SchemaError if a table lacks one
 */
export async function checkColumns(
  db: Kysely<Tables>,
  { tables, columns }: Names,
  toCome: readonly Pick<Step, 'adds' | 'makes'>[],
): Promise<void> {
  const later = new Set<string>(
    toCome.flatMap(({ adds }) => [
      ...(adds?.users ?? []).map((name) => `users.${name}`),
      ...(adds?.sessions ?? []).map((name) => `sessions.${name}`),
    ]),
  )
  const users = withColumns(db, columns.users)
    .selectFrom(tables.users)
    .select(userColumns.filter((name) => !later.has(`users.${name}`)))
  const sessions = withColumns(db, columns.sessions)
    .selectFrom(tables.sessions)
    .select(sessionColumns.filter((name) => !later.has(`sessions.${name}`)))
  await check('users', tables.users, users.limit(0))
  await check('sessions', tables.sessions, sessions.limit(0))
  const isToCome = (table: Step['makes']): boolean => toCome.some(({ makes }) => makes === table)
  const outbox = withColumns(db, columns.outbox).selectFrom(tables.outbox).select(outboxColumns)
  if (!isToCome('outbox')) await check('outbox', tables.outbox, outbox.limit(0))
  const identities = withColumns(db, columns.identities)
    .selectFrom(tables.identities)
    .select(['identity_key', 'user_id'])
  if (!isToCome('identities')) await check('identities', tables.identities, identities.limit(0))
  const invitations = withColumns(db, columns.invitations)
    .selectFrom(tables.invitations)
    .select(invitationColumns)
  if (!isToCome('invitations')) await check('invitations', tables.invitations, invitations.limit(0))
  const activity = withColumns(db, columns.activity).selectFrom(tables.activity).select(activityColumns)
  if (!isToCome('activity')) await check('activity', tables.activity, activity.limit(0))
  const organizations = withColumns(db, columns.organizations)
    .selectFrom(tables.organizations)
    .select(organizationColumns)
  const members = withColumns(db, columns.organizationMembers)
    .selectFrom(tables.organizationMembers)
    .select(memberColumns)
  if (isToCome('organizations')) return
  await check('organizations', tables.organizations, organizations.limit(0))
  await check('organizationMembers', tables.organizationMembers, members.limit(0))
}

async function check(key: string, table: string, query: { execute(): Promise<unknown> }): Promise<void> {
  try {
    await query.execute()
  } catch (error) {
    if (!namesUnknownColumn(error) && !namesUnknownTable(error)) throw error
    throw new SchemaError(
      `the table ${table} lacks columns, or does not exist: tables.${key} names another kind of table, columns.${key} differ from those it was created with, or tables.migrations belongs to tables with other names`,
      { cause: error },
    )
  }
}
