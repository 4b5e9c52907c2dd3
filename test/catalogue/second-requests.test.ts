import { passkeys } from '@fastify-accounts/passkeys'
import {
  cheapHasher,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import { appBrowser, refusalOf } from '@fastify-accounts/test-support/app-browser'
import { enquireWithPasskey } from '@fastify-accounts/test-support/passkeys/enquire'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { assertNoEnumeration, countHashes, newUser } from '@fastify-accounts/testing'
import type { Mail } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { callsOf } from './store-calls.js'

interface Page {
  results?: unknown[]
  next?: string | null
}

const passwords = { password: goodPassword, confirm_password: goodPassword }

cases('Second requests', ({ rule, storage }) => {
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

  rule(
    'SRQ-04',
    {
      tried:
        'account enumeration by waiting: signing up with an address, with a password and with a passkey, and a day later signing up with the same name, with the same passkey, logging in by name and being renamed to it',
      expected:
        'the same responses after the same hashes and look-ups for a free address and for those of a sound account, an unverified one and a disabled one: the name and the passkey are free once the link has expired',
    },
    async ({ start, users, wait }) => {
      const hasher = countHashes(cheapHasher())
      const service = await start({
        ...{ requireEmailConfirmation: true, passwordHasher: hasher },
        ...{ users: { variant: 'both' }, features: [passkeys()] },
      })
      const { accounts } = service.app
      const states = {
        sound: { isVerified: true },
        unproven: {},
        disabled: { isVerified: true, isActive: false },
      }
      for (const [username, changes] of Object.entries(states)) {
        const account = { username, email: `${username}@example.org`, password: goodPassword }
        const { id } = await accounts.createUser(account)
        await accounts.updateUser(id, changes)
      }
      const asked = callsOf(users)
      const seen = new Map<string, unknown[]>()
      const waits: (() => Promise<void>)[] = []
      for (const state of [...Object.keys(states), 'free']) {
        const email = `${state}@example.org`
        const [one, two, three] = [1, 2, 3].map((n) => `name-${n}-of-${state}`) as [string, string, string]
        for (const username of [one, two])
          expect((await service.send('POST', '/signup/', { username, email, ...passwords })).statusCode).toBe(
            202,
          )
        const { passkey, response } = await visitor(service).signUp(three, { email })
        expect(response.statusCode).toBe(202)
        await accounts.createUser({ username: `member-${state}`, password: goodPassword })
        const member = visitor(service)
        await member.logIn(`member-${state}`)
        waits.push(async () => {
          const others = { email: `other-${state}@example.org`, ...passwords }
          const requests = {
            'logs in by name': () =>
              service.send('POST', '/login/', { username: one, password: goodPassword }),
            'signs up with the name': () => service.send('POST', '/signup/', { username: one, ...others }),
            'logs in by it again': () =>
              service.send('POST', '/login/', { username: one, password: otherPassword }),
            'is renamed': () => member.send('PATCH', '/me/', { username: two }),
            'signs up with the passkey': async () => {
              const options = { email: `third-${state}@example.org` }
              return (await visitor(service).signUp(`new-${state}`, options, { id: passkey.id })).response
            },
          }
          const responses: unknown[] = []
          for (const [what, send] of Object.entries(requests)) {
            await service.settle()
            asked.length = 0
            const before = hasher.calls
            const { statusCode } = await send()
            const calls = asked.filter((call) => call !== 'findById').length
            responses.push([what, statusCode, hasher.calls - before, calls])
          }
          seen.set(state, responses)
        })
      }
      await wait(24 * 3600_000)
      for (const compare of waits) await compare()
      for (const state of Object.keys(states))
        expect([state, seen.get(state)]).toEqual([state, seen.get('free')])
      expect(seen.get('free')?.map((each) => (each as unknown[])[1])).toEqual([403, 202, 401, 200, 202])
    },
  )

  storage(
    'SRQ-05',
    {
      tried:
        'signing up again with the same address in the same browser, under another name; confirming it in two processes at once, or while the database fails at any write, then again',
      expected:
        'the account gets the newest name and password, once and whole, however often it took; nothing of the sign-ups is left',
    },
    async ({ start, users }) => {
      const one = await start({ requireEmailConfirmation: true, users: { variant: 'both' } })
      const two = await start({ requireEmailConfirmation: true, users: { variant: 'both' } })
      const begin = async (name: string) => {
        const email = `${name}@example.org`
        const browser = appBrowser(one)
        for (const [username, password] of [
          [`typo-${name}`, otherPassword],
          [name, goodPassword],
        ] as const) {
          const body = { username, email, password, confirm_password: password }
          expect((await browser.send('POST', '/signup/', body)).statusCode).toBe(202)
        }
        const isOfAccount = ({ kind, to }: Mail) => kind === 'verify-email' && to.address === email
        await expect.poll(() => one.mails.filter(isOfAccount).length).toBe(2)
        const mail = one.mails.findLast(isOfAccount)
        if (mail === undefined) throw new Error('there is no email')
        const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
        const confirm = (service: typeof one) =>
          service.app.inject({ method: 'POST', url: linkPath(mail), headers: { cookie }, payload: {} })
        return { email, confirm }
      }
      const expectWhole = async (name: string, email: string) => {
        await logIn(one, name)
        const owner = await users.findByEmail(email)
        expect(owner).toMatchObject({ username: name, isVerified: true, kind: 'person' })
        for (const each of await users.list({ limit: 100 }))
          if (each.id !== owner?.id) expect([each.notes, each.username]).toEqual([{}, expect.any(String)])
        expect(await users.findByUsername(`typo-${name}`)).toBeNull()
        await users.delete(owner?.id ?? '')
      }

      const racing = await begin('racing')
      const both = await Promise.all([racing.confirm(one), racing.confirm(two)])
      expect(both.map(({ statusCode }) => statusCode)).toContain(200)
      expect(both.every(({ statusCode }) => [200, 400, 409].includes(statusCode))).toBe(true)
      await expectWhole('racing', racing.email)

      // Of the writes: the newest gives up its name, the account is written, the newest goes.
      for (const [index, method] of (['update', 'update', 'delete'] as const).entries())
        for (const isAfter of [false, true]) {
          const name = `${isAfter ? 'after' : 'before'}-${index}`
          const { email, confirm } = await begin(name)
          await one.settle()
          const write = users[method] as (...args: unknown[]) => Promise<unknown>
          let left = method === 'delete' ? 0 : index
          Object.assign(users, {
            [method]: async (...args: unknown[]) => {
              if (left > 0) {
                left -= 1
                return write(...args)
              }
              Object.assign(users, { [method]: write })
              if (isAfter) await write(...args)
              throw new Error('the connection is lost')
            },
          })
          const first = await confirm(one)
          expect([name, first.statusCode]).toEqual([name, method === 'delete' ? 200 : 503])
          if (method !== 'delete') expect([name, (await confirm(two)).statusCode]).toEqual([name, 200])
          const rest = (await users.list({ limit: 100 })).find(({ kind }) => kind === 'unclaimed')
          // What is left of it has no name that anybody wants; the command `delete-unverified` deletes it.
          if (rest !== undefined) {
            expect(rest.username).toMatch(/^user-/)
            expect(rest.identityKeys).toEqual([])
            await users.delete(rest.id)
          }
          await expectWhole(name, email)
        }
    },
  )
})
