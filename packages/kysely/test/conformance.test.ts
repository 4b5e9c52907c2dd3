import {
  createKyselyActivity,
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  migrate,
  type Naming,
  postgresDialect,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import {
  type DriverName,
  dialectFor,
  driversHere,
  driversOfLaws,
  makeDatabase,
  openSqlite,
} from '@fastify-accounts/test-support/databases'
import { lawsFor } from '@fastify-accounts/test-support/laws'
import {
  activityStoreCases,
  invitationStoreCases,
  outboxCases,
  sessionStoreCases,
  userStoreCases,
} from '@fastify-accounts/testing'
import { organizationStoreCases } from '@fastify-accounts/testing/organizations'
import { type Dialect, Kysely, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { otherNames } from './support/names.js'

interface Opened {
  dialect: Dialect
  /** To the same database, for a second handle: set if other connections can write meanwhile. */
  second?: Dialect
  drop?(): Promise<void>
}
interface SetUp {
  title: string
  engine: Engine
  open(): Promise<Opened>
  naming?: Naming
}

async function openNew(driver: DriverName, connections: number): Promise<Opened> {
  const { place, drop } = await makeDatabase(driver)
  const isServer = driver === 'pg' || driver === 'mysql2'
  const second = isServer ? { second: await dialectFor(place, connections) } : {}
  return { dialect: await dialectFor(place, connections), ...second, drop }
}

const defaultTables = {
  users: 'accounts_users',
  identities: 'accounts_identities',
  sessions: 'accounts_sessions',
  invitations: 'accounts_invitations',
  activity: 'accounts_activity',
  organizations: 'accounts_organizations',
  organizationMembers: 'accounts_organization_members',
  outbox: 'accounts_outbox',
}

const setUps: SetUp[] = []
for (const { name, engine, title } of await driversHere(driversOfLaws)) {
  setUps.push(
    { title: `${title}, one connection`, engine, open: () => openNew(name, 1) },
    { title: `${title}, other names`, engine, open: () => openNew(name, 10), naming: otherNames },
  )
  if (name === 'pg' || name === 'mysql2') {
    setUps.push({ title: `${title}, a pool of ten`, engine, open: () => openNew(name, 10) })
  }
  if (name === 'pg') {
    setUps.push({
      title: `${title}, prepared`,
      engine,
      async open() {
        const { place, drop } = await makeDatabase(name)
        const pool = new pg.Pool({ connectionString: place.url })
        return { dialect: postgresDialect(pool, { prepare: true }), drop }
      },
    })
  }
  // Kysely's own dialect doesn't support node:sqlite.
  if (engine === 'sqlite' && name !== 'node:sqlite') {
    setUps.push({
      title: `${title}, in memory, by the dialect of Kysely itself`,
      engine,
      open: async () => ({ dialect: new SqliteDialect({ database: await openSqlite(name, ':memory:') }) }),
    })
  }
}

const tried = lawsFor(setUps, ({ engine }) => engine)

describe.each(setUps)('$title', (setUp) => {
  const { open, naming = {} } = setUp
  let opened: Opened
  let db: Kysely<unknown>
  let other: Kysely<unknown> | undefined

  beforeAll(async () => {
    opened = await open()
    db = new Kysely({ dialect: opened.dialect })
    other = opened.second && new Kysely({ dialect: opened.second })
    await migrate(db, naming)
  })
  afterAll(async () => {
    await db.destroy()
    await other?.destroy()
    await opened.drop?.()
  })

  /** Each law starts with empty tables. */
  async function onEmptyTables() {
    for (const name of Object.keys(defaultTables) as (keyof typeof defaultTables)[])
      await sql`delete from ${sql.table(naming.tables?.[name] ?? defaultTables[name])}`.execute(db)
    return { db, ...naming }
  }

  /** One store, or two on separate connection pools. */
  async function onEach<Store>(make: (options: Awaited<ReturnType<typeof onEmptyTables>>) => Store) {
    const options = await onEmptyTables()
    return other ? ([make(options), make({ ...options, db: other })] as const) : make(options)
  }

  /** Takes a table away, and returns what gives it back. */
  async function withoutTable(name: keyof typeof defaultTables) {
    const table = naming.tables?.[name] ?? defaultTables[name]
    const rename = async (from: string, to: string) =>
      void (await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db))
    await rename(table, `gone_${name}`)
    return () => rename(`gone_${name}`, table)
  }

  /** Cuts the JSON of a message. */
  async function spoil(id: string): Promise<void> {
    const table = sql.table(naming.tables?.outbox ?? 'accounts_outbox')
    const column = (name: 'id' | 'mail') => sql.ref(naming.columns?.outbox?.[name] ?? name)
    await sql`update ${table} set ${column('mail')} = ${'{'} where ${column('id')} = ${id}`.execute(db)
  }

  const suites = {
    'user store': userStoreCases(() => onEach(createKyselyUserStore), {
      fail: () => withoutTable('users'),
      alongside: (alongside) => onEach((options) => createKyselyUserStore({ ...options, alongside })),
    }),
    outbox: outboxCases(() => onEach(createKyselyUserStore), {
      spoil,
      fail: () => withoutTable('outbox'),
    }),
    'session store': sessionStoreCases(
      () =>
        onEach((options) =>
          createKyselySessionStore({ ...options, userStore: createKyselyUserStore(options) }),
        ),
      { fail: () => withoutTable('sessions') },
    ),
    'invitation store': invitationStoreCases(
      () =>
        onEach((options) =>
          createKyselyInvitationStore({ ...options, userStore: createKyselyUserStore(options) }),
        ),
      { fail: () => withoutTable('invitations') },
    ),
    'organization store': organizationStoreCases(
      () =>
        onEach((options) =>
          createKyselyOrganizationStore({ ...options, userStore: createKyselyUserStore(options) }),
        ),
      {
        fail: async () => {
          const ends = [await withoutTable('organizations'), await withoutTable('organizationMembers')]
          return async () => {
            for (const end of ends) await end()
          }
        },
      },
    ),
    'activity store': activityStoreCases(() => onEach(createKyselyActivity), {
      fail: () => withoutTable('activity'),
    }),
  }
  for (const [store, laws] of Object.entries(suites)) {
    for (const { name, run } of tried(setUp, laws)) test(`${store}, ${name}`, run)
  }
})
