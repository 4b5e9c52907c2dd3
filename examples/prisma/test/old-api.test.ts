import { driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { read } from '@fastify-accounts/test-support/source'
import { createCheapHasher, createMailbox } from '@fastify-accounts/testing'
import type { Accounts, AnyMailKind } from 'fastify-accounts'
import { expect, onTestFinished, test } from 'vitest'
import { firstMigration, variantOf } from './variants.js'

const drivers = await driversHere(['pg'])
// A file without tests would fail.
if (drivers.length === 0) test.todo('needs PostgreSQL')

const [first, second, third] = ['seven green lanterns', 'eight blue lanterns', 'nine red lanterns']

test.runIf(drivers.length > 0)(
  'an old client goes on: its paths, its fields, its token, its errors',
  async () => {
    const { place, drop } = await makeDatabase('pg')
    onTestFinished(drop)
    const { buildOldApi } = await variantOf('postgres')
    await runSql(place, ...firstMigration('postgres', place.url))
    const mailbox = createMailbox()
    const app = await buildOldApi(place.url, {
      secret: 'a test needs no better secret than this one',
      baseUrl: 'http://localhost',
      mailer: mailbox,
      passwordHasher: createCheapHasher(),
    })
    app.get('/api/broken', () => Promise.reject(new Error('at 10.0.0.7')))
    let token: string | null = null
    async function call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` }
      const response = await app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
      // It keeps no cookies, and needs none.
      expect(response.cookies.filter(({ name }) => name === 'session')).toEqual([])
      return { status: response.statusCode, body: response.body === '' ? null : response.json() }
    }
    /** What the old front end reads from the address of its page. */
    async function pageOf(kind: AnyMailKind, address: string) {
      const { text } = await mailbox.next(kind, address)
      const [, page, user, key] = /\/app\/(\w+)\/([\w-]+)\/([\w.~-]+)/.exec(text) ?? []
      return { page, user, key }
    }
    const logIn = async (pass: string) => {
      token = null
      const response = await call('POST', '/token', { mail, pass })
      token = response.body.token ?? null
      return response
    }
    const mail = 'ada@example.org'
    const done = { status: 200, body: { ok: true } }
    try {
      // What is missing is the client's fault; nobody signs up without a password; faults aren't described.
      for (const path of ['/register', '/token'])
        expect(await call('POST', path)).toMatchObject({ status: 400, body: { ok: false } })
      for (const pass of [undefined, null, ''])
        expect(await call('POST', '/register', { mail, pass })).toMatchObject({
          status: 400,
          body: { ok: false },
        })
      const fault = { ok: false, error: 'SERVER_ERROR', reason: 'Something went wrong.' }
      expect(await call('GET', '/broken')).toEqual({ status: 500, body: fault })

      // Sign up, log in too early, ask for another link, verify.
      expect(await call('POST', '/register', { mail, pass: first })).toEqual(done)
      await pageOf('verify-email', mail)
      const tooEarly = { ok: false, error: 'ACCOUNTS_INVALID_CREDENTIALS' }
      expect(await logIn(first)).toMatchObject({ status: 401, body: tooEarly })
      expect((await call('POST', '/verify/again', { email: mail })).status).toBe(202)
      const { page, user, key } = await pageOf('verify-email', mail)
      expect(page).toBe('verify')
      const forged = { ok: false, error: 'ACCOUNTS_INVALID_LINK', reason: expect.any(String) }
      expect(await call('POST', `/verify/${user}/x`)).toEqual({ status: 400, body: forged })
      expect((await call('POST', `/verify/${user}/${key}`)).status).toBe(200)

      // A wrong password, a missing field, the right one, and the own profile.
      const wrong = { ok: false, error: 'ACCOUNTS_INVALID_CREDENTIALS', reason: expect.any(String) }
      expect(await logIn('wrong')).toEqual({ status: 401, body: wrong })
      const empty = { ok: false, error: 'ACCOUNTS_INVALID_INPUT' }
      expect(await call('POST', '/token', {})).toMatchObject({ status: 400, body: empty })
      const { user: ada, ...login } = (await logIn(first)).body
      expect([login, ada.mail]).toEqual([{ ok: true, token: expect.any(String) }, mail])
      const earlier = token
      expect((await call('GET', '/profile')).body).toEqual({ ok: true, mail, since: expect.any(String) })

      // Forgotten, reset: the old token is over.
      token = null
      expect((await call('POST', '/recover', { email: mail })).status).toBe(202)
      const reset = await pageOf('reset-password', mail)
      const chosen = { new_password: second, confirm_password: second }
      expect((await call('POST', `/reset/${reset.user}/${reset.key}`, chosen)).status).toBe(204)
      token = earlier
      expect((await call('GET', '/profile')).status).toBe(401)

      // A change of password brings another token.
      await logIn(second)
      expect(await call('PUT', '/pass')).toMatchObject({ status: 400, body: { ok: false } })
      const changed = await call('PUT', '/pass', { old: second, pass: third })
      expect(changed).toEqual({ status: 200, body: { ok: true, token: expect.any(String) } })
      expect((await call('GET', '/profile')).status).toBe(401)
      token = changed.body.token

      // A change of address, shown while it waits.
      const email = 'ada@example.net'
      expect((await call('POST', '/mail', { email })).status).toBe(202)
      expect((await call('GET', '/mail')).body).toMatchObject({ email })
      const move = await pageOf('change-email', email)
      expect((await call('POST', `/mail/${move.user}/${move.key}?email=${email}`)).status).toBe(200)
      expect((await call('GET', '/profile')).body).toMatchObject({ mail: email })

      // Identities, and out.
      const identity = { provider: 'google', subject: '1234' }
      await app.getDecorator<Accounts>('accounts').addIdentity(ada.key, identity)
      expect((await call('GET', '/identities')).body).toMatchObject({ results: [{ provider: 'google' }] })
      expect((await call('POST', '/bye')).status).toBe(204)
      expect((await call('GET', '/profile')).status).toBe(401)
    } finally {
      await app.close()
    }
  },
)

test('what is written for the old clients is little', () => {
  const lines = read('examples/prisma/src/old-api.ts').split('\n')
  expect(lines.filter((line) => !/^\s*($|import|\/[/*])/.test(line)).length).toBeLessThanOrEqual(60)
})
