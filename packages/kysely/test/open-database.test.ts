import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { accountsDb } from '../src/base/accounts-db.js'
import { createKyselyUserStore, migrate, openDatabase } from '../src/index.js'
import { newUser } from './support/users.js'

const require = createRequire(import.meta.url)

describe.each(await driversHere(['libsql', 'pg', 'mysql2']))('$title', ({ name }) => {
  test('is opened by URL, and stores many users at once', async () => {
    const { place, drop } = await makeDatabase(name)
    const db = openDatabase(name === 'libsql' ? `file:${place.url}` : place.url, (driver) => require(driver))
    try {
      await migrate(db)
      const { createMany, ...store } = createKyselyUserStore({ db })
      if (createMany === undefined) throw new Error('there is no createMany')
      const [ada, bob, other] = [newUser('ada'), newUser('bob'), newUser('other')]
      const first = await createMany([
        { ...ada, id: 'of old' },
        bob,
        { ...other, usernameKey: ada.usernameKey },
      ])
      const found = await store.findById('of old')
      expect(found).toEqual({ ...ada, id: 'of old', version: 1 })
      expect(first).toEqual([
        { id: 'of old' },
        { id: expect.any(String) },
        { taken: 'username', holder: found },
      ])
      const again = await createMany([
        { ...other, id: 'of old' },
        { ...other, emailKey: bob.emailKey },
        { ...other, email: null, emailKey: null },
      ])
      expect(again).toMatchObject([
        { taken: 'id', holder: { id: 'of old' } },
        { taken: 'email', holder: { usernameKey: bob.usernameKey } },
        { id: expect.any(String) },
      ])
      expect(await createMany([])).toEqual([])
      const crowd = await createMany(Array.from({ length: 2500 }, (_, n) => newUser(`n${n}`)))
      expect(new Set(crowd.map((outcome) => 'id' in outcome && outcome.id)).size).toBe(2500)
      const before = await store.list({ limit: 10 })
      for (const wrong of [
        { ...newUser('x'), id: '' },
        { ...newUser('x'), id: 'x'.repeat(256) },
        { ...newUser('x'), username: '\0' },
      ]) {
        await expect(createMany([newUser('y'), wrong])).rejects.toMatchObject({
          name: 'InvalidArgumentError',
        })
      }
      expect(await store.list({ limit: 10 })).toEqual(before)
    } finally {
      await sql`select 1`.execute(accountsDb(db))
      await db.destroy()
      await drop()
    }
  })
})

test.each([
  ['mariadb://root@127.0.0.1/x', 'mysql2'],
  ['postgresql://127.0.0.1/x', 'pg'],
])('%s without a driver names the package to install', (url, driver) => {
  const load = (): never => {
    throw new Error('not found')
  }
  expect(() => openDatabase(url, load)).toThrow(`npm install ${driver}`)
})

test('a file is created readable only by its owner, or not at all; file URLs work as well', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'open-database-'))
  const file = join(folder, 'a b.db')
  const url = pathToFileURL(file).href
  expect(() => openDatabase(url, require, { create: false })).toThrow(`${file} does not exist`)
  expect(await readdir(folder)).toEqual([])
  const db = openDatabase(url, require)
  await migrate(db)
  for (const name of await readdir(folder)) {
    expect([name, (await stat(join(folder, name))).mode & 0o077]).toEqual([name, 0])
  }
  expect(await readdir(folder)).toContain('a b.db')
  await db.destroy()
  await rm(folder, { recursive: true })
})

test('rejects a URL that names no database', () => {
  expect(() => openDatabase('accounts.db', require)).toThrow('must begin with file:, postgres:// or mysql://')
})
