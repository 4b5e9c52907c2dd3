import {
  as,
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  testAppOn,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { oneDatabase } from '@fastify-accounts/test-support/one-database'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { expect, test } from 'vitest'
import { secondFactor } from '../src/index.js'

/** An app on one database, and alice, who is logged in twice. */
async function started() {
  const { writes, ...stores } = oneDatabase()
  const service = await testAppOn(stores, { features: [secondFactor()] })
  const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }
  const { id } = await service.app.accounts.createUser(alice)
  const [cookie, other] = [await logIn(service), await logIn(service)]
  writes.length = 0
  return { ...service, ...stores, writes, id, cookie, other }
}
type Started = Awaited<ReturnType<typeof started>>

const choice = { new_password: otherPassword, confirm_password: otherPassword }
const change = ({ send, cookie }: Started) =>
  send('POST', '/change-password/', { ...choice, old_password: goodPassword }, as(cookie))

test('a login is one write, and so is a password change that ends the other sessions', async () => {
  const service = await started()
  const response = await change(service)
  expect([response.statusCode, service.writes.splice(0)]).toEqual([204, ['both']])
  expect(await whoIs(service, cookieOf(response))).toBe('alice')
  for (const cookie of [service.cookie, service.other]) expect(await whoIs(service, cookie)).toBeNull()
  expect(await service.sessions.listByUser(service.id)).toHaveLength(1)
  service.writes.length = 0
  await logIn(service, 'alice', otherPassword)
  expect(service.writes).toEqual(['both'])
})

test.each<[string, (service: Started) => Promise<unknown>]>([
  ['setPassword', ({ app, id }) => app.accounts.setPassword(id, otherPassword)],
  ['endUserSessions', ({ app, id }) => app.accounts.endUserSessions(id)],
  ['disabling', ({ app, id }) => app.accounts.updateUser(id, { isActive: false })],
  [
    'a reset',
    async (service) => {
      await service.send('POST', '/forgot/', { email: 'alice@example.org' })
      return service.send('POST', linkPath(await service.mail('reset-password')), choice)
    },
  ],
])('%s ends all sessions with the same write', async (_, end) => {
  const service = await started()
  await end(service)
  expect(service.writes).toEqual(['both'])
  expect(await service.sessions.listByUser(service.id)).toEqual([])
})

test('the first authenticator app ends the other sessions in the same write, the second ends none', async () => {
  const service = await started()
  const first = await enroll(service, service.cookie)
  expect(service.writes.splice(0)).toEqual(['both'])
  expect(await whoIs(service, service.other)).toBeNull()
  const second = await enroll(service, first.cookie, 'other')
  // Before that, the sight of the cookie that came with the first.
  expect(service.writes).toEqual(['change', 'both'])
  // The old cookie is good for a while: other tabs may use it.
  expect([await whoIs(service, first.cookie), await whoIs(service, second.cookie)]).toEqual([
    'alice',
    'alice',
  ])
})

test('a logout during a password change wins: no session continues', async () => {
  const service = await started()
  const { hash } = service.hasher
  service.hasher.hash = async (password) => {
    await service.send('POST', '/logout/', undefined, as(service.cookie))
    return hash(password)
  }
  const response = await change(service)
  expect([response.statusCode, response.headers['set-cookie']]).toEqual([
    204,
    expect.stringMatching(/^session=; Max-Age=0/),
  ])
  expect(await service.sessions.listByUser(service.id)).toEqual([])
})

test('if the write fails, it is 503, and the password and the sessions are unchanged', async () => {
  const service = await started()
  const { withUsers } = service.sessions
  const { update } = withUsers
  withUsers.update = () => Promise.reject(new Error('no room'))
  const response = await change(service)
  expect([response.statusCode, response.headers['set-cookie']]).toEqual([503, undefined])
  withUsers.update = update
  for (const cookie of [service.cookie, service.other]) expect(await whoIs(service, cookie)).toBe('alice')
  await logIn(service)
})

test('if a change fails after the write, its user stays logged in, and no one else', async () => {
  const service = await started()
  const { update } = service.sessions.withUsers
  service.sessions.withUsers.update = (id, { credentials: _, ...changes }, ...rest) =>
    update(id, changes, ...rest)
  const begun = (await service.send('POST', '/second-factor/totp/', undefined, as(service.cookie))).json()
  const body = { code: codeOf(begun.secret), token: begun.token }
  const response = await service.send('POST', '/second-factor/totp/confirm/', body, as(service.cookie))
  expect(response.statusCode).toBe(500)
  expect(await whoIs(service, cookieOf(response))).toBe('alice')
  await service.settle()
  expect(await service.sessions.listByUser(service.id)).toHaveLength(1)
})
