import { makeProject, runCli, runModule, runProcess } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'
import { createVault } from '../../packages/accounts/src/tokens/vault.js'

const [old, fresh] = ['an-old-secret-of-enough-bytes-for-a-test', 'a-new-secret-of-enough-bytes-for-a-test!']

const open = `
import { createKyselyUserStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
export const db = openSqlite(new Database('accounts.db'))
export const userStore = createKyselyUserStore({ db })
export const migrate = () => migrateTables(db)
`
const fill = `
import { db, migrate, userStore } from './open.mjs'
import { newUser } from '@fastify-accounts/testing'
await migrate()
for (const sealed of JSON.parse(process.argv[2])) {
  await userStore.create(newUser({ factors: ['totp'], credentials: [{ kind: 'totp', id: 'a', sealed, step: 1 }] }))
}
await userStore.create(newUser())
await db.destroy()
`
const look = `
import { db, userStore } from './open.mjs'
const users = await userStore.list({ limit: 10 })
console.log(JSON.stringify(users.map(({ credentials, version }) => [credentials, version])))
await db.destroy()
`
const config = (secret: string[]) => `
import { db, userStore } from './open.mjs'
export const options = { userStore, secret: ${JSON.stringify(secret)} }
export const close = () => db.destroy()
`

test('reseals only data sealed with an older secret', async () => {
  const files = { 'open.mjs': open, 'fill.mjs': fill, 'look.mjs': look }
  const folder = makeProject({
    ...files,
    'accounts.config.mjs': config([fresh, old]),
    'without.mjs': config([fresh]),
  })
  const vaults = { old: createVault([old]), fresh: createVault([fresh]) }
  const kept = vaults.fresh.seal('B')
  const filled = await runModule(folder, ['fill.mjs', JSON.stringify([vaults.old.seal('A'), kept])])
  expect(filled).toMatchObject({ code: 0, stderr: '' })
  const reseal = async (...args: string[]) => {
    const { code, stdout } = await runCli(folder, ['reseal', '--json', ...args])
    return { code, ...JSON.parse(stdout) }
  }
  /** What `doctor` says of the secret. */
  const inspected = async (...args: string[]) => {
    const { findings } = JSON.parse((await runCli(folder, ['doctor', '--json', ...args])).stdout)
    return findings
      .filter(({ what }: { what: string }) => what === 'secret')
      .map(({ state, detail }: { state: string; detail: string }) => `${state} ${detail}`)
  }

  expect(await inspected()).toEqual([
    'warning 1 user has values sealed with an older one: run npx fastify-accounts reseal before you remove it',
  ])
  expect(await inspected('--config', 'without.mjs')).toEqual([
    expect.stringMatching(/^failed 1 user has values sealed with one that isn't listed/),
  ])
  expect(await reseal('--config', 'without.mjs')).toEqual({ code: 1, resealed: 0, failed: 1 })
  const { code, stdout } = await runProcess(folder, ['reseal', '--json'])
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, resealed: 1, failed: 0 })
  expect(await reseal()).toEqual({ code: 0, resealed: 0, failed: 0 })
  expect(await inspected()).toEqual([])
  const [[[moved], version], [[same]], [none]] = JSON.parse((await runModule(folder, ['look.mjs'])).stdout)
  expect([vaults.fresh.open(moved.sealed), moved.step, version]).toEqual(['A', 1, 2])
  expect(same.sealed).toBe(kept)
  expect(none).toEqual([])
})
