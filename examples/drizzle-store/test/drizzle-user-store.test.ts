import { newUser, userStoreCases } from '@fastify-accounts/testing'
import type { Client } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { closable } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { createDrizzleUserStore } from '../src/drizzle-user-store.js'
import { emptyDatabase, oldDatabase } from './customers.js'

async function open() {
  const { client } = await emptyDatabase()
  return { client, store: createDrizzleUserStore(drizzle(client)) }
}

let last: Client
async function openClosable() {
  const { client, store } = await open()
  last = client
  return closable(store, () => client.close())
}
const fail = async () => void (await last.execute('DROP TABLE customers'))

for (const { name, run } of userStoreCases(openClosable, { fail })) test(name, run)

test('stores fields in their column if the customers table has one', async () => {
  const { client, store } = await open()
  const fields = { full_name: 'Ada Lovelace', phone: '+441234567', tags: ['a'] }
  const { id } = await store.create(newUser({ username: 'Ada', isActive: false, fields }))
  const row = async () => (await client.execute('SELECT * FROM customers')).rows[0]
  expect(await row()).toMatchObject({
    id: Number(id),
    login: 'Ada',
    full_name: 'Ada Lovelace',
    phone: '+441234567',
    more_fields: '{"tags":["a"]}',
    blocked: 1,
    // Columns that accounts don't know have the table's defaults.
    country: 'GB',
    newsletter: 1,
  })
  expect((await store.findById(id))?.fields).toEqual(fields)
  await store.update(id, { fields: { full_name: 'Ada King' }, isActive: true }, 1)
  expect(await row()).toMatchObject({ full_name: 'Ada King', phone: null, more_fields: '{}', blocked: 0 })
})

test('a search looks into columns and other fields alike, and at nothing but texts', async () => {
  const { store } = await open()
  const fields = { full_name: '100% Ada', phone: '+441234567', town: 'Adana', tags: ['Ada'], quote: "'" }
  const ada = await store.create(newUser({ fields }))
  await store.create(newUser({ fields: { town: 'Bath' } }))
  const found = async (text: string, ...fields: string[]) =>
    (await store.list({ limit: 10, search: { text, fields } })).map(({ id }) => id)
  for (const [text, field] of [
    ['aDA', 'full_name'],
    ['4123', 'phone'],
    ['DAN', 'town'],
    ["'", 'quote'],
  ] as const) {
    expect(await found(text, field)).toEqual([ada.id])
    expect(await found(text, 'nothing', field)).toEqual([ada.id])
  }
  for (const [text, field] of [
    ['ada', 'tags'],
    ['ada', 'phone'],
    ['1%A', 'full_name'],
    ['d_n', 'town'],
    ["'", 'full_name'],
  ] as const) {
    expect(await found(text, field)).toEqual([])
  }
})

test('customers of the old application are people; unclaimed accounts stay out of their list', async () => {
  const { client, store } = await open()
  await client.execute("INSERT INTO customers (login, password, username_key) VALUES ('bob', 'x', 'bob')")
  const bob = await store.findByUsername('bob')
  expect(bob).toMatchObject({ kind: 'person', origin: 'host', roles: [] })
  await store.create(newUser({ kind: 'unclaimed', email: null, emailKey: null }))
  expect(await store.list({ limit: 10, where: { kind: 'person' } })).toEqual([bob])
})

test.each([[7], [''], [null], ['a\0']])('a field with a column accepts only text, not %j', async (value) => {
  const { store } = await open()
  await expect(store.create(newUser({ fields: { full_name: value } }))).rejects.toMatchObject({
    name: 'InvalidArgumentError',
    message: expect.stringContaining('full_name'),
  })
})

test('does not find a customer without an account', async () => {
  const { client, store } = await open()
  await client.execute("INSERT INTO customers (login, password) VALUES ('bob', 'x')")
  expect(await store.findById('1')).toBeNull()
  expect(await store.list({ limit: 10 })).toEqual([])
  expect(await store.update('1', { isStaff: true }, 1)).toBeNull()
  expect(await store.delete('1')).toBe(false)
  expect((await client.execute('SELECT is_staff FROM customers')).rows).toEqual([{ is_staff: 0 }])
})

test("a change of an account's row by the old application raises its version", async () => {
  const { client, store } = await open()
  const { id } = await store.create(newUser({ fields: { full_name: 'Ada' } }))
  await client.execute("UPDATE customers SET phone = '+441234567'")
  expect(await store.findById(id)).toMatchObject({ version: 2, fields: { phone: '+441234567' } })
  // Otherwise an update by someone who read the user earlier would undo it.
  expect(await store.update(id, { fields: { full_name: 'Ada King' } }, 1)).toBeNull()
  await client.execute("UPDATE customers SET newsletter = 0, country = 'FR'")
  expect(await store.findById(id)).toMatchObject({ version: 2, sessionEpoch: 0, resetEpoch: 0 })
})

test('a password set by the old application ends existing sessions and reset links', async () => {
  const { client, store } = await open()
  const { id } = await store.create(newUser())
  await client.execute("UPDATE customers SET password = 'another hash'")
  expect(await store.findById(id)).toMatchObject({ version: 2, sessionEpoch: 1, resetEpoch: 1 })
  // The plugin raises them itself.
  await store.update(id, { passwordHash: 'a third', sessionEpoch: 2, resetEpoch: 2 }, 2)
  expect(await store.findById(id)).toMatchObject({ version: 3, sessionEpoch: 2, resetEpoch: 2 })
})

test('the old application cannot change a login or an email without its key', async () => {
  const { client, store } = await open()
  const user = await store.create(newUser())
  for (const column of ['login', 'mail']) {
    await expect(client.execute(`UPDATE customers SET ${column} = 'eve'`)).rejects.toThrow('their keys')
  }
  expect(await store.findById(user.id)).toEqual(user)
})

test('a failure is an UnavailableError that reveals neither the statement nor its values', async () => {
  // A table without the columns that accounts need.
  const { client } = await oldDatabase()
  const store = createDrizzleUserStore(drizzle(client))
  const calls = [
    store.create(newUser({ passwordHash: 'very secret' })),
    store.findByEmail('very secret'),
    store.list({ limit: 1 }),
    store.update('1', { passwordHash: 'very secret' }, 1),
    store.delete('1'),
  ]
  for (const result of await Promise.allSettled(calls)) {
    const error: Error = result.status === 'rejected' ? result.reason : expect.fail('it did not fail')
    expect(error.name).toBe('UnavailableError')
    expect(`${error.message} ${error.stack} ${error.cause}`).not.toMatch(/very secret|SELECT|UPDATE|INSERT/i)
  }
})
