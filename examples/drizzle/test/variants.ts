import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@fastify-accounts/test-support/source'
import * as kit from 'drizzle-kit/api'
import type { openDatabase } from '../src/database.js'
import type { createInvitationStore } from '../src/invitation-store.js'
import type { createOrganizationStore } from '../src/organization-store.js'
import type { createSessionStore } from '../src/session-store.js'
import type { createUserStore } from '../src/user-store.js'

export type Dialect = 'postgres' | 'mysql' | 'sqlite'

/** The example's modules; those of other databases have the same types. */
export interface Variant {
  openDatabase: typeof openDatabase
  createUserStore: typeof createUserStore
  createSessionStore: typeof createSessionStore
  createInvitationStore: typeof createInvitationStore
  createOrganizationStore: typeof createOrganizationStore
  /** The folder of its sources. */
  source: string
  /** What drizzle-kit's first migration runs. */
  statements: string[]
}

const folder = join(root, 'examples/drizzle')

/** The example on this database: with the two files that differ, as the page tells. */
export async function variantOf(dialect: Dialect): Promise<Variant> {
  const place = dialect === 'postgres' ? join(folder, 'src') : join(folder, 'dist/variants', dialect)
  if (dialect !== 'postgres') {
    mkdirSync(place, { recursive: true })
    for (const source of ['src', dialect]) cpSync(join(folder, source), place, { recursive: true })
    // The app and its own table are written for PostgreSQL.
    for (const name of ['app.ts', 'workspaces.ts']) rmSync(join(place, name))
  }
  const load = (name: string) => import(/* @vite-ignore */ join(place, `${name}.ts`))
  const [database, users, sessions, invitations, organizations, tables] = await Promise.all(
    ['database', 'user-store', 'session-store', 'invitation-store', 'organization-store', 'tables'].map(load),
  )
  return {
    ...database,
    ...users,
    ...sessions,
    ...invitations,
    ...organizations,
    source: place,
    statements: await migration(dialect, tables),
  }
}

export async function migration(dialect: Dialect, tables: Record<string, unknown>): Promise<string[]> {
  switch (dialect) {
    case 'postgres':
      return kit.generateMigration(kit.generateDrizzleJson({}), kit.generateDrizzleJson(tables))
    case 'mysql':
      return kit.generateMySQLMigration(
        await kit.generateMySQLDrizzleJson({}),
        await kit.generateMySQLDrizzleJson(tables),
      )
    case 'sqlite':
      return kit.generateSQLiteMigration(
        await kit.generateSQLiteDrizzleJson({}),
        await kit.generateSQLiteDrizzleJson(tables),
      )
  }
}
