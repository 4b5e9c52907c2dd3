import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Client } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { createScryptHasher, type Mail } from 'fastify-accounts'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../src/app.js'
import { backFill } from '../src/back-fill.js'
import { createDrizzleUserStore } from '../src/drizzle-user-store.js'
import { oldDatabase, run } from './customers.js'

const password = 'seven-green-lanterns'
const secret = 'a secret of at least 32 bytes for tests'

interface OldCustomer {
  login: string
  mail?: string | null
  password?: string
  full_name?: string | null
  blocked?: number
  created?: string
}

async function insert(client: Client, customer: OldCustomer): Promise<void> {
  const all = { password: 'x', ...customer }
  const names = Object.keys(all)
  await client.execute({
    sql: `INSERT INTO customers (${names}) VALUES (${names.map(() => '?')})`,
    args: Object.values(all),
  })
}

async function databaseWith(customers: OldCustomer[]) {
  const database = await oldDatabase()
  for (const customer of customers) await insert(database.client, customer)
  await run(database.client, 'accounts.sql')
  const db = drizzle(database.client)
  return { ...database, db, store: createDrizzleUserStore(db) }
}

async function start(url: string) {
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  const app = await buildApp(url, { secret, baseUrl: 'https://example.org', mailer })
  onTestFinished(() => app.close())
  const post = (path: string, payload: object) => app.inject({ method: 'POST', url: path, payload })
  return { app, mails, post }
}

test('an existing customer logs in with the old password, and keeps the same id', async () => {
  const { url, db } = await databaseWith([
    {
      login: 'Ada',
      mail: 'Ada@Example.org',
      password: await createScryptHasher({ logN: 10 }).hash(password),
      full_name: 'Ada Lovelace',
      created: '2019-03-05 14:01:22',
    },
  ])
  expect(await backFill(db)).toEqual({ filled: [1], withoutAccount: [], withoutAddress: [] })
  const { app, post } = await start(url)
  expect((await post('/login/', { username: 'ada', password: 'another one' })).statusCode).toBe(401)
  const login = await post('/login/', { username: 'ADA', password })
  expect(login.statusCode).toBe(200)
  const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
  expect((await app.inject({ url: '/me/', cookies })).json()).toMatchObject({
    id: '1',
    username: 'Ada',
    email: 'Ada@Example.org',
    created_at: '2019-03-05T14:01:22.000Z',
    full_name: 'Ada Lovelace',
  })
  // New customers can't take the name.
  const taken = { username: 'ada', password, confirm_password: password, full_name: 'Another Ada' }
  expect((await post('/signup/', taken)).statusCode).toBe(409)
})

test('a customer whose hash no hasher can verify sets a new password by email', async () => {
  const { url, db } = await databaseWith([
    { login: 'Bob the Builder', mail: 'bob@example.org', password: `$2b$12$${'a'.repeat(53)}` },
  ])
  await backFill(db)
  const { app, mails, post } = await start(url)
  expect((await post('/login/', { username: 'bob the builder', password })).statusCode).toBe(401)
  await post('/forgot/', { email: 'BOB@example.org' })
  await expect.poll(() => mails.length).toBe(1)
  const [link = ''] = mails[0]?.text.match(/https:\S+\/reset\/\S+/) ?? []
  const reset = await post(new URL(link).pathname, { new_password: password, confirm_password: password })
  expect(reset.statusCode).toBe(204)
  // Today's rules would reject this name.
  const login = await post('/login/', { username: 'bob the builder', password })
  expect(login.statusCode).toBe(200)
  // This customer never gave a full name: the responses omit the field.
  const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
  const me = await app.inject({ url: '/me/', cookies })
  expect(me.statusCode).toBe(200)
  expect(me.json()).not.toHaveProperty('full_name')
})

test('a blocked customer cannot log in', async () => {
  const { url, db } = await databaseWith([
    { login: 'eve', blocked: 1, password: await createScryptHasher({ logN: 10 }).hash(password) },
  ])
  await backFill(db)
  const { post } = await start(url)
  expect((await post('/login/', { username: 'eve', password })).json()).toMatchObject({
    code: 'ACCOUNTS_DISABLED',
  })
})

test("signup requires the customers' fields, and stores them in their columns", async () => {
  const { url, client } = await databaseWith([])
  const { post } = await start(url)
  const user = { username: 'ada', password, confirm_password: password }
  expect((await post('/signup/', user)).statusCode).toBe(400)
  const whole = { ...user, full_name: 'Ada Lovelace', phone: '+441234567' }
  expect((await post('/signup/', whole)).statusCode).toBe(201)
  const { rows } = await client.execute('SELECT full_name, phone, country FROM customers')
  expect(rows).toEqual([{ full_name: 'Ada Lovelace', phone: '+441234567', country: 'GB' }])
})

test('ambiguous customers are reported, and have no account until a decision is made', async () => {
  const { client, db, store } = await databaseWith([
    { login: 'ada', mail: 'ada@example.org' },
    { login: 'Ada', mail: 'other@example.org' },
    { login: 'bob', mail: 'family@example.org' },
    { login: 'eve', mail: 'Family@Example.org' },
    { login: 'kim', mail: 'no address' },
    { login: '', mail: null },
    { login: 'joe', mail: null },
  ])
  expect(await backFill(db)).toEqual({
    filled: [3, 4, 5, 7],
    withoutAccount: [1, 2, 6],
    withoutAddress: [3, 4, 5],
  })
  expect(await store.findByUsername('ada')).toBeNull()
  expect(await store.findByEmail('ada@example.org')).toBeNull()
  expect(await store.findByEmail('family@example.org')).toBeNull()
  expect(await store.findByUsername('kim')).toMatchObject({ id: '5', email: null, emailKey: null })
  expect(await store.findByUsername('joe')).toMatchObject({ id: '7', email: null })

  await client.execute("UPDATE customers SET login = 'ada2' WHERE id = 2")
  await client.execute('UPDATE customers SET mail = NULL, version = version + 1 WHERE id = 4')
  expect(await backFill(db)).toEqual({ filled: [1, 2, 3], withoutAccount: [6], withoutAddress: [5] })
  expect(await store.findByUsername('ada')).toMatchObject({ id: '1', email: 'ada@example.org' })
  expect(await store.findByUsername('ada2')).toMatchObject({ id: '2' })
  expect(await store.findByEmail('family@example.org')).toMatchObject({ id: '3' })
  expect(await backFill(db)).toMatchObject({ filled: [] })
})

test('a customer created later by the old application takes no name or address from an account', async () => {
  const { client, db, store } = await databaseWith([{ login: 'ada', mail: 'ada@example.org' }])
  await backFill(db)
  await insert(client, { login: 'ADA', mail: 'ADA@example.org' })
  await insert(client, { login: 'bob', mail: 'ada@Example.org' })
  expect(await backFill(db)).toEqual({ filled: [3], withoutAccount: [2], withoutAddress: [3] })
  expect(await store.findByUsername('ada')).toMatchObject({ id: '1', emailKey: 'ada@example.org' })
  expect(await store.findByUsername('bob')).toMatchObject({ id: '3', email: null })
})

test('the script fills the given database, and reports what is left', async () => {
  const { url, client } = await databaseWith([{ login: 'ada' }, { login: 'bob', mail: 'no address' }])
  const script = fileURLToPath(new URL('../dist/run-back-fill.js', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [script], {
    env: { DATABASE_URL: url },
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(stdout).toMatch(/filled: 2\n.*: none\n.*: 2\n/)
  const { rows } = await client.execute('SELECT username_key FROM customers ORDER BY id')
  expect(rows).toEqual([{ username_key: 'ada' }, { username_key: 'bob' }])
})
