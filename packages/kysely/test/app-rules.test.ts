import {
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  migrate,
} from '@fastify-accounts/kysely'
import { goodPassword, logIn, signUp, testAppOn } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { CompiledQuery, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const conflict = [409, 'ACCOUNTS_CONFLICT']
const postgresTrigger = (condition: string, refusal: string): string[] => [
  `create function rule_of_the_app() returns trigger language plpgsql as $$ begin if ${condition} then ${refusal}; end if; return new; end $$`,
  'create trigger rule_of_the_app before insert or update on accounts_users for each row execute function rule_of_the_app()',
]

/** Rules that refuse users named `mallory`, in the words of each engine. */
const rules: Record<Engine, Record<string, string[]>> = {
  sqlite: {
    'a trigger': [
      "create trigger rule_of_the_app before insert on accounts_users when new.username = 'mallory' begin select raise(abort, 'rule_of_the_app'); end",
    ],
    'a trigger that ends the transaction': [
      "create trigger rule_of_the_app before insert on accounts_users when new.username = 'mallory' begin select raise(rollback, 'rule_of_the_app'); end",
    ],
    'a unique index of its own': [
      "create unique index rule_of_the_app on accounts_users (case username when 'mallory' then 'alice' else username end)",
    ],
  },
  postgres: {
    'a check': ["alter table accounts_users add constraint rule_of_the_app check (username <> 'mallory')"],
    'a trigger': postgresTrigger("new.username = 'mallory'", "raise exception 'rule_of_the_app'"),
    'a trigger with its own state': postgresTrigger(
      "new.username = 'mallory'",
      "raise exception 'rule_of_the_app' using errcode = 'ZZ001'",
    ),
    'a unique index of its own': [
      "create unique index rule_of_the_app on accounts_users ((case username when 'mallory' then 'alice' else username end))",
    ],
  },
  mysql: {
    'a check': ["alter table accounts_users add constraint rule_of_the_app check (username <> 'mallory')"],
    'a trigger': [
      "create trigger rule_of_the_app before insert on accounts_users for each row if new.username = 'mallory' then signal sqlstate '45000' set message_text = 'rule_of_the_app'; end if",
    ],
  },
}

/** Rows of the app that keep a user from being deleted. */
const posts: Record<Engine, string> = {
  sqlite: 'text',
  postgres: 'text collate "C"',
  mysql: 'varbinary(255)',
}

describe.each(await driversHere())('rules of the app in the database: $title', ({ name, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement))

  beforeEach(async () => {
    database = await makeDatabase(name)
    db = await connect(database.place)
    await migrate(db)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  async function start() {
    const lines: Record<string, unknown>[] = []
    const write = (line: string) => void lines.push(JSON.parse(line))
    const stores = { users: createKyselyUserStore({ db }), sessions: createKyselySessionStore({ db }) }
    const service = await testAppOn(
      stores,
      { users: { variant: 'both' }, requireEmailConfirmation: false },
      { server: { logger: { level: 'info', stream: { write } } } },
    )
    return { ...service, lines }
  }
  type Started = Awaited<ReturnType<typeof start>>

  /** A conflict that the client isn't told more about; the log is, and knows of no outage. */
  async function expectRefusal(
    { app, lines }: Started,
    response: Parameters<typeof refusalOf>[0],
    reason: RegExp,
  ) {
    expect(refusalOf(response)).toEqual(conflict)
    expect(response.body).not.toMatch(/rule_of_the_app|accounts_users|constraint|trigger|database/)
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([])
    expect(lines).toContainEqual(
      expect.objectContaining({ code: 'ACCOUNTS_CONFLICT', reason: expect.stringMatching(reason) }),
    )
    expect((await app.accounts.check()).ok).toBe(true)
  }

  test.each(Object.entries(rules[engine]))(
    '%s that refuses a user is a conflict, no outage',
    async (_, statements) => {
      const service = await start()
      await signUp(service, 'alice')
      for (const statement of statements) await run(statement)
      const passwords = { password: goodPassword, confirm_password: goodPassword }
      const mallory = { username: 'mallory', email: 'mallory@example.org', ...passwords }
      const response = await service.send('POST', '/signup/', mallory)
      await expectRefusal(service, response, /a rule of the database refuses the change: ./)
      expect((await service.users.list({ limit: 9 })).map(({ username }) => username)).toEqual(['alice'])
      expect(service.mails.filter(({ to }) => to.address === mallory.email)).toEqual([])
      await signUp(service, 'bob')
    },
  )

  test('a foreign key that keeps a user from being deleted is a conflict, no outage', async () => {
    const service = await start()
    const { id } = await signUp(service, 'alice')
    const cookie = await logIn(service, 'alice')
    await run(
      `create table posts (author ${posts[engine]} not null, constraint rule_of_the_app foreign key (author) references accounts_users (id) on delete restrict)`,
    )
    await run(`insert into posts values ('${id}')`)
    const headers = { cookie }
    await expectRefusal(
      service,
      await service.app.inject({ method: 'DELETE', url: '/me/', headers }),
      /foreign key/i,
    )
    expect((await service.app.inject({ url: '/me/', headers })).statusCode).toBe(200)
    await run('delete from posts')
    expect((await service.app.inject({ method: 'DELETE', url: '/me/', headers })).statusCode).toBe(204)
  })
})
