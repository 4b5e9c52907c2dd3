import { driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { read } from '@fastify-accounts/test-support/source'
import { createCheapHasher, createMailbox } from '@fastify-accounts/testing'
import type { AnyMailKind } from 'fastify-accounts'
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
    let token = ''
    async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
      const response = await app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
      expect([response.headers['set-cookie'], response.headers.location]).toEqual([undefined, undefined])
      return { status: response.statusCode, ...response.json() }
    }
    /** What the old front end reads from the address of its page. */
    async function pageOf(kind: AnyMailKind, address: string) {
      const { text } = await mailbox.next(kind, address)
      const [, page, user, key] = /\/app\/(\w+)\/([\w-]+)\/([\w.~-]+)/.exec(text) ?? []
      return { page, user, key }
    }
    const mail = 'ada@example.org'
    try {
      expect(await call('POST', '/register', { mail, pass: first, name: 'Ada' })).toEqual({
        status: 200,
        ok: true,
      })
      expect(await call('POST', '/login', { mail, pass: first })).toMatchObject({
        status: 401,
        ok: false,
        error: 'ACCOUNTS_INVALID_CREDENTIALS',
      })
      await pageOf('verify-email', mail)
      expect(await call('POST', '/verify/again', { mail })).toEqual({ status: 200, ok: true })
      const { page, ...link } = await pageOf('verify-email', mail)
      expect(page).toBe('verify')
      expect(await call('POST', '/verify', { ...link, key: 'x' })).toMatchObject({
        status: 400,
        error: 'ACCOUNTS_INVALID_LINK',
      })
      expect(await call('POST', '/verify', link)).toEqual({ status: 200, ok: true })
      expect(await call('POST', '/login', { mail, pass: 'wrong' })).toEqual({
        status: 401,
        ok: false,
        error: 'ACCOUNTS_INVALID_CREDENTIALS',
        reason: expect.any(String),
      })
      expect(await call('POST', '/login')).toMatchObject({ status: 400, error: 'ACCOUNTS_INVALID_INPUT' })
      const login = await call('POST', '/login', { mail, pass: first })
      expect(login).toEqual({ status: 200, ok: true, token: expect.any(String), name: 'Ada' })
      token = login.token
      expect(await call('GET', '/profile')).toEqual({
        status: 200,
        ok: true,
        mail,
        name: 'Ada',
        since: expect.any(String),
      })

      token = ''
      expect(await call('POST', '/forgot', { mail })).toEqual({ status: 200, ok: true })
      const reset = await pageOf('reset-password', mail)
      expect(await call('POST', '/reset', { ...reset, pass: second })).toEqual({ status: 200, ok: true })
      token = login.token
      expect((await call('GET', '/profile')).status).toBe(401)

      token = ''
      token = (await call('POST', '/login', { mail, pass: second })).token
      const changed = await call('POST', '/password', { old: second, pass: third })
      expect(changed).toEqual({ status: 200, ok: true, token: expect.any(String) })
      expect((await call('GET', '/profile')).status).toBe(401)
      token = changed.token
      const other = 'ada@example.net'
      expect(await call('POST', '/mail', { mail: other })).toEqual({ status: 200, ok: true })
      const move = await pageOf('change-email', other)
      expect(await call('POST', '/mail/confirm', { ...move, mail: other })).toEqual({ status: 200, ok: true })
      expect(await call('GET', '/profile')).toMatchObject({ mail: other })
      expect(await call('DELETE', '/session')).toEqual({ status: 200, ok: true })
      expect((await call('GET', '/profile')).status).toBe(401)
    } finally {
      await app.close()
    }
  },
)

test('what is written for the old clients is little', () => {
  const [, code = ''] = read('examples/prisma/src/old-api.ts').split('const app = Fastify()\n')
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  expect(lines.length).toBeLessThanOrEqual(60)
})
