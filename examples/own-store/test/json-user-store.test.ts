import { mkdir, mkdtemp, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newUser, userStoreCases } from 'fastify-accounts/testing'
import { afterAll, expect, test } from 'vitest'
import { openJsonUserStore } from '../src/json-user-store.js'

const folder = await mkdtemp(join(tmpdir(), 'own-store-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `users-${++files}.json`)

for (const { name, run } of userStoreCases(() => openJsonUserStore(newPath()))) test(name, run)

test('users are there after the store was opened again', async () => {
  const path = newPath()
  const store = await openJsonUserStore(path)
  const alice = await store.create(newUser({ usernameKey: 'alice', fields: { nickname: 'Al' } }))
  const bob = await store.create(newUser({ lastLoginAt: new Date() }))
  await store.close?.()
  const again = await openJsonUserStore(path)
  expect(await again.list({ limit: 10 })).toEqual([alice, bob])
  await expect(again.create(newUser({ usernameKey: 'alice' }))).rejects.toThrow('username is taken')
})

test('an unfinished file of a crash changes nothing', async () => {
  const path = newPath()
  const alice = await (await openJsonUserStore(path)).create(newUser())
  await writeFile(`${path}.new`, '[{"id":')
  const again = await openJsonUserStore(path)
  expect(await again.findById(alice.id)).toEqual(alice)
  await again.create(newUser())
  expect(JSON.parse(await readFile(path, 'utf8'))).toHaveLength(2)
})

test('a write that fails is an UnavailableError, leaves nothing half-done, and the next one works', async () => {
  const path = newPath()
  const store = await openJsonUserStore(path)
  const alice = await store.create(newUser({ usernameKey: 'alice' }))
  // A folder in the place of the new file: it cannot be opened for writing.
  await mkdir(`${path}.new`)
  await expect(store.create(newUser({ usernameKey: 'bob' }))).rejects.toMatchObject({
    name: 'UnavailableError',
  })
  await expect(store.update(alice.id, { isStaff: true }, 1)).rejects.toMatchObject({
    name: 'UnavailableError',
  })
  expect(await store.list({ limit: 10 })).toEqual([alice])
  await rmdir(`${path}.new`)
  const bob = await store.create(newUser({ usernameKey: 'bob' }))
  expect(await (await openJsonUserStore(path)).list({ limit: 10 })).toEqual([alice, bob])
})

test('a file that is not JSON stops the start', async () => {
  const path = newPath()
  await writeFile(path, 'not JSON')
  await expect(openJsonUserStore(path)).rejects.toThrow(SyntaxError)
})

test('a path that cannot be read stops the start', async () => {
  await expect(openJsonUserStore(folder)).rejects.toMatchObject({ code: 'EISDIR' })
})

test('nobody else may read the file: it holds password hashes', async () => {
  const path = newPath()
  await (await openJsonUserStore(path)).create(newUser())
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
