import { createKey, ordersOf, scopes, withKey } from '@fastify-accounts/test-support/api-keys'
import { as, goodPassword, logIn, signUp } from '@fastify-accounts/test-support/app'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { apiKeys, invitations, type StoredUser, secondFactor } from 'fastify-accounts'
import type { Feature } from 'fastify-accounts/features'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'

const minute = 60_000
const email = 'alice@example.org'
const everything = () => [secondFactor(), apiKeys({ scopes }), invitations()]

const exported = ({ send }: Pick<Service, 'send'>, cookie: string) =>
  send('GET', '/me/export/', undefined, as(cookie))
const codeOf = async (service: Service, cookie: string) => {
  const response = await exported(service, cookie)
  return [response.statusCode, response.json().code]
}
/** What a record holds that may be shown to its owner: all other texts in there are secrets, or states of links. */
const shown = ['kind', 'name', 'createdAt', 'lastUsedAt', 'expiresAt', 'lastUsedOn', 'scopes']
function hiddenTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  const entries = Object.entries(value).filter(([key]) => Array.isArray(value) || !shown.includes(key))
  return entries.flatMap(([, each]) => hiddenTexts(each))
}

cases('Export', ({ rule, storage }) => {
  rule(
    'EXP-01',
    {
      tried:
        'an export without a session, from an old one, with an API key, of a disabled user, and of somebody else by id',
      expected:
        '401 without a session, 403 until the password is re-entered, and 401 with a key and for a disabled user; an id in the query changes nothing',
    },
    async ({ start, wait }) => {
      const service = await start({ features: everything() }, { before: ordersOf })
      const { id } = await signUp(service, 'alice', { email })
      const other = await signUp(service, 'bob')
      const cookie = await logIn(service)
      const { key } = await createKey({ ...service, cookie })
      expect((await service.send('GET', '/me/export/')).statusCode).toBe(401)
      const byKey = await service.send('GET', '/me/export/', undefined, withKey(key))
      expect([byKey.statusCode, byKey.body.includes('alice')]).toEqual([401, false])
      const url = `/me/export/?id=${other.id}&pk=${other.id}`
      const own = await service.send('GET', url, undefined, as(cookie))
      expect(own.body).not.toContain(other.id)
      await wait(16 * minute)
      expect(await codeOf(service, cookie)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
      const again = await logIn(service)
      expect((await exported(service, again)).statusCode).toBe(200)
      await service.app.accounts.updateUser(id, { isActive: false })
      expect(await codeOf(service, again)).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
    },
  )

  storage(
    'EXP-02',
    {
      tried:
        'searching an export for the password, the cookie, the secret of an app, recovery codes, the API key, all that is stored with them, ids of session rows, and what another user has',
      expected: 'none of it is there',
    },
    async ({ start, users, sessions }) => {
      const service = await start({ features: everything() }, { before: ordersOf })
      const { id } = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const { cookie, secret, codes } = await enroll(service)
      const { key } = await createKey({ ...service, cookie })
      await service.send('POST', '/change-email/', { email: 'new@example.org' }, as(cookie))
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      await service.app.accounts.updateUser(bob.id, { isVerified: true })
      await enroll(service, await logIn(service, 'bob'), 'Tablet of Bob')
      await service.settle()
      const document = await exported(service, cookie)
      expect(document.statusCode).toBe(200)
      const stored = (await users.findById(id)) as StoredUser
      const rows = await sessions.listByUser(id)
      expect(rows.length).toBeGreaterThan(0)
      const { credentials, identityKeys, passwordHash, notes } = stored
      const hidden = [...hiddenTexts(credentials), ...identityKeys, passwordHash]
      expect(hidden.length).toBeGreaterThan(10)
      const { state } = notes.pendingAddress as { state: string }
      const secrets = [goodPassword, secret, key, state, ...codes, ...hidden, ...rows.map((row) => row.id)]
      const cookies = cookie.split('=')[1] ?? ''
      const foreign = [bob.id, 'bob', 'Tablet']
      const found = [...secrets, cookies, ...cookies.split('.'), ...foreign].filter(
        (text) => text.length > 2 && document.body.includes(text),
      )
      // The id of an app is shown to its owner, who renames it by that.
      const ids = document.json().features['second-factor'].apps.map((app: { id: string }) => app.id)
      expect(found.filter((text) => !ids.includes(text))).toEqual([])
    },
  )

  rule(
    'EXP-03',
    {
      tried: 'signing up with the address of somebody who is invited, to read the invitation in an export',
      expected: 'the export has no invitation, role or field of it until the address is known to be theirs',
    },
    async ({ start }) => {
      const roles = { editor: ['posts:write'] }
      const service = await start({ roles, features: everything() })
      await service.app.accounts.invite({ email, roles: ['editor'] })
      const { id } = await signUp(service, 'mallory', { email })
      const cookie = await logIn(service, 'mallory')
      const document = await exported(service, cookie)
      expect(document.statusCode).toBe(200)
      expect(document.body).not.toContain('editor')
      expect(document.json().features).not.toHaveProperty('invitations')
      // As staff do who know that it is theirs.
      await service.app.accounts.updateUser(id, { isVerified: true })
      expect((await exported(service, cookie)).body).toContain('editor')
    },
  )

  rule(
    'EXP-04',
    {
      tried: 'an export while a feature fails, or the session or invitation store is unavailable',
      expected: '503 with nothing of the person; a document that lacks a part never looks whole',
    },
    async ({ start, sessions, invitations: stored, log }) => {
      let fails = true
      const kept: Feature = {
        name: 'club',
        export(user) {
          if (fails) throw new Error(`no club of ${user.passwordHash}`)
          return 'a member'
        },
      }
      const service = await start({ features: [...everything(), kept] })
      const { passwordHash } = (await signUp(service, 'alice', { email })) as StoredUser
      log.secrets.add('hash', passwordHash)
      const cookie = await logIn(service)
      const expectNothing = async () => {
        const { statusCode, body } = await exported(service, cookie)
        expect([statusCode, body.includes('alice')]).toEqual([503, false])
      }
      await expectNothing()
      fails = false
      expect((await exported(service, cookie)).json().features.club).toBe('a member')
      const { listByUser } = sessions
      sessions.listByUser = () => Promise.reject(new Error('down'))
      await expectNothing()
      sessions.listByUser = listByUser
      const { list } = stored
      stored.list = () => Promise.reject(new Error('down'))
      await expectNothing()
      stored.list = list
      expect((await exported(service, cookie)).statusCode).toBe(200)
    },
  )

  rule(
    'EXP-05',
    {
      tried: 'eleven exports of an account within an hour, from several sessions, and one of another account',
      expected: 'the eleventh is 429, the other account’s succeeds',
    },
    async ({ start }) => {
      const service = await start({ throttle: {}, features: everything() })
      await signUp(service)
      await signUp(service, 'bob')
      const sessions = [await logIn(service), await logIn(service)]
      for (let n = 0; n < 10; n += 1)
        expect((await exported(service, sessions[n % 2] ?? '')).statusCode).toBe(200)
      for (const cookie of sessions)
        expect(await codeOf(service, cookie)).toEqual([429, 'ACCOUNTS_THROTTLED'])
      expect((await exported(service, await logIn(service, 'bob'))).statusCode).toBe(200)
    },
  )

  rule(
    'EXP-06',
    {
      tried: 'finding out with a copied cookie when its owner was last there',
      expected: 'the own session in the export has the time of the request, and an end that doesn’t move',
    },
    async ({ start, wait }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      const ownOf = async () => {
        const { devices } = (await exported(service, cookie)).json().features
        return devices.find((each: { current: boolean }) => each.current)
      }
      const first = await ownOf()
      await wait(5 * minute)
      const second = await ownOf()
      expect(second.last_seen_at).toBe(new Date().toISOString())
      expect(second.expires_at).toBe(first.expires_at)
    },
  )
})
