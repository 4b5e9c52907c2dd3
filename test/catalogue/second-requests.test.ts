import { passkeys } from '@fastify-accounts/passkeys'
import { cheapHasher, goodPassword, logIn, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { enquireWithPasskey } from '@fastify-accounts/test-support/passkeys/enquire'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { assertNoEnumeration, countHashes, newUser } from '@fastify-accounts/testing'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { callsOf } from './store-calls.js'

interface Page {
  results?: unknown[]
  next?: string | null
}

const passwords = { password: goodPassword, confirm_password: goodPassword }

cases('Second requests', ({ rule }) => {
  rule(
    'SRQ-01',
    {
      tried:
        'account enumeration by a second request: signing up with an address, then logging in by name, by address and with a passkey, in the same browser and in another, signing up again with the same name, address and passkey, and requesting emails; with usernames and without',
      expected:
        'the same responses after the same hashes for a free address and for those of a sound account, an unverified one and a disabled one, with cookies of the same length; the owner is told',
    },
    async ({ start, users }) => {
      for (const names of ['required', 'none'] as const) {
        const hasher = countHashes(cheapHasher())
        const service = await start({
          ...{ requireEmailConfirmation: true, passwordHasher: hasher },
          users: { variant: 'both', names },
          features: [passkeys()],
        })
        const isNamed = names === 'required'
        const states = {
          sound: { isVerified: true },
          unproven: {},
          disabled: { isVerified: true, isActive: false },
        }
        const made: { email: string }[] = []
        for (const [name, changes] of Object.entries(states)) {
          const account = { email: `${name}-${names}@example.org`, ...(isNamed && { username: name }) }
          const { id } = await service.app.accounts.createUser({ ...account, password: goodPassword })
          await service.app.accounts.updateUser(id, changes)
          made.push(account)
        }
        const [account = { email: '' }, ...others] = made
        const { secondRequests } = await assertNoEnumeration(service.app, {
          ...{ account, others, hasher, alsoAsk: enquireWithPasskey(isNamed) },
          paths: { create: '/signup/', resend: '/signup/v/' },
        })
        const statusOf = (request: string) => secondRequests.find((each) => each.request === request)?.status
        expect(statusOf('log in by name')).toBe(isNamed ? 403 : undefined)
        expect(statusOf('log in by address')).toBe(401)
        expect(statusOf('passkey: log in, elsewhere')).toBe(401)
        expect(await service.mail('account-exists', account.email)).toBeTruthy()
        expect(await service.mail('verify-email', others[0]?.email)).toBeTruthy()
        for (const user of await users.list({ limit: 100 })) await users.delete(user.id)
      }
    },
  )

  rule(
    'SRQ-02',
    {
      tried:
        'what is kept of a sign-up with a taken address: looked up, listed, changed and deleted by staff and by the app’s own code; logged in to, also once no confirmation is required; its name and its passkey taken by somebody else',
      expected: 'nobody finds it or gets into it, and both are taken, as those of any other sign-up are',
    },
    async ({ start, users, sessionRows }) => {
      const options = { users: { variant: 'both' }, features: [passkeys()] } as const
      const service = await start({ ...options, requireEmailConfirmation: true })
      const { accounts } = service.app
      const email = 'alice@example.org'
      await accounts.createUser({ username: 'alice', password: otherPassword, email, isVerified: true })
      await accounts.createUser({ username: 'chief', password: goodPassword, isStaff: true })
      const mallory = visitor(service)
      const { passkey, response } = await mallory.signUp('mallory', { email })
      expect(response.statusCode).toBe(202)
      const stored = await users.findByUsername('mallory')
      expect(stored).toMatchObject({
        kind: 'unclaimed',
        email: null,
        identityKeys: [`passkey:${passkey.id}`],
      })
      const id = stored?.id ?? ''

      expect([await accounts.findUser({ id }), await accounts.findUser({ username: 'MALLORY' })]).toEqual([
        null,
        null,
      ])
      expect([await accounts.updateUser(id, { isVerified: true }), await accounts.deleteUser(id)]).toEqual([
        null,
        false,
      ])
      expect(await accounts.setPassword(id, goodPassword)).toBe(false)
      const chief = visitor(service)
      await chief.logIn('chief')
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { is_verified: true }],
        ['POST', '/end-sessions/'],
        ['DELETE', ''],
      ] as const)
        expect((await chief.send(method, `/user/${id}${path}`, body)).statusCode).toBe(404)
      for (const query of ['', '?search=mall', '?view=own', '?order=-username', '?is_verified=false']) {
        const { results } = (await chief.send('GET', `/user/${query}`)).json()
        const seen = results.map(({ username }: { username: string }) => username)
        expect([query, seen.includes('mallory')]).toEqual([query, false])
      }

      const rows = await sessionRows()
      const open = await start({ ...options, requireEmailConfirmation: false })
      expect(refusalOf(await visitor(open).use(passkey))).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
      await signUp(service, 'eve', { email })
      const byName = await open.send('POST', '/login/', { username: 'eve', password: goodPassword })
      expect(refusalOf(byName)).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
      expect(await sessionRows()).toBe(rows)
      expect(refusalOf(await open.send('POST', '/user/', { username: 'Mallory', ...passwords }))).toEqual([
        409,
        'ACCOUNTS_USERNAME_TAKEN',
      ])
      const copy = await visitor(open).signUp('bob', { email: 'bob@example.org' }, { id: passkey.id })
      expect(refusalOf(copy.response)).toEqual([400, 'ACCOUNTS_INVALID_PASSKEY'])
      expect(await users.findById(id)).toEqual(stored)
    },
  )

  rule(
    'SRQ-03',
    {
      tried:
        'account enumeration by filling the list: as a member, a thousand unverified sign-ups of one’s own, then one more with a name, with the address as the name and without a name, and reading all pages of the list and of a search',
      expected:
        'the same pages after the same queries for a free and for a taken address, whatever the length of a page',
    },
    async ({ start, users }) => {
      const options = { requireEmailConfirmation: true }
      const service = await start(options)
      for (const username of ['probe-member', 'probe-taken']) {
        const account = { username, email: `${username}@example.org`, password: goodPassword }
        await service.app.accounts.createUser({ ...account, isVerified: true })
      }
      // With the two others and one more, 1,100: full pages for anything that reads a round number of users ahead.
      const fill = Array.from({ length: 1097 }, (_, index) => {
        const [username, email] = [`probe-${index}`, `probe-${index}@example.org`]
        const keys = { usernameKey: username, emailKey: email }
        return newUser({ ...keys, username, email, createdAt: new Date() })
      })
      await (users.createMany?.(fill) ?? Promise.all(fill.map((user) => users.create(user))))
      const asked = callsOf(users)

      for (const [on, usernameOf] of [
        [service, (address: string) => `${address.split('@')[0]}-again`],
        [service, (address: string) => address],
        [await start({ ...options, users: { variant: 'both', names: 'none' } }), () => undefined],
      ] as const) {
        const cookie = await logIn(on, on === service ? 'probe-member' : 'probe-member@example.org')
        const pagesAfter = async (email: string) => {
          const username = usernameOf(email)
          const made = await on.send('POST', '/signup/', { username, email, ...passwords })
          expect(made.statusCode).toBe(202)
          const seen: unknown[] = []
          for (const search of ['', '&search=probe']) {
            for (let limit = 1; limit <= 12; limit += 1) {
              for (let url: string | null = `/user/?limit=${limit}${search}`; url !== null; ) {
                asked.length = 0
                const response = await on.send('GET', url, undefined, { headers: { cookie } })
                const { results, next = null }: Page = response.json()
                const lists = asked.filter((call) => call === 'list').length
                seen.push([limit, search, response.statusCode, results, next?.length, lists])
                url = next?.replace('http://localhost:3000', '') ?? null
              }
            }
          }
          return seen
        }
        const afterTaken = await pagesAfter('probe-taken@example.org')
        expect(await pagesAfter('probe-free@example.org')).toEqual(afterTaken)
        const both = [expect.anything(), expect.anything()]
        expect(afterTaken).toContainEqual([2, '', 200, both, undefined, 1])
        const more = await users.findByEmail('probe-free@example.org')
        expect(more).toMatchObject({ kind: 'person', isVerified: false, lastLoginAt: null })
        await users.delete(more?.id ?? '')
      }
    },
  )
})
