import { passkeys } from '@fastify-accounts/passkeys'
import { createKey, ordersOf, scopes, withKey } from '@fastify-accounts/test-support/api-keys'
import {
  as,
  goodPassword,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { holdBody } from '@fastify-accounts/test-support/held-body'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type AccountsHook,
  type AccountsOptions,
  type AccountUser,
  apiKeys,
  type StoredUser,
  secondFactor,
  type UserChanges,
  type UserStore,
} from 'fastify-accounts'
import { expect } from 'vitest'
import { digest, keyText } from '../../packages/accounts/src/features/api-keys/keys/key-text.js'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'
import { callsOf } from './store-calls.js'

const day = 86_400_000
const email = 'alice@example.org'

/** A service with keys and the routes of an app that take them. */
const startOn = (
  { start }: Scene,
  { features = [], ...options }: Partial<AccountsOptions> = {},
  given: object = {},
): Promise<Service> =>
  start({ features: [apiKeys({ scopes, ...given }), ...features], ...options }, { before: ordersOf })

/** Alice, whose address is verified, her session, and a key of hers, which no log may have. */
async function holder(scene: Scene, service: Service, body: object = {}) {
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: true })
  const cookie = await logIn(service)
  const { key, id: keyId } = await createKey({ ...service, cookie }, body)
  scene.log.secrets.add('token', key)
  return { id, cookie, key, keyId }
}

const read = (service: Pick<Service, 'send'>, key: string, headers: Record<string, string> = {}) =>
  service.send('GET', '/orders', undefined, withKey(key, headers))
const statusOf = async (service: Service, key: string): Promise<number> =>
  (await read(service, key)).statusCode

async function staffOf(service: Service): Promise<string> {
  await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
  return logIn(service, 'boss')
}

/** Replaces a method of the user store until the case ends; a store that another test uses later gets it back. */
function failing(users: UserStore, name: 'findByIdentity' | 'update'): () => void {
  const before = users[name]
  Object.assign(users, { [name]: () => Promise.reject(new Error('the database is away')) })
  return () => void Object.assign(users, { [name]: before })
}

cases('API keys', ({ rule, storage }) => {
  rule(
    'KEY-01',
    {
      tried: 'keys that are cut off, lengthened, in another case, with a wrong checksum or none',
      expected: '401, with a reason in WWW-Authenticate and without asking the store',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { key } = await holder(scene, service)
      const [, id = '', secret = '', sum = ''] = key.split('_')
      const other = sum.startsWith('0') ? `1${sum.slice(1)}` : `0${sum.slice(1)}`
      const games = [
        ...[key.slice(0, -1), `${key}0`, `fa_${id}_${secret}_${other}`, `fa_${id}_${secret}`, 'fa_'],
        ...[
          `fa_${id}_${secret}_${sum}_`,
          `fa_${id.toLowerCase()}_${secret}_${sum}`,
          `fa__${id}${secret}${sum}`,
        ],
        ...[`fa_${id}_${'x'.repeat(32)}_${sum}`, `fa_${secret}_${id}_${sum}`, `fa_${'é'.repeat(56)}`],
        `fa_${'A'.repeat(9000)}`,
      ].filter((each) => each !== key)
      const calls = callsOf(scene.users)
      for (const game of games) {
        const refused = await read(service, Buffer.from(game).toString('latin1'))
        expect([game, refused.statusCode, refused.headers['www-authenticate']]).toEqual([
          game,
          401,
          'Bearer error="invalid_token"',
        ])
      }
      expect(calls).toEqual([])
      expect(await statusOf(service, key)).toBe(200)
    },
  )

  rule(
    'KEY-01',
    {
      tried: 'a well-formed key with a guessed secret, of a known and of an unknown id',
      expected: 'the same 401 for both',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, key, keyId } = await holder(scene, service)
      // As somebody who has read the source makes them: with the right checksum.
      const input = { name: 'other', scopes: ['orders:read'] }
      const [, , secret = ''] = (await service.app.accounts.createApiKey(id, input)).key.split('_')
      const known = await read(service, keyText({ id: keyId, secret }))
      const unknown = await read(service, keyText({ id: 'A'.repeat(16), secret }))
      expect(known.statusCode).toBe(401)
      expect(known.body).toBe(unknown.body)
      expect(known.headers['www-authenticate']).toBe(unknown.headers['www-authenticate'])
      expect(await statusOf(service, key)).toBe(200)
    },
  )

  rule(
    'KEY-02',
    {
      tried: 'a key at another mount on the same user store, with a scope of the same name',
      expected: '401: a key works where it was made',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { key } = await holder(scene, service)
      const other = await scene.start(
        {
          features: [apiKeys({ scopes })],
          decorateAs: { instance: 'staff', request: 'member' },
          session: { cookieName: 'staff' },
        },
        {
          before(app: FastifyInstance) {
            const late = () => app.getDecorator<FastifyInstance['accounts']>('staff')
            const onRequest: ReturnType<FastifyInstance['accounts']['requireScope']> = (request, reply) =>
              late().requireScope('orders:read')(request, reply)
            app.get('/orders', { onRequest }, async () => ({}))
          },
        },
      )
      expect(await statusOf(other, key)).toBe(401)
      expect(await statusOf(service, key)).toBe(200)
    },
  )

  rule(
    'KEY-03',
    {
      tried:
        "a key together with somebody's cookie: a valid and a wrong one, on routes for programs and for people",
      expected: 'the key alone counts and never falls back to the cookie; no cookie is set',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { key } = await holder(scene, service)
      await signUp(service, 'bob')
      const cookie = await logIn(service, 'bob')
      const good = await read(service, key, { cookie })
      expect(good.json()).toMatchObject({ user: 'alice' })
      expect(good.headers['set-cookie']).toBeUndefined()
      expect((await read(service, `${key.slice(0, -1)}!`, { cookie })).statusCode).toBe(401)
      for (const url of ['/people', '/anybody', '/me/']) {
        const refused = await service.send('GET', url, undefined, withKey(key, { cookie }))
        expect([url, refused.json()]).toMatchObject([
          url,
          { code: 'ACCOUNTS_LOGIN_REQUIRED', message: 'This can’t be done with an API key. Log in.' },
        ])
        expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
      }
      expect(await whoIs(service, cookie)).toBe('bob')
    },
  )

  rule(
    'KEY-04',
    {
      tried: 'scopes that do not exist, `__proto__`, wildcards, a scope that the app has since removed',
      expected:
        'a key is never created with them; one that exists is worth nothing: 403, and the header names the scope',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { cookie, key } = await holder(scene, service, { scopes: ['orders:read', 'orders:read'] })
      const strange = [
        '*',
        'orders:*',
        'orders',
        '__proto__',
        'constructor',
        'ORDERS:READ',
        'orders:read ',
        '',
      ]
      for (const scope of strange) {
        const body = { name: 'CI', scopes: ['orders:read', scope] }
        const refused = await service.send('POST', '/api-keys/', body, as(cookie))
        expect([scope, refused.statusCode]).toEqual([scope, 400])
      }
      const asked = [{ scopes: { 0: 'orders:read' } }, { scopes: 'orders:read' }, { scopes: null }, {}]
      for (const body of asked) {
        const refused = await service.send('POST', '/api-keys/', { name: 'CI', ...body }, as(cookie))
        expect(refused.statusCode).toBe(400)
      }
      const written = await service.send('POST', '/orders', {}, withKey(key))
      expect(written.statusCode).toBe(403)
      expect(written.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_scope", scope="orders:write"',
      )
      const fewer = await startOn(scene, {}, { scopes: ['orders:write'] })
      expect((await fewer.send('POST', '/orders', {}, withKey(key))).statusCode).toBe(403)
    },
  )

  rule(
    'KEY-05',
    {
      tried: 'a key after its expiry, after the account was disabled and enabled again, after it was deleted',
      expected: '401 from then on',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, cookie, key: brief } = await holder(scene, service, { expires_in: 60 })
      const { key } = await createKey({ ...service, cookie }, { expires_in: 31_536_000 })
      await scene.wait(59_000)
      expect(await statusOf(service, brief)).toBe(200)
      await scene.wait(1000)
      expect(await statusOf(service, brief)).toBe(401)
      expect(await statusOf(service, key)).toBe(200)
      await service.app.accounts.updateUser(id, { isActive: false })
      expect(await statusOf(service, key)).toBe(401)
      await service.app.accounts.updateUser(id, { isActive: true })
      expect(await statusOf(service, key)).toBe(401)
      const { key: last } = await service.app.accounts.createApiKey(id, {
        name: 'last',
        scopes: ['orders:read'],
      })
      expect(await statusOf(service, last)).toBe(200)
      await service.app.accounts.deleteUser(id)
      expect(await statusOf(service, last)).toBe(401)
    },
  )

  storage(
    'KEY-06',
    {
      tried: 'the 26th key, and two at once on an account with 24',
      expected: 'at most 25; one of the two is a 409',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, cookie } = await holder(scene, service)
      const create = () =>
        service.send('POST', '/api-keys/', { name: 'CI', scopes: ['orders:read'] }, as(cookie))
      for (let count = 1; count < 24; count += 1) expect((await create()).statusCode).toBe(201)
      const both = await Promise.all([create(), create()])
      expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
      const refused = await create()
      expect(refused.json()).toMatchObject({ code: 'ACCOUNTS_CONFLICT', reason: 'limit_reached' })
      expect(await service.app.accounts.listApiKeys(id)).toHaveLength(25)
    },
  )

  rule(
    'KEY-07',
    {
      tried:
        "the app's own JWT in the Authorization header, beside a session and alone; other schemes with a key",
      expected: 'it counts as absent, so the session decides, and its look costs no look-up',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { cookie, key } = await holder(scene, service)
      const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
      const calls = callsOf(scene.users)
      expect((await read(service, jwt)).statusCode).toBe(401)
      expect(calls).not.toContain('findByIdentity')
      expect((await read(service, jwt, { cookie })).json()).toMatchObject({ user: 'alice', key: null })
      // People have every scope.
      const written = await service.send('POST', '/orders', {}, as(cookie))
      expect(written.json()).toEqual({ user: 'alice', key: null })
      for (const authorization of [`Basic ${key}`, `Token ${key}`, key, `Bearer x${key}`]) {
        const refused = await service.send('GET', '/orders', undefined, { headers: { authorization } })
        expect(refused.statusCode).toBe(401)
      }
      const inOwnHeader = await service.send('GET', '/orders', undefined, { headers: { 'x-api-key': key } })
      expect(inOwnHeader.statusCode).toBe(401)
    },
  )

  rule(
    'KEY-08',
    {
      tried: 'a key in the query, in a form and in a cookie',
      expected: '401: only the Authorization header counts',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id } = await holder(scene, service)
      // Not noted as a secret: the log of a test has the URL.
      const input = { name: 'CI', scopes: ['orders:read'] }
      const { key } = await service.app.accounts.createApiKey(id, input)
      for (const name of ['key', 'api_key', 'access_token']) {
        expect((await service.send('GET', `/orders?${name}=${key}`)).statusCode).toBe(401)
        expect((await service.send('POST', '/orders', { [name]: key })).statusCode).toBe(401)
        const inCookie = as(`${name}=${key}; __Host-session=${key}`)
        expect((await service.send('GET', '/orders', undefined, inCookie)).statusCode).toBe(401)
      }
    },
  )

  rule(
    'KEY-09',
    {
      tried: 'a thief with the session creates a key named like a link; another removes one',
      expected:
        'the owner gets an email about each, without a link of the thief’s, and its own link ends every key',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { cookie, key, keyId } = await holder(scene, service, { name: 'call https://evil.example' })
      const added = await service.mail('api-key-added', email)
      expect(added.text).not.toContain('https://evil')
      expect(added.text).not.toContain(key)
      const { key: other } = await createKey({ ...service, cookie })
      await service.send('DELETE', `/api-keys/${keyId}`, undefined, as(cookie))
      expect((await service.mail('api-key-removed', email)).text).not.toContain('https://evil')
      expect(await statusOf(service, other)).toBe(200)
      expect((await service.send('POST', linkTarget(added))).json()).toMatchObject({
        removed: { api_keys: 1 },
      })
      expect(await statusOf(service, other)).toBe(401)
      expect(await whoIs(service, cookie)).toBeNull()
    },
  )

  rule(
    'KEY-10',
    {
      tried:
        'creating, using and removing a key while a login waits for its second factor and a device is remembered',
      expected: 'neither ends, nor does the session',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [secondFactor()] })
      const { id } = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const { secret, cookie } = await enroll(service)
      const first = async (device = '') => {
        const body = { username: 'alice', password: goodPassword }
        const response = await service.send('POST', '/login/', body, as(device))
        const pending = response.cookies.find(({ name }) => name.endsWith('-pending'))
        return { response, pending: `${pending?.name}=${pending?.value}` }
      }
      const remembering = await first()
      const body = { code: codeOf(secret), remember_device: true }
      const done = await service.send('POST', '/login/second-factor/', body, as(remembering.pending))
      const remembered = done.cookies.find(({ name }) => name.endsWith('-remembered'))
      const device = `${remembered?.name}=${remembered?.value}`
      const waiting = await first()

      const { key, id: keyId } = await createKey({ ...service, cookie })
      scene.log.secrets.add('token', key)
      expect(await statusOf(service, key)).toBe(200)
      await service.settle()
      const listed = await service.send('GET', '/api-keys/', undefined, as(cookie))
      expect(listed.json().results[0].last_used_on).not.toBeNull()
      await createKey({ ...service, cookie })
      await service.send('DELETE', `/api-keys/${keyId}`, undefined, as(cookie))
      expect(await whoIs(service, cookie)).toBe('alice')

      await scene.wait(30_000)
      const code = { code: codeOf(secret) }
      const completed = await service.send('POST', '/login/second-factor/', code, as(waiting.pending))
      expect(completed.statusCode).toBe(200)
      expect((await first(device)).response.statusCode).toBe(200)
    },
  )

  rule(
    'KEY-11',
    {
      tried: 'a key while the user store is away, and while only the note of its use fails',
      expected: '503, never a yes or no; the failing note delays and fails nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { key } = await holder(scene, service)
      const back = failing(scene.users, 'findByIdentity')
      expect(await statusOf(service, key)).toBe(503)
      back()
      const writable = failing(scene.users, 'update')
      expect(await statusOf(service, key)).toBe(200)
      await service.settle()
      writable()
      expect(await statusOf(service, key)).toBe(200)
    },
  )

  rule(
    'KEY-12',
    {
      tried:
        'every way into a service account: password, reset, email code, the app’s own login, a changed record; and finding it among people',
      expected:
        'nobody logs in to it, it gets no email and no list of people has it; its keys work until it is deleted',
    },
    async (scene) => {
      const service = await startOn(scene, { login: { emailCode: true } })
      const { app, send } = service
      const cookie = await staffOf(service)
      const { id } = (await send('POST', '/service/', { username: 'robot' }, as(cookie))).json()
      const made = await send(
        'POST',
        `/service/${id}/api-keys/`,
        { name: 'CI', scopes: ['orders:read'] },
        as(cookie),
      )
      const { key } = made.json()
      scene.log.secrets.add('token', key)
      expect((await read(service, key)).json()).toMatchObject({ user: 'robot' })

      for (const password of [goodPassword, '!', ''])
        expect((await send('POST', '/login/', { username: 'robot', password })).statusCode).not.toBe(200)
      for (const url of ['/forgot/', '/login/code/'])
        expect((await send('POST', url, { email: 'robot@example.org' })).statusCode).toBe(202)
      const record = await scene.users.findById(id)
      await scene.users.update(
        id,
        { email: 'robot@example.org', emailKey: 'robot@example.org', isVerified: true },
        record?.version ?? 0,
      )
      for (const url of ['/forgot/', '/login/code/']) await send('POST', url, { email: 'robot@example.org' })
      expect(await app.accounts.setPassword(id, otherPassword)).toBe(false)
      await service.settle()
      expect(service.mails.filter(({ to }) => to.address === 'robot@example.org')).toEqual([])
      const request = { headers: {}, log: app.log } as never
      const reply = { sent: false, raw: { headersSent: false }, header() {} } as never
      await expect(app.accounts.logIn(request, reply, id)).rejects.toThrow('Not found')
      expect(await app.accounts.findUser({ id })).toBeNull()
      expect(await app.accounts.findUser({ username: 'robot' })).toBeNull()
      for (const url of [`/user/${id}`, '/user/', '/user/?search=robot', '/user/?view=own']) {
        const response = await send('GET', url, undefined, as(cookie))
        expect([url, response.body.includes('"robot"')]).toEqual([url, false])
      }
      expect((await send('PATCH', `/user/${id}`, { is_staff: true }, as(cookie))).statusCode).toBe(404)
      expect((await send('DELETE', `/user/${id}`, undefined, as(cookie))).statusCode).toBe(404)
      const services = await send('GET', '/service/', undefined, as(cookie))
      expect(services.json()).toMatchObject({ results: [{ id, username: 'robot' }], next: null })
      const keys = `/service/${id}/api-keys/`
      const more = { name: 'more', scopes: ['orders:read'] }
      const second = (await send('POST', keys, more, as(cookie))).json()
      scene.log.secrets.add('token', second.key)
      expect((await send('GET', keys, undefined, as(cookie))).json().results).toHaveLength(2)
      expect((await send('DELETE', `${keys}${second.id}`, undefined, as(cookie))).statusCode).toBe(204)
      expect((await read(service, second.key)).statusCode).toBe(401)
      expect((await read(service, key)).statusCode).toBe(200)
      expect((await send('DELETE', `/service/${id}`, undefined, as(cookie))).statusCode).toBe(204)
      expect((await read(service, key)).statusCode).toBe(401)
      expect((await send('GET', keys, undefined, as(cookie))).statusCode).toBe(404)
    },
  )

  rule(
    'KEY-13',
    {
      tried: 'creating a key in a session without a recent login, for another user, and with a key',
      expected: '403 or 401, and no key',
    },
    async (scene) => {
      const service = await startOn(scene, { session: { confirmLifetime: 60_000 } })
      const { id, cookie, key } = await holder(scene, service)
      const body = { name: 'CI', scopes: ['orders:read'] }
      expect((await service.send('POST', '/api-keys/', body, withKey(key))).statusCode).toBe(401)
      await scene.wait(61_000)
      const refused = await service.send('POST', '/api-keys/', body, as(cookie))
      expect(refused.json()).toMatchObject({ code: 'ACCOUNTS_CONFIRMATION_REQUIRED' })
      const forAnother = await service.send('POST', `/service/${id}/api-keys/`, body, as(cookie))
      expect(forAnother.statusCode).toBe(403)
      expect(await service.app.accounts.listApiKeys(id)).toHaveLength(1)
      // What protects needs no confirmation.
      const [own] = (await service.app.accounts.listApiKeys(id)) ?? []
      const removed = await service.send('DELETE', `/api-keys/${own?.id}`, undefined, as(cookie))
      expect(removed.statusCode).toBe(204)
    },
  )

  rule(
    'KEY-13',
    {
      tried: "staff's routes for service accounts as somebody who isn't staff, and on people",
      expected: '403 and 404, and nothing changes',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, cookie } = await holder(scene, service)
      const staff = await staffOf(service)
      const { id: robot } = (await service.send('POST', '/service/', { username: 'robot' }, as(staff))).json()
      const body = { name: 'CI', scopes: ['orders:read'] }
      const asked = (account: string): ['GET' | 'POST' | 'DELETE', string, object?][] => [
        ['GET', `/service/${account}/api-keys/`],
        ['POST', `/service/${account}/api-keys/`, body],
        ['DELETE', `/service/${account}/api-keys/x`],
        ['DELETE', `/service/${account}`],
      ]
      for (const [method, url, sent] of asked(robot))
        expect((await service.send(method, url, sent, as(cookie))).statusCode).toBe(403)
      for (const [method, url, sent] of asked(id))
        expect((await service.send(method, url, sent, as(staff))).statusCode).toBe(404)
      expect((await service.send('GET', '/service/', undefined, as(cookie))).statusCode).toBe(403)
      expect((await service.send('POST', '/service/', { username: 'x1' }, as(cookie))).statusCode).toBe(403)
      expect(await service.app.accounts.listApiKeys(id)).toHaveLength(1)
    },
  )

  rule(
    'KEY-14',
    {
      tried: 'a new password, and a reset with and without the wish to end keys',
      expected: 'programs go on after a new password; a reset names the keys and ends them only on request',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { cookie, key } = await holder(scene, service, { name: '<b>CI</b>' })
      const change = { old_password: goodPassword, ...choice(otherPassword) }
      expect((await service.send('POST', '/change-password/', change, as(cookie))).statusCode).toBe(204)
      expect(await statusOf(service, key)).toBe(200)
      const link = await resetLink(service, email)
      expect((await service.send('GET', link)).json()).toEqual({ valid: true, api_keys: ['<b>CI</b>'] })
      const page = await service.send('GET', link, undefined, { headers: { accept: 'text/html' } })
      expect(page.body).toContain('&#60;b&#62;CI')
      expect(page.body).toContain('name="end_api_keys"')
      expect((await service.send('POST', link, choice(goodPassword))).statusCode).toBe(204)
      expect(await statusOf(service, key)).toBe(200)
      const again = await resetLink(service, email)
      const body = { ...choice(otherPassword), end_api_keys: true }
      expect((await service.send('POST', again, body)).statusCode).toBe(204)
      expect(await statusOf(service, key)).toBe(401)
      const last = await resetLink(service, email)
      expect((await service.send('GET', last)).json()).toEqual({ valid: true, api_keys: [] })
      const plain = await service.send('GET', last, undefined, { headers: { accept: 'text/html' } })
      expect(plain.body).not.toContain('end_api_keys')
    },
  )

  rule(
    'KEY-15',
    {
      tried: 'every route of the plugin with a key of staff that has every scope',
      expected: '401 at each that knows who calls, and the account stays as it is',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [secondFactor()] })
      const staff = await staffOf(service)
      const { key } = await createKey({ ...service, cookie: staff }, { scopes: Object.keys(scopes) })
      const index: Record<string, { methods: ('GET' | 'POST')[]; href: string }> = (
        await service.send('GET', '/api-root/')
      ).json()
      const boss = await scene.users.findByUsername('boss')
      let asked = 0
      for (const [name, { methods, href }] of Object.entries(index)) {
        const path = new URL(href).pathname.replaceAll(/(\{|%7B)\w+(\}|%7D)/g, boss?.id ?? '')
        for (const method of methods) {
          const response = await service.send(method, path, method === 'GET' ? undefined : {}, withKey(key))
          expect([name, method, response.statusCode]).toEqual([name, method, 401])
          asked += 1
        }
      }
      expect(asked).toBeGreaterThan(30)
      expect(await scene.users.findById(boss?.id ?? '')).toEqual(boss)
      expect(await whoIs(service, staff)).toBe('boss')
    },
  )

  rule(
    'KEY-16',
    {
      tried: 'reading a key back: from lists, the profile, staff, the store, errors and the log',
      expected: 'it was shown once; the store has a digest',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, cookie, key } = await holder(scene, service)
      const [, , secret = ''] = key.split('_')
      const staff = await staffOf(service)
      const seen = [
        ...['/api-keys/', '/me/', '/sessions/'].map((url) => [url, cookie] as const),
        ...[`/user/${id}`, '/user/?view=own'].map((url) => [url, staff] as const),
      ]
      for (const [url, who] of seen) {
        const { body } = await service.send('GET', url, undefined, as(who))
        expect([url, body.includes(secret)]).toEqual([url, false])
      }
      expect(JSON.stringify(await scene.users.findById(id))).not.toContain(secret)
      expect((await read(service, `${key}x`)).body).not.toContain(secret)
      expect(service.mails.filter(({ text }) => text.includes(secret))).toEqual([])
      expect(scene.log.text()).not.toContain(secret)
    },
  )

  rule(
    'KEY-17',
    {
      tried:
        'keys older than any link, when the owner secures the account, undoes a change of the address, or the app does',
      expected: 'every key ends, the responses say how many, and an enabled account gets none of them back',
    },
    async (scene) => {
      const service = await startOn(scene, { session: { newDeviceMail: true, absoluteTimeout: 400 * day } })
      const { id, key } = await holder(scene, service, { expires_in: 31_536_000 })
      await scene.wait(300 * day)
      expect(await statusOf(service, key)).toBe(200)
      await logIn(service)
      const report = linkTarget(await service.mail('new-device', email))
      expect((await service.send('GET', report)).json()).toMatchObject({ removes: { api_keys: 1 } })
      expect(await statusOf(service, key)).toBe(200)
      expect((await service.send('POST', report)).json()).toMatchObject({ removed: { api_keys: 1 } })
      expect(await statusOf(service, key)).toBe(401)

      const input = { name: 'again', scopes: ['orders:read'] }
      const { key: second } = await service.app.accounts.createApiKey(id, input)
      expect(await service.app.accounts.secureUser(id)).toMatchObject({ apiKeys: 1 })
      expect(await statusOf(service, second)).toBe(401)

      await service.app.accounts.setPassword(id, goodPassword)
      const cookie = await logIn(service)
      const { key: third } = await service.app.accounts.createApiKey(id, input)
      const moved = { email: 'thief@example.com' }
      expect((await service.send('POST', '/change-email/', moved, as(cookie))).statusCode).toBe(202)
      await service.send('POST', linkTarget(await service.mail('change-email', moved.email)))
      const undo = linkTarget(await service.mail('email-changed', email))
      expect((await service.send('POST', undo)).json()).toMatchObject({ removed: { api_keys: 1 } })
      expect(await statusOf(service, third)).toBe(401)
    },
  )

  rule(
    'KEY-18',
    {
      tried:
        'a stranger signs up with the address of somebody else and creates a key, before the owner proves the address',
      expected: 'the proof ends the key, however it comes about, and the key’s name is in no email',
    },
    async (scene) => {
      const service = await startOn(scene)
      await signUp(service, 'mallory', { email })
      const cookie = await logIn(service, 'mallory')
      const { key } = await createKey({ ...service, cookie }, { name: 'call 555-0100' })
      scene.log.secrets.add('token', key)
      await service.settle()
      expect(service.mails.filter(({ text }) => text.includes('555'))).toEqual([])
      const link = await resetLink(service, email)
      expect((await service.send('GET', link)).json()).toMatchObject({ valid: true, api_keys: [] })
      expect((await service.send('POST', link, choice(otherPassword))).statusCode).toBe(204)
      expect(await statusOf(service, key)).toBe(401)
    },
  )

  rule(
    'KEY-19',
    {
      tried:
        'a key of ours or an imported one, beside the cookie of somebody else, is removed or narrowed, or its account disabled or deleted, while its body is held back and between two checks of an open response',
      expected: '401, or 403 if only the scope is gone: neither is done, also not as the user of the cookie',
    },
    async (scene) => {
      let admitted = 0
      const done: unknown[] = []
      const before = (app: FastifyInstance) => {
        const require: AccountsHook = (request, reply) =>
          app.accounts.requireScope('orders:write')(request, reply)
        const shown = (request: FastifyRequest) => done.push([request.url, request.user?.username])
        app.post('/held', { onRequest: require }, async (request) => shown(request))
        app.get('/open', { onRequest: require }, async (request) => {
          admitted += 1
          await opened
          await require(request)
          return shown(request)
        })
        app.addHook('preParsing', async ({ method }) => {
          if (method === 'POST') admitted += 1
        })
      }
      let open = (): void => {}
      let opened: Promise<void> = Promise.resolve()
      const features = [apiKeys({ scopes, imported: ['better-auth'] })]
      const service = await scene.start({ features }, { before })
      const { accounts } = service.app
      const port = await service.listen()
      await accounts.createUser({ username: 'mallory', password: goodPassword })
      const cookie = await logIn(service, 'mallory')
      const change = async (id: string, changes: (user: StoredUser) => UserChanges) => {
        let changed: StoredUser | null = null
        // The note of its use may come in between.
        while (changed === null) {
          const user = await scene.users.findById(id)
          if (user === null) throw new Error(`no user ${id}`)
          changed = await scene.users.update(id, changes(user), user.version)
        }
      }
      const narrowed = ({ credentials }: StoredUser) => ({
        credentials: credentials.map((each) => ({ ...each, scopes: ['orders:read'] })),
      })
      const ends: Record<string, [status: number, end: (id: string) => Promise<unknown>]> = {
        removed: [401, (id) => change(id, () => ({ credentials: [], identityKeys: [] }))],
        disabled: [401, (id) => accounts.updateUser(id, { isActive: false })],
        deleted: [401, (id) => scene.users.delete(id)],
        narrowed: [403, (id) => change(id, narrowed)],
      }
      for (const [how, [status, end]] of Object.entries(ends)) {
        for (const isImported of [false, true]) {
          const username = `${how}-${isImported}`
          const { id } = await accounts.createUser({ username, password: goodPassword })
          const given = await accounts.createApiKey(id, { name: 'CI', scopes: ['orders:write'] })
          const text = isImported ? `old-${username}`.padEnd(64, 'x') : given.key
          scene.log.secrets.add('token', text)
          if (isImported) {
            const stored = { id: digest(text), hash: null, realm: null }
            await change(id, ({ credentials }) => ({
              credentials: credentials.map((each) => ({ ...each, ...stored })),
              identityKeys: [`key:${stored.id}`],
            }))
          }
          const headers: Record<string, string> = isImported
            ? { cookie, 'x-api-key': text }
            : { cookie, authorization: `Bearer ${text}` }
          admitted = 0
          opened = new Promise((resolve) => {
            open = resolve
          })
          const finish = holdBody({ port, method: 'POST', url: '/held', headers, body: {} })
          const responded = service.send('GET', '/open', undefined, { headers })
          await expect.poll(() => admitted).toBe(2)
          await end(id)
          open()
          const statuses = [await finish(), (await responded).statusCode]
          expect([how, isImported, statuses]).toEqual([how, isImported, [status, status]])
        }
      }
      expect(done).toEqual([])
    },
  )

  rule(
    'KEY-20',
    {
      tried:
        'a key whose account must have had a second factor only since later, as staff without one, while it is held back and afterwards; one of an account with a passkey, with and without a password',
      expected:
        '403 that says so, until the account has a factor, and no new key; a service account needs none, nor one that only a passkey opens',
    },
    async (scene) => {
      const required = { forAll: false }
      let admitted = 0
      const before = (app: FastifyInstance) => {
        ordersOf(app)
        app.addHook('preParsing', async ({ method }) => {
          if (method === 'POST') admitted += 1
        })
      }
      const requiredFor = ({ isStaff }: AccountUser) => required.forAll || isStaff
      const service = await scene.start(
        {
          users: { variant: 'both' },
          features: [apiKeys({ scopes }), secondFactor({ requiredFor }), passkeys()],
        },
        { before },
      )
      const { id, cookie, key } = await holder(scene, service, { scopes: Object.keys(scopes) })
      const robot = await service.app.accounts.createService({ username: 'robot' })
      const { key: program } = await service.app.accounts.createApiKey(robot.id, {
        name: 'robot',
        scopes: ['orders:read'],
      })
      expect(await statusOf(service, key)).toBe(200)
      admitted = 0
      const { headers } = withKey(key)
      const port = await service.listen()
      const finish = holdBody({ port, method: 'POST', url: '/orders', headers, body: {} })
      await expect.poll(() => admitted).toBe(1)
      await service.app.accounts.updateUser(id, { isStaff: true })
      const refused = await read(service, key)
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
      expect(await finish()).toBe(403)
      await enroll(service, cookie)
      expect(await statusOf(service, key)).toBe(200)
      required.forAll = true
      expect(await statusOf(service, program)).toBe(200)

      const browser = visitor(service)
      const { passkey, response } = await browser.signUp('pam')
      const create = () => browser.send('POST', '/api-keys/', { name: 'CI', scopes: ['orders:read'] })
      const { key: own } = (await create()).json()
      scene.log.secrets.add('token', own)
      expect(await statusOf(service, own)).toBe(200)
      await service.app.accounts.setPassword(response.json().id, goodPassword)
      await browser.use(passkey)
      for (const { statusCode, json } of [await read(service, own), await create()])
        expect([statusCode, json().code]).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
      expect((await browser.send('PATCH', '/second-factor/', { passkeys: true })).statusCode).toBe(200)
      expect([await statusOf(service, own), (await create()).statusCode]).toEqual([200, 201])
    },
  )
})
