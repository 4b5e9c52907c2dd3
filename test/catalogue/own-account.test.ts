import { as, goodPassword, linkTarget, logIn, signUp, whoIs } from '@fastify-accounts/test-support/app'
import { expect } from 'vitest'
import { cases } from './catalogue.js'

import type { Service } from './service.js'

const email = 'alice@example.org'
const patch = ({ send }: Service, cookie: string, body: object) => send('PATCH', '/me/', body, as(cookie))
const remove = ({ send }: Service, cookie: string) => send('DELETE', '/me/', undefined, as(cookie))
const fields = {
  type: 'object',
  properties: {
    city: { type: 'string', maxLength: 20 },
    tags: { type: 'array', items: { type: 'string', maxLength: 20 } },
  },
} as const

cases('Own account', ({ rule, storage }) => {
  rule(
    'ACC-01',
    {
      tried:
        'rights, addresses, hashes, ids, epochs and prototypes in PATCH /me/, alone and with a valid value, as JSON and as a form',
      expected:
        '400 names the field as unknown, and nothing in the request is saved, not even the valid value',
    },
    async ({ start, users }) => {
      const service = await start({ users: { fields } })
      const { id } = await signUp(service, 'alice', { email, city: 'Ghent' })
      const cookie = await logIn(service)
      const before = await users.findById(id)
      const values: Record<string, unknown> = {
        is_staff: true,
        isStaff: true,
        is_verified: true,
        isVerified: true,
        emailVerified: true,
        is_active: false,
        email: 'evil@example.com',
        emailKey: 'evil@example.com',
        password: goodPassword,
        passwordHash: '$scrypt$ln=1,r=1,p=1$AAAA$AAAA',
        password_hash: '$scrypt$ln=1,r=1,p=1$AAAA$AAAA',
        id: 'x',
        version: 0,
        sessionEpoch: 0,
        emailChangedAt: null,
        last_login_at: null,
        created_at: '2000-01-01T00:00:00.000Z',
        fields: { city: 'Namur' },
        'fields.city': 'Namur',
        toString: 'x',
      }
      const shown = (await service.send('GET', '/me/', undefined, { headers: { cookie } })).json()
      for (const [name, value] of Object.entries(values)) {
        const code = Object.hasOwn(shown, name) ? 'read_only' : 'unknown'
        for (const body of [{ [name]: value }, { city: 'Namur', [name]: value }]) {
          const response = await patch(service, cookie, body)
          expect([name, response.statusCode, response.json().fields]).toMatchObject([
            name,
            400,
            [{ field: name, code }],
          ])
        }
        const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
        const payload = `${encodeURIComponent(name)}=true&city=Namur`
        const asForm = await service.app.inject({ method: 'PATCH', url: '/me/', payload, headers })
        expect([name, asForm.statusCode]).toEqual([name, 400])
      }
      for (const payload of [
        '{"__proto__":{"isStaff":true},"city":"Namur"}',
        '{"constructor":{"prototype":{"isStaff":true}},"city":"Namur"}',
        '{"city":"Namur","city":"Ghent","is_staff":true}',
        '{"tags":[{"__proto__":{"x":1}}]}',
        '[{"city":"Namur"}]',
        '"city"',
      ]) {
        const headers = { cookie, 'content-type': 'application/json' }
        const response = await service.app.inject({ method: 'PATCH', url: '/me/', payload, headers })
        expect([payload, response.statusCode]).toEqual([payload, 400])
      }
      expect(await users.findById(id)).toEqual(before)
      expect(({} as Record<string, unknown>).isStaff).toBeUndefined()
      expect((await patch(service, cookie, { city: 'Namur' })).json()).toMatchObject({ city: 'Namur' })
      expect(await users.findById(id)).toMatchObject({ isStaff: false, email, fields: { city: 'Namur' } })
    },
  )

  storage(
    'ACC-02',
    {
      tried:
        'taking another user’s name by PATCH: in other spellings, twenty concurrently, as reserved words, and with invisible letters',
      expected:
        '409 for every spelling of a taken name, one winner of the race, 400 for the rest; no login moves to another user',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service, 'kim')
      const { id } = await signUp(service)
      const cookie = await logIn(service)
      for (const username of ['kim', 'KIM', '\u212aim', 'ｋｉｍ', 'Kim']) {
        const response = await patch(service, cookie, { username })
        expect([username, response.json().code]).toEqual([username, 'ACCOUNTS_USERNAME_TAKEN'])
      }
      for (const username of [
        'admin',
        'ROOT',
        'ki\u200bm',
        'kim\u202e',
        '\u3164',
        '<b>',
        ' kim',
        'a b',
        '',
      ]) {
        const response = await patch(service, cookie, { username })
        expect([username, response.statusCode]).toEqual([username, 400])
      }
      expect(await users.findById(id)).toMatchObject({ username: 'alice', usernameKey: 'alice' })

      const racers = await Promise.all(
        Array.from({ length: 20 }, async (_, at) => {
          await signUp(service, `racer${at}`)
          return logIn(service, `racer${at}`)
        }),
      )
      const responses = await Promise.all(
        racers.map((each, at) => patch(service, each, { username: at % 2 ? 'winner' : 'WINNER' })),
      )
      expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      for (const { statusCode } of responses) expect([200, 409]).toContain(statusCode)
      expect((await users.findByUsername('winner'))?.id).toBe(
        responses.find(({ statusCode }) => statusCode === 200)?.json().id,
      )
      expect(await whoIs(service, await logIn(service, 'kim'))).toBe('kim')
    },
  )

  storage(
    'ACC-03',
    {
      tried:
        'deleting your own account from a session that is old, ended, of a disabled user or from another site, and twenty times concurrently',
      expected:
        '403 until the password is re-entered, 401 if the session is over; one of the twenty deletes, and no row is left',
    },
    async ({ start, users, wait, sessionRows }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email })
      await wait(0)
      const [old, ended] = [await logIn(service), await logIn(service)]
      await service.send('POST', '/logout/', undefined, as(ended))
      expect((await remove(service, ended)).statusCode).toBe(401)
      expect((await service.send('DELETE', '/me/')).statusCode).toBe(401)
      const foreign = { cookie: old, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const crossSite = await service.app.inject({ method: 'DELETE', url: '/me/', headers: foreign })
      expect(crossSite.json().code).toBe('ACCOUNTS_CROSS_SITE')
      const overridden = { cookie: old, 'x-http-method-override': 'DELETE' }
      for (const method of ['POST', 'GET'] as const) {
        await service.app.inject({ method, url: '/me/?_method=DELETE', headers: overridden })
      }
      await wait(15 * 60_000)
      expect((await remove(service, old)).json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
      expect((await service.send('DELETE', `/user/${id}`, undefined, as(old))).json().code).toBe(
        'ACCOUNTS_CONFIRMATION_REQUIRED',
      )
      await service.app.accounts.updateUser(id, { isActive: false })
      expect((await remove(service, old)).statusCode).toBe(401)
      await service.app.accounts.updateUser(id, { isActive: true })
      expect((await remove(service, old)).statusCode).toBe(401)
      expect(await users.findById(id)).not.toBeNull()

      const cookies = await Promise.all(Array.from({ length: 4 }, () => logIn(service)))
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, at) => remove(service, cookies[at % 4] ?? '')),
      )
      expect(responses.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
      for (const { statusCode } of responses) expect([204, 401, 404]).toContain(statusCode)
      expect(await users.findById(id)).toBeNull()
      for (const cookie of cookies) expect(await whoIs(service, cookie)).toBeNull()
      expect(await sessionRows()).toBe(0)
    },
  )

  storage(
    'ACC-04',
    {
      tried:
        'deleting the account while it is being changed: the name, the address, the password, a confirmation',
      expected: 'the account is gone, whatever the other request did; no row, name or address is left',
    },
    async ({ start, users, sessionRows }) => {
      const service = await start()
      const fresh = 'fresh@example.org'
      /** Prepares a request, and returns a function to send it in the race. */
      type Action = (cookie: string) => Promise<() => Promise<{ statusCode: number }>>
      const actions: Action[] = [
        async (cookie) => () => patch(service, cookie, { username: 'alicia' }),
        async (cookie) => () => service.send('POST', '/confirm/', { password: goodPassword }, as(cookie)),
        async (cookie) => () => {
          const choice = { new_password: 'a third password', confirm_password: 'a third password' }
          const body = { old_password: goodPassword, ...choice }
          return service.send('POST', '/change-password/', body, as(cookie))
        },
        async (cookie) => {
          await service.send('POST', '/change-email/', { email: fresh }, as(cookie))
          const link = linkTarget(await service.mail('change-email', fresh))
          return () => service.send('POST', link)
        },
      ]
      for (const action of actions) {
        for (const gap of [0, 1, 3]) {
          service.mails.splice(0)
          const { id } = await signUp(service, 'alice', { email })
          const [one, other] = [await logIn(service), await logIn(service)]
          const begin = await action(one)
          const late = begin()
          for (let turn = 0; turn < gap; turn += 1) await new Promise(setImmediate)
          const [{ statusCode }, done] = await Promise.all([late, remove(service, other)])
          expect([200, 204, 400, 401, 404, 409]).toContain(statusCode)
          // A change of password may have ended the other session first.
          if (done.statusCode === 401) await service.app.accounts.deleteUser(id)
          else expect(done.statusCode).toBe(204)
          expect(await users.findById(id)).toBeNull()
          for (const cookie of [one, other]) expect(await whoIs(service, cookie)).toBeNull()
          for (const name of ['alice', 'alicia']) expect(await users.findByUsername(name)).toBeNull()
          for (const address of [email, fresh]) expect(await users.findByEmail(address)).toBeNull()
        }
      }
      // A session created while its user was deleted belongs to nobody, and is removed when it expires.
      expect(await sessionRows()).toBeLessThanOrEqual(6)
      await signUp(service, 'alice', { email })
      expect(await whoIs(service, await logIn(service))).toBe('alice')
    },
  )

  storage(
    'ACC-05',
    {
      tried:
        'filling your own fields with 12 KiB each: one by one, all at once, and at creation through the host’s API',
      expected:
        '400 with that reason once they exceed 16 KiB of JSON in total; the store never holds more; existing values can be replaced or removed',
    },
    async ({ start, users }) => {
      const names = ['one', 'two', 'three']
      const text = { type: 'string', maxLength: 15_000 } as const
      const own = { type: 'object', properties: { one: text, two: text, three: text } } as const
      const service = await start({ users: { fields: own } })
      const { id } = await signUp(service)
      const cookie = await logIn(service)
      const long = 'é'.repeat(6 * 1024)
      const sizeOf = async () => Buffer.byteLength(JSON.stringify((await users.findById(id))?.fields))

      expect((await patch(service, cookie, { one: long })).statusCode).toBe(200)
      const refused = await patch(service, cookie, { two: long })
      expect(refused.json()).toMatchObject({
        statusCode: 400,
        code: 'ACCOUNTS_INVALID_INPUT',
        fields: [
          { field: '', code: 'too_long', message: 'Together, these fields may take up at most 16 KiB.' },
        ],
      })
      expect((await patch(service, cookie, { one: null, two: long })).statusCode).toBe(200)
      expect((await patch(service, cookie, { two: null })).statusCode).toBe(200)
      const responses = await Promise.all(names.map((name) => patch(service, cookie, { [name]: long })))
      expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400])
      expect(await sizeOf()).toBeLessThanOrEqual(16 * 1024)

      const creation = { username: 'bob', password: goodPassword, fields: { one: long, two: long } }
      await expect(service.app.accounts.createUser(creation)).rejects.toThrow(
        expect.objectContaining({ code: 'ACCOUNTS_INVALID_INPUT' }),
      )
      expect(await users.findByUsername('bob')).toBeNull()
    },
  )
})
