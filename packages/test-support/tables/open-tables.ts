import type { OrganizationStore } from '@fastify-accounts/organizations/store'
import {
  createTableInvitationStore,
  createTableSessionStore,
  createTableUserStore,
} from '@fastify-accounts/table-stores'
import { createTableOrganizationStore } from '@fastify-accounts/table-stores/organizations'
import type { InvitationStore, SessionStore, UserStore } from 'fastify-accounts'
import { type DriverName, makeDatabase, type Place, runSql, type TestDatabase } from '../databases.js'
import { mysqlSchema, openMysql } from './mysql.js'
import { openPostgres, postgresSchema } from './postgres.js'
import type { Sql, Tables } from './sql-tables.js'
import { openSqliteTables, sqliteSchema } from './sqlite.js'

/** A new database with the tables, empty. */
export async function makeTables(driver: DriverName): Promise<TestDatabase> {
  const database = await makeDatabase(driver)
  const schema = { pg: postgresSchema, mysql2: mysqlSchema }[driver as string] ?? sqliteSchema
  await runSql(database.place, ...schema)
  return database
}

/** Connects to them. */
export async function openSql({ driver, url }: Place, connections?: number): Promise<Sql> {
  if (driver === 'pg') return openPostgres(url, connections)
  if (driver === 'mysql2') return openMysql(url, connections)
  if (driver === 'pglite') throw new Error('PGlite has one connection')
  return openSqliteTables(driver, url)
}

/** The stores on them, which share one database. The user store closes the connections. */
export function storesOn({ users, sessions, invitations, organizations }: Tables): {
  users: UserStore
  sessions: SessionStore
  invitations: InvitationStore
  organizations: OrganizationStore
} {
  const userStore = createTableUserStore(users)
  return {
    users: userStore,
    sessions: createTableSessionStore({ ...sessions, userStore }),
    invitations: createTableInvitationStore({ ...invitations, userStore }),
    organizations: createTableOrganizationStore({ ...organizations, userStore }),
  }
}
