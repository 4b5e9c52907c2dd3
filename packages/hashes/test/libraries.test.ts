import { fixtures, oneOfEach } from '@fastify-accounts/test-support/hashes'
import Fastify from 'fastify'
import accounts, { createMemoryUserStore, createScryptHasher } from 'fastify-accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMigratingHasher } from '../src/index.js'

const cheap = createScryptHasher({ logN: 6, r: 8, p: 1 })

describe('hashes made by other libraries', () => {
  test.each(fixtures)('$by, $kind, "$password": verifies, and needs a rehash', async (fixture) => {
    const kind = fixture.make()
    const hasher = createMigratingHasher(cheap, [kind])
    expect(hasher.canVerify(fixture.hash)).toBe(true)
    expect(hasher.needsRehash(fixture.hash)).toBe(true)
    expect(await hasher.verify(fixture.password, fixture.hash)).toBe(true)
  })

  test.each(oneOfEach)('$by, $kind: rejects other passwords', async ({ make, hash, password }) => {
    const opened = make().open(hash)
    expect(await opened?.verify(password.slice(1))).toBe(false)
    expect(await opened?.verify('')).toBe(false)
  })

  test.each(oneOfEach)(
    '$by, $kind: a damaged hash doesn’t throw, and isn’t read as another hash',
    async (fixture) => {
      const kind = fixture.make()
      const { hash } = fixture
      const damaged = [...hash].flatMap((_, at) => [
        hash.slice(0, at),
        hash.slice(at),
        `${hash.slice(0, at)} ${hash.slice(at + 1)}`,
      ])
      for (const each of [...damaged.slice(1), `${hash}\n`, `${hash}=`, ` ${hash}`, `${hash}$`]) {
        // The remainder may be a shorter valid hash, but not the same key in another form.
        expect(each === hash || kind.open(each) === null || each.length < hash.length, each).toBe(true)
      }
    },
  )
})

test('a login with an old hash replaces it', async () => {
  const [old] = fixtures.filter(({ kind }) => kind === 'bcrypt')
  if (old === undefined) throw new Error('there is no such fixture')
  const userStore = createMemoryUserStore()
  const user = await userStore.create({
    ...{ username: 'ada', usernameKey: 'ada', email: null, emailKey: null, passwordHash: old.hash },
    ...({
      kind: 'person',
      origin: 'self',
      roles: [],
      isVerified: true,
      isStaff: false,
      isActive: true,
    } as const),
    ...{ createdAt: new Date(), lastLoginAt: null },
    ...{ sessionEpoch: 0, resetEpoch: 0, verifyEpoch: 0, emailChangedAt: null, fields: {} },
    ...{ factors: [], credentials: [], identityKeys: [], notes: {} },
  })
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'https://example.org',
    userStore,
    passwordHasher: createMigratingHasher(cheap, [old.make()]),
  })
  const logIn = async (password: string): Promise<number> =>
    (await app.inject({ method: 'POST', url: '/login/', payload: { username: 'ada', password } })).statusCode
  const hashOf = async (): Promise<string | undefined> => (await userStore.findById(user.id))?.passwordHash

  expect(await logIn('a wrong one')).toBe(401)
  expect(await hashOf()).toBe(old.hash)
  expect(await logIn(old.password)).toBe(200)
  const replaced = await hashOf()
  expect(cheap.canVerify(replaced ?? '')).toBe(true)
  expect(await logIn(old.password)).toBe(200)
  expect(await hashOf()).toBe(replaced)
})
