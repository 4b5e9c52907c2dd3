import {
  cheapHasher,
  goodPassword,
  logIn,
  secret,
  signUp,
  testApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { createMemorySessionStore, createMemoryUserStore } from '../src/index.js'

const first = 'the first pepper, of more than thirty-two bytes'
const second = 'another pepper, of more than thirty-two bytes too'

/** One database, on which apps with different peppers are started. */
function database() {
  const users = createMemoryUserStore()
  const start = (pepper?: string | string[]) =>
    testAppOn(
      { users, sessions: createMemorySessionStore() as never },
      pepper === undefined ? {} : { password: { pepper } },
    )
  const hashOf = async () => (await users.findByUsername('ada'))?.passwordHash ?? ''
  return { start, hashOf }
}

const login = async (service: Awaited<ReturnType<typeof testApp>>, password = goodPassword) =>
  (await service.send('POST', '/login/', { username: 'ada', password })).statusCode

it("creates hashes that can't be verified without the key, and replaces old ones at login", async () => {
  const { start, hashOf } = database()
  await signUp(await start(), 'ada')
  const plain = await hashOf()
  const hasher = cheapHasher()
  expect(await hasher.verify(goodPassword, plain)).toBe(true)

  const peppered = await start(first)
  expect([await login(peppered, 'not the password'), await hashOf()]).toEqual([401, plain])
  expect(await login(peppered)).toBe(200)
  const mixed = await hashOf()
  expect(mixed).toMatch(/^\$pepper\$[\w-]{8}\$/)
  const rest = mixed.replace(/^\$pepper\$[\w-]{8}\$/, '')
  expect(hasher.canVerify(rest)).toBe(true)
  expect(await hasher.verify(goodPassword, rest)).toBe(false)
  expect([await login(peppered), await hashOf()]).toEqual([200, mixed])

  // The next key: the old one is accepted as long as it is listed.
  const rotated = await start([second, first])
  expect([await login(rotated, 'not the password'), await login(rotated)]).toEqual([401, 200])
  const newest = await hashOf()
  expect(newest.split('$')[2]).not.toBe(mixed.split('$')[2])
  expect(await login(await start(second))).toBe(200)
})

it.each([
  ['another key', second],
  ['no key', undefined],
])('returns 503, never “wrong password”, with %s', async (_, pepper) => {
  const { start, hashOf } = database()
  await signUp(await start(first), 'ada')
  const before = await hashOf()
  const service = await start(pepper)
  expect([await login(service), await login(service, 'not the password')]).toEqual([503, 503])
  expect(await hashOf()).toBe(before)
})

it('applies to new passwords and to confirmation', async () => {
  const service = await testApp({ password: { pepper: first } })
  await signUp(service, 'ada')
  const cookie = await logIn(service, 'ada')
  const confirm = (password: string) =>
    service.send('POST', '/confirm/', { password }, { headers: { cookie } })
  expect((await confirm('not the password')).statusCode).toBe(400)
  expect((await confirm(goodPassword)).statusCode).toBe(204)
})

it.each([['short'], [undefined], [secret], [[first, first]], ['a'.repeat(40)], [[]], [7]])(
  'stops the start with %j',
  async (pepper) => {
    await expect(testApp({ password: { pepper: pepper as string } })).rejects.toThrow(
      /^[^\n]*option password\.pepper[^\n]*$/,
    )
  },
)
