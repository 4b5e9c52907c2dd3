import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, logIn, otherPassword, signUp, whoIs } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { at } from '@fastify-accounts/test-support/passkeys/second-step'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const email = 'alice@example.org'
const hour = 3_600_000

/** Stands for another process: shares nothing but the stores. */
const startOn = ({ start }: Scene): Promise<Service> =>
  start({ users: { variant: 'both' }, features: [passkeys()] })

/** A user with a password, a passkey and a verified address. */
async function withPasskey(service: Service) {
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: true })
  const owner = visitor(service)
  await owner.logIn()
  const { passkey, response } = await owner.add()
  if (response.statusCode !== 201) throw new Error(response.body)
  await owner.use(passkey)
  return { id, owner, passkey }
}

const login = (service: Service, username: string, password: string) =>
  service.send('POST', '/login/', { username, password })

cases('Accounts without a password', ({ rule, storage }) => {
  storage(
    'PWL-01',
    {
      tried: 'the removed password, and earlier sessions and reset links, in both processes',
      expected: 'all of them are dead; the session that removed it continues, and so does the passkey',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const { owner, passkey } = await withPasskey(services[0])
      const elsewhere = await logIn(services[1])
      const link = await resetLink(services[0], email)
      expect((await owner.send('DELETE', '/password/')).statusCode).toBe(204)
      expect(await owner.who()).toBe('alice')
      for (const service of services) {
        expect(await whoIs(service, elsewhere)).toBeNull()
        expect((await login(service, 'alice', goodPassword)).statusCode).toBe(401)
        expect((await service.send('POST', link, choice(otherPassword))).statusCode).toBe(400)
        const browser = visitor(service)
        expect((await browser.use(passkey)).statusCode).toBe(200)
      }
    },
  )

  rule(
    'PWL-02',
    {
      tried:
        'POST /login/ for an account without a password, with one that was removed and with the marker stored in its place',
      expected: 'the response and hashing of a wrong password, and of an unknown name',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner } = await withPasskey(service)
      await signUp(service, 'bob')
      expect((await owner.send('DELETE', '/password/')).statusCode).toBe(204)
      const attempts = [
        ['bob', otherPassword],
        ['nobody', otherPassword],
        ['alice', goodPassword],
        ['alice', '!'],
        [email, goodPassword],
      ] as const
      const seen: unknown[] = []
      for (const [username, password] of attempts) {
        const before = service.hasher.verifications + service.hasher.hashes
        const response = await login(service, username, password)
        const work = service.hasher.verifications + service.hasher.hashes - before
        seen.push([response.statusCode, response.body, Object.keys(response.headers).sort(), work])
      }
      for (const each of seen) expect(each).toEqual(seen[0])
      expect(seen[0]).toMatchObject([401, expect.stringContaining('ACCOUNTS_INVALID_CREDENTIALS'), {}, 1])
    },
  )

  storage(
    'PWL-03',
    {
      tried:
        'the last login method removed: a password alone, and a password and the only passkey simultaneously in two processes',
      expected: '409, and one remains',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const { owner } = await withPasskey(services[0])
      await signUp(services[0], 'bob')
      const bob = visitor(services[0])
      await bob.logIn('bob')
      expect(refusalOf(await bob.send('DELETE', '/password/'))).toEqual([409, 'ACCOUNTS_CONFLICT'])
      const [only] = (await owner.send('GET', '/passkeys/')).json().results
      const responses = await Promise.all([
        at(services[0], owner).send('DELETE', '/password/'),
        at(services[1], owner).send('DELETE', `/passkeys/${only.id}`),
      ])
      const statuses = responses.map(({ statusCode }) => statusCode).sort()
      // 401 if removing the password has ended the other request's session.
      expect([
        [204, 401],
        [204, 409],
      ]).toContainEqual(statuses)
      const user = await scene.users.findByUsername('alice')
      const ways = [user?.passwordHash !== '!', user?.credentials.some(({ kind }) => kind === 'passkey')]
      expect(ways.filter(Boolean)).toHaveLength(1)
    },
  )

  storage(
    'PWL-04',
    {
      tried:
        'a first password from an unattended session, from another site, and twenty concurrently; a password removed from an unattended session',
      expected: '403 before the body is read, and one of the twenty wins',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner, passkey } = await withPasskey(service)
      expect((await owner.send('DELETE', '/password/')).statusCode).toBe(204)
      await scene.wait(hour)
      for (const path of ['/change-password/', '/change-password/form/']) {
        for (const body of [choice(otherPassword), { new_password: 'x' }, {}]) {
          expect(refusalOf(await owner.send('POST', path, body))).toEqual([
            403,
            'ACCOUNTS_CONFIRMATION_REQUIRED',
          ])
        }
      }
      const fresh = visitor(service)
      expect((await fresh.use(passkey)).statusCode).toBe(200)
      const cookie = [...fresh.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { cookie, 'sec-fetch-site': 'cross-site' }
      const foreign = await service.send('POST', '/change-password/', choice(otherPassword), { headers })
      expect(foreign.statusCode).toBe(403)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          at(service, fresh).send('POST', '/change-password/', choice(`${otherPassword} ${n}`)),
        ),
      )
      const won = responses.flatMap(({ statusCode }, n) => (statusCode === 204 ? [n] : []))
      expect(won).toHaveLength(1)
      const working = await logIn(service, 'alice', `${otherPassword} ${won[0]}`)
      await scene.wait(hour)
      const stale = await service.send('DELETE', '/password/', undefined, { headers: { cookie: working } })
      expect(refusalOf(stale)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
    },
  )

  rule(
    'PWL-05',
    {
      tried:
        'a stranger signs up with another person’s address, adds a passkey, and keeps a session, before the address’s owner resets the password',
      expected:
        'the stranger’s password, passkey and session are gone; the account belongs to the address’s owner',
    },
    async (scene) => {
      const service = await startOn(scene)
      await signUp(service, 'alice', { email })
      const stranger = visitor(service)
      await stranger.logIn()
      const { passkey, response } = await stranger.add()
      expect(response.statusCode).toBe(201)
      const link = await resetLink(service, email)
      expect((await service.send('POST', link, choice(otherPassword))).statusCode).toBe(204)
      expect(await stranger.who()).toBeNull()
      expect((await login(service, 'alice', goodPassword)).statusCode).toBe(401)
      expect((await visitor(service).use(passkey)).statusCode).toBe(401)
      expect(await scene.users.findByUsername('alice')).toMatchObject({
        credentials: [],
        notes: { removed: { passkeys: 1 } },
        identityKeys: [],
      })
      expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
    },
  )
})
