import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'

test('the whole life of an account, from sign-up to deletion', async () => {
  const service = await testApp({ users: true, requireEmailConfirmation: true })
  const { send, mail, app } = service
  const email = 'alice@example.org'

  const created = await send('POST', '/signup/', {
    username: 'alice',
    password: goodPassword,
    confirm_password: goodPassword,
    email,
  })
  expect(created.statusCode).toBe(202)
  const early = await send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(early.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_NOT_VERIFIED' })

  const verified = await send('GET', linkPath(await mail('verify-email', email)), undefined, {
    headers: { accept: 'application/json' },
  })
  expect(verified.statusCode).toBe(200)
  expect(verified.json()).toEqual({ valid: true, verified: true, username: 'alice' })

  let cookie = await logIn(service)
  const me = await app.inject({ url: '/me/', headers: { cookie } })
  expect(me.json()).toMatchObject({
    username: 'alice',
    email,
    is_verified: true,
    is_staff: false,
    is_active: true,
  })

  const changed = await send(
    'POST',
    '/change-password/',
    { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword },
    { headers: { cookie } },
  )
  expect(changed.statusCode).toBe(204)
  expect(await whoIs(service, cookie)).toBeNull()
  cookie = cookieOf(changed)
  expect(await whoIs(service, cookie)).toBe('alice')
  await mail('password-changed', email)

  expect((await send('POST', '/forgot/', { email })).statusCode).toBe(202)
  const reset = linkPath(await mail('reset-password', email))
  // Opened elsewhere, by somebody who may not have signed up.
  expect((await send('GET', reset)).json()).toEqual({ valid: true, profile: { username: 'alice' } })
  const third = 'a third one, quite long'
  const done = await send('POST', reset, { new_password: third, confirm_password: third })
  expect(done.statusCode).toBe(204)
  expect(await whoIs(service, cookie)).toBeNull()
  expect((await send('POST', reset, { new_password: third, confirm_password: third })).json()).toMatchObject({
    code: 'ACCOUNTS_INVALID_LINK',
  })

  cookie = await logIn(service, 'alice', third)
  const out = await app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })
  expect(out.statusCode).toBe(204)
  expect(await whoIs(service, cookie)).toBeNull()

  cookie = await logIn(service, 'alice', third)
  const { id } = (await app.inject({ url: '/me/', headers: { cookie } })).json()
  const gone = await app.inject({ method: 'DELETE', url: `/user/${id}`, headers: { cookie } })
  expect(gone.statusCode).toBe(204)
  expect(await whoIs(service, cookie)).toBeNull()
  expect((await send('POST', '/login/', { username: 'alice', password: third })).statusCode).toBe(401)
  expect(service.sessions.rows.size).toBe(0)
})
