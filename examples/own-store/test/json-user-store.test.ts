import { mkdir, mkdtemp, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newUser, userStoreCases } from '@fastify-accounts/testing'
import { afterAll, expect, test } from 'vitest'
import { openJsonUserStore } from '../src/json-user-store.js'

const folder = await mkdtemp(join(tmpdir(), 'own-store-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `users-${++files}.json`)

// Nothing can be renamed to the name of a folder.
async function fail(): Promise<void> {
  const path = join(folder, `users-${files}.json`)
  await rm(path)
  await mkdir(path)
}

const cases = userStoreCases(() => openJsonUserStore(newPath()), { fail })
for (const { name, run } of cases) test(name, run)

test('users are still there after reopening the store', async () => {
  const path = newPath()
  const store = await openJsonUserStore(path)
  const alice = await store.create(newUser({ usernameKey: 'alice', fields: { nickname: 'Al' } }))
  const bob = await store.create(newUser({ lastLoginAt: new Date() }))
  await store.close?.()
  const again = await openJsonUserStore(path)
  expect(await again.list({ limit: 10 })).toEqual([alice, bob])
  await expect(again.create(newUser({ usernameKey: 'alice' }))).rejects.toThrow('username is taken')
})

test('a file written before there were kinds, roles and origins is of people who signed up', async () => {
  const path = newPath()
  const user = await (await openJsonUserStore(path)).create(newUser({ usernameKey: 'alice' }))
  const { kind, origin, roles, ...older } = user
  await writeFile(path, JSON.stringify([older]))
  const store = await openJsonUserStore(path)
  expect(await store.findByUsername('alice')).toEqual(user)
  expect(await store.list({ limit: 10, where: { kind: 'person' } })).toEqual([user])
  const changed = await store.update(user.id, { roles: ['support'] }, 1)
  expect(await (await openJsonUserStore(path)).findById(user.id)).toEqual(changed)
})

test('an incomplete file left by a crash is ignored', async () => {
  const path = newPath()
  const alice = await (await openJsonUserStore(path)).create(newUser())
  await writeFile(`${path}.new`, '[{"id":')
  const again = await openJsonUserStore(path)
  expect(await again.findById(alice.id)).toEqual(alice)
  await again.create(newUser())
  expect(JSON.parse(await readFile(path, 'utf8'))).toHaveLength(2)
})

test('a failed write is an UnavailableError, changes nothing, and the next write works', async () => {
  const path = newPath()
  const store = await openJsonUserStore(path)
  const alice = await store.create(newUser({ usernameKey: 'alice' }))
  // A folder where the new file would go: it can't be opened for writing.
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

test('only its owner may read the file, which contains password hashes', async () => {
  const path = newPath()
  await (await openJsonUserStore(path)).create(newUser())
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
