import {
  type ColumnNames,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  type Naming,
} from '@fastify-accounts/kysely'
import {
  dialectFor,
  driversHere,
  driversOfLaws,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { lawsFor } from '@fastify-accounts/test-support/laws'
import { outboxCases, sessionStoreCases, userStoreCases } from '@fastify-accounts/testing'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Each form of a column, under a name that is another column's default one. */
const columns = {
  users: {
    id: { as: 'uuid' },
    is_verified: { as: 'boolean' },
    is_staff: { name: 'is_active', as: 'boolean' },
    is_active: { name: 'is_staff', as: 'not boolean' },
    created_at: { name: 'last_login_at', as: 'timestamptz' },
    last_login_at: { name: 'created_at', as: 'timestamptz' },
    email_changed_at: { as: 'timestamptz' },
  },
  identities: { user_id: { as: 'uuid' } },
} as const satisfies ColumnNames

const drivers = await driversHere(driversOfLaws)
const tried = lawsFor(drivers, ({ engine }) => engine)

describe.each(drivers)('columns of other types: $title', (driver) => {
  const naming: Naming = { columns }
  let database: TestDatabase
  let db: Kysely<unknown>
  let other: Kysely<unknown>

  beforeAll(async () => {
    database = await makeDatabase(driver.name)
    db = new Kysely({ dialect: await dialectFor(database.place) })
    other = new Kysely({ dialect: await dialectFor(database.place) })
    await migrate(db, naming)
  })
  afterAll(async () => {
    await db.destroy()
    await other.destroy()
    await database.drop()
  })

  async function onEach<Store>(make: (options: Naming & { db: Kysely<unknown> }) => Store) {
    for (const table of ['users', 'identities', 'sessions', 'outbox'])
      await sql`delete from ${sql.table(`accounts_${table}`)}`.execute(db)
    const isServer = driver.name === 'pg' || driver.name === 'mysql2'
    return isServer
      ? ([make({ db, ...naming }), make({ db: other, ...naming })] as const)
      : make({ db, ...naming })
  }

  const suites = {
    'user store': userStoreCases(() => onEach(createKyselyUserStore)),
    outbox: outboxCases(() => onEach(createKyselyUserStore)),
    'session store': sessionStoreCases(() =>
      onEach((options) =>
        createKyselySessionStore({ ...options, userStore: createKyselyUserStore(options) }),
      ),
    ),
  }
  test('doctor finds nothing to say about them', async () => {
    const stores = [createKyselyUserStore({ db, ...naming }), createKyselySessionStore({ db, ...naming })]
    expect((await Promise.all(stores.map((store) => store.inspect?.()))).flat()).toEqual([])
  })

  for (const [store, laws] of Object.entries(suites)) {
    for (const { name, run } of tried(driver, laws)) test(`${store}, ${name}`, run)
  }
})
