import { makeProject, runCli, runModule } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'

const open = `
import { createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
export const db = openSqlite(new Database('accounts.db'))
export const userStore = createKyselyUserStore({ db })
await migrate(db)
`
/** Users as an earlier version stored them. */
const fill = `
import { db, userStore } from './open.mjs'
import { newUser } from '@fastify-accounts/testing'
for (const [username, usernameKey, kind] of JSON.parse(process.argv[2]))
  await userStore.create(newUser({ username, usernameKey, kind, email: null, emailKey: null }))
await db.destroy()
`
const look = `
import { db, userStore } from './open.mjs'
const users = await userStore.list({ limit: 10 })
console.log(JSON.stringify(Object.fromEntries(users.map(({ id, username, usernameKey, version }) => [username, { id, usernameKey, version }]))))
await db.destroy()
`
const config = `
import { db, userStore } from './open.mjs'
export const options = { userStore, secret: 'a-secret-of-enough-bytes-for-this-test!!' }
export const close = () => db.destroy()
`

test('updates the keys that have changed, unless another user has the name', async () => {
  const folder = makeProject({
    'open.mjs': open,
    'fill.mjs': fill,
    'look.mjs': look,
    'accounts.config.mjs': config,
  })
  const before = [
    ['İpek', 'i\u0307pek', 'person'],
    ['ali\u200creza', 'ali\u200creza', 'person'],
    ['İrem', 'i\u0307rem', 'unclaimed'],
    ['İnci', 'i\u0307nci', 'person'],
    ['inci', 'inci', 'person'],
    [null, null, 'person'],
  ]
  const filled = await runModule(folder, ['fill.mjs', JSON.stringify(before)])
  expect(filled).toMatchObject({ code: 0, stderr: '' })
  const usernames = async () => {
    const { findings } = JSON.parse((await runCli(folder, ['doctor', '--json'])).stdout)
    return findings
      .filter((each: { what: string }) => each.what === 'usernames')
      .map((each: { detail: string }) => each.detail)
  }
  const users = async () => JSON.parse((await runModule(folder, ['look.mjs'])).stdout)
  const taken = (await users()).İnci.id

  expect((await usernames())[1]).toMatch(/^3 were stored by an earlier version/)
  const { code, stdout } = await runCli(folder, ['rekey', '--json'])
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 1, rekeyed: 3, taken: [taken] })
  expect(await users()).toMatchObject({
    İpek: { usernameKey: 'ipek', version: 2 },
    'ali\u200creza': { usernameKey: 'alireza', version: 2 },
    İrem: { usernameKey: 'irem', version: 2 },
    İnci: { usernameKey: 'i\u0307nci', version: 1 },
    inci: { usernameKey: 'inci', version: 1 },
    null: { usernameKey: null, version: 1 },
  })
  expect((await usernames())[1]).toMatch(/^1 was stored by an earlier version.*rekey$/)
  expect((await runCli(folder, ['rekey'])).stdout).toBe(
    `updated: 0\nanother user has the same name now: ids ${taken}; change the username\n`,
  )
})
