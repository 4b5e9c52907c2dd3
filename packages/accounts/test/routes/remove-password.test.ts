import {
  browser,
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'
import type { Feature } from '../../src/features/feature.js'
import { noPassword } from '../../src/user.js'

/** Another way in, for users with a badge. */
const badges: Feature = {
  name: 'badges',
  hasWayIn: ({ credentials }) => credentials.some(({ kind }) => kind === 'badge'),
}
const first = { new_password: otherPassword, confirm_password: otherPassword }
const email = 'alice@example.org'

/** Alice, who has a badge and is logged in. */
async function withBadge() {
  const service = await testApp({ features: [badges] })
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: true })
  const user = await service.users.findById(id)
  await service.users.update(id, { credentials: [{ kind: 'badge' }] }, user?.version ?? 0)
  return { service, id, cookie: await logIn(service) }
}

const remove = ({ send }: TestApp, cookie: string) =>
  send('DELETE', '/password/', undefined, { headers: { cookie } })
const me = async ({ send }: TestApp, cookie: string) =>
  (await send('GET', '/me/', undefined, { headers: { cookie } })).json()

test('a password can be removed if another way in remains, and set again', async () => {
  const { service, id, cookie } = await withBadge()
  const elsewhere = await logIn(service)
  expect(await me(service, cookie)).toMatchObject({ has_password: true })
  const removed = await remove(service, cookie)
  expect(removed.statusCode, removed.body).toBe(204)
  const goesOn = cookieOf(removed)
  expect(await me(service, goesOn)).toMatchObject({ username: 'alice', has_password: false })
  expect([await whoIs(service, cookie), await whoIs(service, elsewhere)]).toEqual([null, null])
  const mail = await service.mail('password-removed', email)
  expect(mail.text).toContain('/not-me/')
  const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(login.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  expect((await remove(service, goesOn)).json().code).toBe('ACCOUNTS_NOT_FOUND')

  const added = await service.send('POST', '/change-password/', first, { headers: { cookie: goesOn } })
  expect(added.statusCode, added.body).toBe(204)
  expect(await me(service, cookieOf(added))).toMatchObject({ has_password: true })
  expect((await service.mail('password-added', email)).text).toContain('/not-me/')
  expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
  expect((await service.users.findById(id))?.credentials).toEqual([{ kind: 'badge' }])
})

test('a forgotten password is emailed about as usual, and set again', async () => {
  const { service, cookie } = await withBadge()
  await remove(service, cookie)
  await service.send('POST', '/forgot/', { email })
  const response = await service.send('POST', linkPath(await service.mail('reset-password', email)), first)
  expect(response.statusCode, response.body).toBe(204)
  expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
})

test('with a password, the old one is required; without one, any old password is wrong', async () => {
  const { service, cookie } = await withBadge()
  const change = (cookie: string, body: object) =>
    service.send('POST', '/change-password/', body, { headers: { cookie } })
  const faults = async (cookie: string, body: object) =>
    (await change(cookie, body)).json().fields.map(({ field, code }: Record<string, string>) => [field, code])
  expect(await faults(cookie, first)).toEqual([['old_password', 'required']])
  const goesOn = cookieOf(await remove(service, cookie))
  expect(await faults(goesOn, { ...first, old_password: goodPassword })).toEqual([
    ['old_password', 'incorrect'],
  ])
  expect(await faults(goesOn, { ...first, old_password: noPassword })).toEqual([
    ['old_password', 'incorrect'],
  ])
})

test("the form for a first password doesn't ask for an old one", async () => {
  const { service, cookie } = await withBadge()
  const headers = { ...browser, cookie: cookieOf(await remove(service, cookie)) }
  const page = await service.send('GET', '/change-password/form/', undefined, { headers })
  expect(page.body).toContain('name="new_password"')
  expect(page.body).not.toContain('old_password')
  const short = { new_password: 'short', confirm_password: 'short' }
  const again = await service.send('POST', '/change-password/form/', short, { headers })
  expect([again.statusCode, again.body.includes('old_password')]).toEqual([400, false])
  expect((await service.send('POST', '/change-password/form/', first, { headers })).statusCode).toBe(200)
  expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
})

test("removing and setting a password doesn't renew the recent login", async () => {
  const { service, cookie } = await withBadge()
  const at = () => [...service.sessions.rows.values()].map(({ confirmedAt }) => confirmedAt?.getTime())
  const [before] = at()
  const removed = await remove(service, cookie)
  expect(at()).toEqual([before])
  const headers = { cookie: cookieOf(removed) }
  expect((await service.send('POST', '/change-password/', first, { headers })).statusCode).toBe(204)
  expect(at()).toEqual([before])
})

test("others can't see whether there is a password, and no own field can have its name", async () => {
  const properties = { has_password: { type: 'boolean' } }
  await expect(testApp({ users: { fields: { type: 'object', properties } } })).rejects.toThrow(
    /users\.fields must not redefine has_password/,
  )
  await expect(testApp({ users: { publicFields: ['has_password'] } })).rejects.toThrow(/publicFields/)
})
