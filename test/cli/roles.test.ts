import { makeProject, runCli, runModule } from '@fastify-accounts/test-support/cli'
import type { StoredUser } from 'fastify-accounts'
import { describe, expect, test } from 'vitest'

const password = 'seven green lanterns'

/** @param roles the option, as JavaScript; `undefined` for none */
const config = (roles: string) => `
import { createKyselyUserStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import { createScryptHasher } from 'fastify-accounts'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
export const options = {
  secret: 'a test needs no better secret than this one',
  baseUrl: 'https://example.org',
  userStore: createKyselyUserStore({ db }),
  passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
  roles: ${roles},
}
export const migrate = () => migrateTables(db)
export const close = () => db.destroy()
`
const two = `{ support: ['users:read'], editor: ['posts:write'] }`

const look = `
import { close, options } from './accounts.config.mjs'
console.log(JSON.stringify(await options.userStore.list({ limit: 10 })))
await close()
`

async function open(roles = two, files: Record<string, string> = {}) {
  const folder = makeProject({ 'accounts.config.mjs': config(roles), 'look.mjs': look, ...files })
  expect((await runCli(folder, ['migrate'])).code).toBe(0)
  return {
    folder,
    run: async (...args: string[]) => runCli(folder, args, { input: `${password}\n` }),
    async users(): Promise<StoredUser[]> {
      return JSON.parse((await runModule(folder, ['look.mjs'])).stdout)
    },
  }
}

describe('create-user and change-roles', () => {
  test('give and take roles and staff rights, and keep what nobody named', async () => {
    const { run, users } = await open()
    const made = await run('create-user', '--username', 'ada', '--role', 'support', '--role', 'support')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(await users()).toMatchObject([{ roles: ['support'], isStaff: false }])
    const shown = await run('change-roles', 'ada')
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.stdout.split('\n').slice(1, 3)).toEqual(['staff: no', 'roles: support'])
    expect(await users()).toMatchObject([{ version: 1 }])
    const given = await run('change-roles', 'ada', '--add', 'editor', '--staff', '--json')
    expect(JSON.parse(given.stdout)).toMatchObject({ isStaff: true, roles: ['support', 'editor'] })
    const taken = await run('change-roles', 'ada', '--remove', 'support', '--no-staff')
    expect(taken.stdout.split('\n').slice(1, 3)).toEqual(['staff: no', 'roles: editor'])
    expect((await run('change-roles', 'ada', '--remove', 'editor')).stdout).toContain('roles: none')
    expect(await users()).toMatchObject([{ roles: [], isStaff: false }])
  })

  test.each([
    [['change-roles', 'ada', '--add', 'root'], 'root is not in the option roles, which has support, editor'],
    [
      ['change-roles', 'ada', '--add', 'editor', '--remove', 'editor'],
      "editor can't be both added and removed",
    ],
    [['change-roles', 'ada', '--staff', '--no-staff'], '--staff and --no-staff exclude each other'],
    [['create-user', '--username', 'bob', '--role', 'root'], 'root is not in the option roles'],
  ])('%j is refused in one line', async (args, expected) => {
    const { run, users } = await open()
    await run('create-user', '--username', 'ada')
    const { code, stderr } = await run(...args)
    expect([code, stderr.trim().split('\n')[0]]).toEqual([2, expect.stringContaining(expected)])
    expect(await users()).toMatchObject([{ username: 'ada', roles: [], version: 1 }])
  })

  test('take no roles if the app has none', async () => {
    const { run, users } = await open('undefined')
    const { code, stderr } = await run('create-user', '--username', 'ada', '--role', 'support')
    expect([code, stderr]).toEqual([2, expect.stringContaining('roles need the option roles')])
    expect(await users()).toEqual([])
    await run('create-user', '--username', 'ada')
    expect((await run('change-roles', 'ada', '--staff')).stdout).toContain('staff: yes')
    expect((await run('change-roles', 'nobody', '--staff')).code).toBe(1)
  })
})

describe('import', () => {
  const lines = (...users: object[]) => users.map((user) => JSON.stringify(user)).join('\n')

  test('reads roles as lists and as text, and rejects those that the app does not have', async () => {
    const csv =
      'username,role\nada,"support, editor,support"\nbob,\neve,root\nfay,"[""editor""]"\ngus,__proto__\n'
    const { run, users } = await open(two, { 'users.csv': csv })
    const { code, stdout } = await run('import', 'users.csv', '--map', 'roles=role', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { created: 3, rejected: 2 }])
    const roles = (await users()).map(({ username, roles }) => [username, roles])
    expect(Object.fromEntries(roles)).toEqual({ ada: ['support', 'editor'], bob: [], fay: ['editor'] })
  })

  test('without the option it stores none, whatever the file says', async () => {
    const file = { 'users.jsonl': lines({ username: 'ada', roles: ['support'] }) }
    const { run, users } = await open('undefined', file)
    expect(JSON.parse((await run('import', 'users.jsonl', '--json')).stdout)).toMatchObject({ rejected: 1 })
    expect(await users()).toEqual([])
    expect((await run('import', 'users.jsonl', '--set', 'roles=')).code).toBe(0)
    expect(await users()).toMatchObject([{ username: 'ada', roles: [] }])
  })

  test('--update sets them, and new ones end sessions; a stranger with the name gets none', async () => {
    const createdAt = '2024-01-01T00:00:00Z'
    const { run, users } = await open(two, {
      '1.jsonl': lines({ username: 'ada', createdAt, roles: ['support'] }),
      '2.jsonl': lines(
        { username: 'ada', createdAt, roles: ['editor'] },
        { username: 'bob', createdAt, roles: ['support'] },
      ),
      '3.jsonl': lines({ username: 'ada', createdAt, roles: [] }),
    })
    await run('import', '1.jsonl')
    await run('create-user', '--username', 'bob')
    const { stdout } = await run('import', '2.jsonl', '--update', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ updated: 1, rejected: 1 })
    const byName = async () =>
      Object.fromEntries(
        (await users()).map(({ username, roles, sessionEpoch }) => [username, { roles, sessionEpoch }]),
      )
    expect(await byName()).toEqual({
      ada: { roles: ['editor'], sessionEpoch: 1 },
      bob: { roles: [], sessionEpoch: 0 },
    })
    await run('import', '3.jsonl', '--update')
    expect((await byName()).ada).toEqual({ roles: [], sessionEpoch: 1 })
  })
})

test('doctor lists roles that the app does not have', async () => {
  const { run, folder } = await open()
  await run('create-user', '--username', 'ada', '--role', 'editor')
  await run('create-user', '--username', 'bob', '--role', 'editor', '--role', 'support')
  const findings = async (): Promise<{ what: string; state: string; detail: string }[]> =>
    JSON.parse((await run('doctor', '--json')).stdout).findings
  expect((await findings()).filter(({ what }) => what === 'roles')).toEqual([])
  const fewer = makeProject({
    'accounts.config.mjs': config(`{ support: ['users:read'] }`).replace(
      "'accounts.db'",
      JSON.stringify(`${folder}/accounts.db`),
    ),
  })
  const told = JSON.parse((await runCli(fewer, ['doctor', '--json'])).stdout).findings
  expect(told).toContainEqual({
    what: 'roles',
    state: 'warning',
    detail: expect.stringMatching(/^not in the option roles, so they permit nothing: editor \(2 users\);/),
  })
})
