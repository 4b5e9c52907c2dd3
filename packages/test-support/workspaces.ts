import {
  type AlongsideTransaction,
  createKyselySessionStore,
  createKyselyUserStore,
} from '@fastify-accounts/kysely'
import type { Alongside, ListingUserStore, SessionStore } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { connect, connectWatched, type Place } from './databases.js'
import type { Stores } from './grounds.js'

/** What an app has beside users: one workspace for each person, whose title only one may have. */
export interface HostTables {
  workspaces: { owner_id: string; title: string }
  /** For cases that change a row of several accounts. */
  counters: { name: string; n: number }
}

export type Tx = AlongsideTransaction<Kysely<HostTables>>

/** The grounds whose stores have transactions. */
export const sqlGrounds = {
  on: ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'],
  because: 'the stores in memory have no transactions',
} as const

/** Opens and closes a workspace with each person, unless `own` says otherwise. */
export function workspacesWith(own: Alongside<Tx> = {}): Alongside<Tx> {
  return {
    async created(tx, { id, username }) {
      await openWorkspace(tx, id, `of ${username}`)
    },
    async deleted(tx, { id }) {
      await tx.deleteFrom('workspaces').where('owner_id', '=', id).execute()
    },
    ...own,
  }
}

export async function openWorkspace(tx: Tx, owner_id: string, title: string): Promise<void> {
  await tx.insertInto('workspaces').values({ owner_id, title }).execute()
}

/**
 * Stores of an app with workspaces, on connections of their own.
 * @param alongside `undefined`: of an app without them
 * @param onStatement is told each statement
 */
export async function storesWith(
  { place, prefix, sessions }: Pick<Stores, 'place' | 'prefix' | 'sessions'>,
  alongside: Alongside<Tx> | undefined,
  onStatement?: (sql: string) => void,
): Promise<{ userStore: ListingUserStore; sessionStore: SessionStore }> {
  const db = await connectTo(place, onStatement)
  onTestFinished(() => db.destroy())
  const userStore = createKyselyUserStore({ db, alongside })
  const sessionStore = prefix === undefined ? createKyselySessionStore({ db, userStore }) : sessions
  return { userStore, sessionStore }
}

/** Creates the table, which is gone after the test, and returns what it has to do with the users. */
export async function makeWorkspaces({ place }: Pick<Stores, 'place'>) {
  const db = await connectTo(place)
  const idType = place?.driver === 'mysql2' ? 'varbinary(255)' : 'varchar(255)'
  await sql
    .raw(
      `create table workspaces (owner_id ${idType} not null primary key, title varchar(200) not null unique)`,
    )
    .execute(db)
  onTestFinished(async () => {
    await sql`drop table workspaces`.execute(db)
    await db.destroy()
  })
  const titles = async () => {
    const rows = await db.selectFrom('workspaces').select('title').orderBy('title').execute()
    return rows.map(({ title }) => title)
  }
  const people = async () => {
    const users = createKyselyUserStore({ db })
    return users.list({ limit: 1000, where: { kind: 'person' }, order: { by: 'usernameKey' } })
  }
  return {
    db,
    /** Runs SQL, and returns its rows. */
    run: async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows,
    titles,
    /** The names of all people, each of whom has one workspace, and nobody else has. */
    async owners() {
      const rows = await db.selectFrom('workspaces').select('owner_id').execute()
      const found = await people()
      expect(rows.map(({ owner_id }) => String(owner_id)).sort()).toEqual(found.map(({ id }) => id).sort())
      return found.map(({ username }) => username)
    },
  }
}

export function connectTo(
  place: Place | undefined,
  onStatement?: (sql: string) => void,
): Promise<Kysely<HostTables>> {
  if (place === undefined) throw new Error('this ground has no database')
  const db = onStatement === undefined ? connect(place) : connectWatched(place, onStatement)
  return db as Promise<Kysely<HostTables>>
}
