import { goodPassword, linkTarget, logIn, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { parseEmail, usernameKey } from 'fastify-accounts'
import { expect } from 'vitest'
import { freshUser } from '../../packages/accounts/src/user.js'
import { cases } from './catalogue.js'
import { releaseLink } from './links.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const victim = 'fiona@example.org'
const own = 'mallory@example.net'

const login = (service: Service, username: string, password: string = goodPassword) =>
  service.send('POST', '/login/', { username, password })

/** The id of the account that a name or address logs in to, with the right password; `null` if none. */
async function opens(service: Service, username: string, password: string = goodPassword) {
  const response = await login(service, username, password)
  return response.statusCode === 200 ? String(response.json().id) : null
}

const refused = {
  statusCode: 400,
  fields: [{ field: 'username', code: 'invalid' }],
}

/** Lookalikes of an address: other case, full-width and compatibility characters, other spellings. */
const twinsOf = (local: string): string[] => [
  `${local}@example.org`,
  `${local.toUpperCase()}@Example.ORG`,
  `${local.replace('i', '\uff49')}@example.org`,
  `${local}\uff20example.org`,
  `${local}\ufe6bexample.org`,
  `${local.replace('fi', '\ufb01')}@example.org`,
  `${local}@example.\uff4frg`,
  `${local}@example.org.`,
  `.${local}@example.org`,
  `${local}@@example.org`,
]
const twins = twinsOf('fiona')

/** Creates a user as an import does, with any name. */
async function importUser(
  { users, hasher }: Service,
  username: string,
  email: string | null,
  proven = false,
) {
  const address = email === null ? null : parseEmail(email)
  return users.create(
    freshUser({
      username,
      usernameKey: usernameKey(username),
      ...address,
      isVerified: proven,
      passwordHash: await hasher.hash(otherPassword),
    }),
  )
}

async function changeTo(service: Service, cookie: string, email: string): Promise<void> {
  service.mails.splice(0)
  const asked = await service.send('POST', '/change-email/', { email }, { headers: { cookie } })
  expect(asked.statusCode).toBe(202)
  const link = linkTarget(await service.mail('change-email', email))
  expect((await service.send('POST', link)).statusCode).toBe(200)
}

const faultsIn = (response: { json(): { fields?: { field: string; code: string }[] } }) =>
  response.json().fields?.map(({ field, code }) => ({ field, code }))

cases('Names and addresses', ({ rule, storage }) => {
  rule(
    'NAM-01',
    {
      tried:
        'another person’s address as a username, in every spelling: at sign-up, by PATCH, by the host; with and without an account under it',
      expected: '400, one response whether or not the address is known, and no store query',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'vic', { email: victim })
      const mallory = await signUp(service, 'mallory', { email: own })
      const headers = { cookie: await logIn(service, 'mallory') }
      await service.settle()
      const asked = callsOf(service.users)
      const body = { password: goodPassword, confirm_password: goodPassword, email: 'third@example.org' }
      const free = twinsOf('fidel')
      for (const [at, username] of twins.entries()) {
        for (const email of ['third@example.org', undefined]) {
          const response = await service.send('POST', '/signup/', { ...body, email, username })
          expect(response.json()).toMatchObject(refused)
          expectAlike(
            response,
            await service.send('POST', '/signup/', { ...body, email, username: free[at] }),
          )
        }
        await expect(
          service.app.accounts.createUser({ username, password: goodPassword, email: 'x@example.org' }),
        ).rejects.toMatchObject({ fields: [{ field: 'username', code: 'invalid' }] })
      }
      expect(asked.splice(0)).toEqual([])
      const patch = (username?: string) => service.send('PATCH', '/me/', { username }, { headers })
      await patch('free@example.org')
      const reads = asked.splice(0)
      for (const [at, username] of twins.entries()) {
        const response = await patch(username)
        expect(response.json()).toMatchObject(refused)
        expect(asked.splice(0)).toEqual(reads)
        expectAlike(response, await patch(free[at]))
        asked.splice(0)
      }
      expect((await service.users.findById(mallory.id))?.username).toBe('mallory')
    },
  )

  storage(
    'NAM-02',
    {
      tried: 'a user’s own address as username, and an address that folds to the same name as another one',
      expected: 'the user’s own is accepted in any case; one that folds to another user’s is not',
    },
    async ({ start }) => {
      const service = await start()
      const ada = await signUp(service, 'Ada@Example.org', { email: 'ada@example.ORG' })
      for (const text of ['ada@example.org', 'ADA@EXAMPLE.ORG', 'ａda@example.org', ' ada@example.org']) {
        expect([text, await opens(service, text)]).toEqual([text, ada.id])
      }
      const strasse = await signUp(service, 'strasse', { email: 'strasse@example.org' })
      const response = await service.send('POST', '/signup/', {
        username: 'straße@example.org',
        email: 'straße@example.org',
        password: otherPassword,
        confirm_password: otherPassword,
      })
      expect(response.json()).toMatchObject(refused)
      const other = await service.send('POST', '/signup/', {
        username: 'other',
        email: 'straße@example.org',
        password: otherPassword,
        confirm_password: otherPassword,
      })
      expect(await opens(service, 'strasse@example.org')).toBe(strasse.id)
      expect(await opens(service, 'straße@example.org', otherPassword)).toBe(other.json().id)
      expect(await opens(service, 'straße@example.org', goodPassword)).toBeNull()
    },
  )

  rule(
    'NAM-03',
    {
      tried: 'importing a user whose name is another user’s address, verified or only claimed, or nobody’s',
      expected:
        'the name means the user who verified the address; a user who only claims it locks nobody out',
    },
    async ({ start, users }) => {
      const service = await start()
      const vic = await signUp(service, 'vic', { email: victim })
      const squatter = await importUser(service, victim, null)
      expect(await opens(service, victim, otherPassword)).toBe(squatter.id)
      expect(await opens(service, victim)).toBeNull()
      await service.app.accounts.updateUser(vic.id, { isVerified: true })
      for (const twin of twins.slice(0, 7)) {
        expect([twin, await opens(service, twin)]).toEqual([twin, vic.id])
        expect([twin, await opens(service, twin, otherPassword)]).toEqual([twin, null])
      }
      expect((await users.findByUsername(victim))?.id).toBe(squatter.id)
    },
  )

  rule(
    'NAM-04',
    {
      tried:
        'an account named after its address gets another address, and undoes the change; the new one is taken as a name',
      expected:
        'the name follows each time; if it is taken another replaces it; the freed name is available to anyone who has the address',
    },
    async ({ start, users }) => {
      const service = await start()
      const first = 'ada@example.org'
      const second = 'ada@example.net'
      const { id } = await signUp(service, first, { email: first })
      await service.app.accounts.updateUser(id, { isVerified: true })
      await changeTo(service, await logIn(service, first), second)
      expect(await users.findById(id)).toMatchObject({ username: second, usernameKey: second, email: second })
      expect([await opens(service, first), await opens(service, second)]).toEqual([null, id])
      const undo = linkTarget(await service.mail('email-changed', first))
      // Meanwhile someone signs up with the freed address, but never verifies it.
      const thief = await signUp(service, first, { email: first })
      expect(await opens(service, first)).toBe(thief.id)
      expect((await service.send('POST', undo)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ username: first, email: first, isVerified: true })
      const robbed = await users.findById(thief.id)
      expect(robbed).toMatchObject({ email: null, username: expect.stringMatching(/^user-[0-9a-f]{20}$/) })
      expect(robbed?.usernameKey).toBe(robbed?.username)
      expect(await opens(service, robbed?.username ?? '')).toBe(thief.id)
      expect(await opens(service, first)).toBeNull()

      await importUser(service, 'taken@example.org', null)
      const eve = await signUp(service, 'eve@example.org', { email: 'eve@example.org' })
      await changeTo(service, await logIn(service, 'eve@example.org'), 'taken@example.org')
      const changed = await users.findById(eve.id)
      expect(changed).toMatchObject({ email: 'taken@example.org', username: expect.stringMatching(/^user-/) })
      expect(await opens(service, 'taken@example.org')).toBe(eve.id)
      // A name that isn't an address stays.
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      await changeTo(service, await logIn(service, 'bob'), 'bob@example.net')
      expect(await users.findById(bob.id)).toMatchObject({ username: 'bob' })
    },
  )

  rule(
    'NAM-05',
    {
      tried: 'an account named after the address that its owner releases',
      expected: 'it gets another name, and the address opens nothing until it has an owner again',
    },
    async ({ start, users }) => {
      const service = await start()
      const mallory = await signUp(service, own, { email: own })
      const cookie = await logIn(service, own)
      service.mails.splice(0)
      await service.send('POST', '/change-email/', { email: victim }, { headers: { cookie } })
      const mail = await service.mail('change-email', victim)
      expect((await service.send('POST', linkTarget(mail))).statusCode).toBe(200)
      expect(await users.findById(mallory.id)).toMatchObject({ username: victim })
      const release = releaseLink(mail).replace(/^https?:\/\/[^/]+/, '')
      expect((await service.send('POST', release)).statusCode).toBe(200)
      expect(await users.findById(mallory.id)).toMatchObject({
        email: null,
        username: expect.stringMatching(/^user-/),
      })
      expect(await opens(service, victim)).toBeNull()
      const vic = await signUp(service, victim, { email: victim })
      expect(await opens(service, victim)).toBe(vic.id)
    },
  )

  rule(
    'NAM-06',
    {
      tried:
        'sign-up under an address that has an account: as address and name, if the account is named after it, and if not',
      expected: 'with confirmation 202 for all, as for a free address; without it, 409 for the address',
    },
    async ({ start }) => {
      const service = await start({ requireEmailConfirmation: true })
      await signUp(service, 'vic', { email: victim })
      await signUp(service, own, { email: own })
      const ask = (to: Service, email: string) =>
        to.send('POST', '/signup/', {
          username: email,
          email,
          password: otherPassword,
          confirm_password: otherPassword,
        })
      const free = await ask(service, 'free@example.org')
      expect(free.statusCode).toBe(202)
      for (const email of [victim, own]) expectAlike(free, await ask(service, email))
      for (const email of [victim, own])
        expect((await service.mail('verify-email', email)).to.address).toBe(email)
      const open = await start()
      for (const email of [victim, own]) {
        expect((await ask(open, email)).json()).toMatchObject({ code: 'ACCOUNTS_EMAIL_TAKEN' })
      }
    },
  )

  rule(
    'NAM-07',
    {
      tried: 'logins by names and addresses, known and unknown, and strings that are neither',
      expected: '401, byte-identical, after one hash and store queries that depend on the text alone',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'vic', { email: victim })
      await signUp(service, own, { email: own })
      await importUser(service, 'old@example.org', null)
      await service.settle()
      const unknown = await login(service, 'nobody', 'a wrong password')
      expect(unknown.statusCode).toBe(401)
      const asked = callsOf(service.users)
      const known = ['vic', victim, own, 'old@example.org']
      for (const text of [...known, 'nobody', 'nobody@example.org', 'nobody@', '@', 'a b', ...twins]) {
        const before = service.hasher.verifications + service.hasher.hashes
        expectAlike(unknown, await login(service, text, 'a wrong password'))
        expect(service.hasher.verifications + service.hasher.hashes - before).toBe(1)
        // A name's second look-up tells whether a sign-up with a taken address is over.
        expect([text, ...asked.splice(0)]).toEqual([text, 'findByUsername', 'findByEmail'])
      }
    },
  )

  rule(
    'NAM-08',
    {
      tried:
        'guesses at one account by its name in all spellings, then at addresses including its own; at an unknown address in several spellings',
      expected:
        'one budget for all spellings of a name, one for all of an address; a budget used up by name never reveals whose an address is, or vice versa',
    },
    async ({ start }) => {
      const service = await start({ throttle: { limits: { login: { max: 1000, window: 60_000 } } } })
      await signUp(service, 'vic', { email: victim })
      await signUp(service, own, { email: own })
      await importUser(service, 'old@example.org', null)
      /** The status of each guess: 401 if it reached a hash, 429 if not. */
      const guesses = async (texts: string[]) => {
        const responses: number[] = []
        for (const text of texts) responses.push((await login(service, text, 'a wrong password')).statusCode)
        return responses
      }
      const spellings = (address: string) => [
        address,
        address.toUpperCase(),
        address.replace('@', '＠'),
        ` ${address}`,
        address.replace('example', 'Ｅxample'),
        address,
      ]
      const counted = [401, 401, 401, 401, 401, 429]
      expect(await guesses(spellings(own))).toEqual(counted)
      expect(await guesses(spellings('old@example.org'))).toEqual(counted)
      expect(await guesses(spellings('nobody@example.org'))).toEqual(counted)
      expect(await guesses(['vic', 'VIC', 'vic', 'Vic', 'vic', 'vic'])).toEqual(counted)
      expect((await login(service, 'vic')).statusCode).toBe(429)
      for (const text of [victim, 'stranger@example.org']) expect(await guesses([text])).toEqual([401])
      expect(await guesses(spellings(victim).slice(1))).toEqual(counted.slice(1))
      await signUp(service, 'zoe', { email: 'zoe@example.org' })
      expect(await guesses(spellings('zoe@example.org'))).toEqual(counted)
      for (const text of ['zoe', 'nobody']) expect(await guesses([text])).toEqual([401])
      // Two addresses that fold to one name are counted separately, with and without accounts.
      await signUp(service, 'strasse@example.org', { email: 'strasse@example.org' })
      for (const host of ['example.org', 'example.net']) {
        expect(await guesses(Array(6).fill(`straße@${host}`))).toEqual(counted)
        expect(await guesses([`strasse@${host}`])).toEqual([401])
      }
      // If only names log in, they are one name.
      const byName = await start({
        login: { by: ['username'] },
        throttle: { limits: { login: { max: 1000, window: 60_000 } } },
      })
      await signUp(byName, 'fia@example.org', { email: 'fia@example.org' })
      const statuses: number[] = []
      for (const text of [
        'fia@example.org',
        'f\u0131a@example.org',
        'F\u0130A@example.org',
        'fi\u00ada@example.org',
      ])
        for (const password of Array(2).fill('a wrong password'))
          statuses.push((await login(byName, text, password)).statusCode)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    },
  )

  rule(
    'NAM-09',
    {
      tried: 'login.by names only one identifier, none, or something else',
      expected: 'the other identifier doesn’t log in, and an invalid option stops startup',
    },
    async ({ start }) => {
      const byName = await start({ login: { by: ['username'] } })
      const vic = await signUp(byName, 'vic', { email: victim })
      expect([await opens(byName, 'vic'), await opens(byName, victim)]).toEqual([vic.id, null])
      // Nor does a name that is an address tell whether it was free, in any spelling.
      const confirming = await start({ login: { by: ['username'] }, requireEmailConfirmation: true })
      await importUser(confirming, 'ida', 'ida@example.org', true)
      for (const address of ['ida@example.org', 'nina@example.org']) {
        const passwords = { password: goodPassword, confirm_password: goodPassword }
        await confirming.send('POST', '/signup/', { username: address, email: address, ...passwords })
        for (const text of [address, address.replace('i', '\u0131'), address.replace('i', 'i\u00ad')])
          expect([text, (await login(confirming, text)).statusCode]).toEqual([text, 401])
      }
      const byEmail = await start({ login: { by: ['email'] } })
      expect([await opens(byEmail, 'vic'), await opens(byEmail, victim)]).toEqual([null, vic.id])
      for (const by of [[], ['name'], 'email', null]) {
        await expect(start({ login: { by: by as unknown as ['email'] } })).rejects.toThrow(/option login\.by/)
      }
    },
  )

  rule(
    'NAM-10',
    {
      tried:
        'users.names: none. A username at sign-up, by PATCH, by the host; a login by the name from an import; a search by it; two accounts side by side',
      expected:
        'a username is unknown, doesn’t log in, and is shown nowhere; users sign up and log in by address only',
    },
    async ({ start }) => {
      const service = await start({ users: { names: 'none' } })
      const passwords = { password: goodPassword, confirm_password: goodPassword }
      const unknown = { statusCode: 400, fields: [{ field: 'username', code: 'unknown' }] }
      const signs = async (body: object) => {
        const response = await service.send('POST', '/signup/', { ...passwords, ...body })
        return { statusCode: response.statusCode, fields: faultsIn(response), body: response.json() }
      }
      expect(await signs({ username: 'vic', email: victim })).toMatchObject(unknown)
      expect(await signs({ username: victim, email: victim })).toMatchObject(unknown)
      expect(await signs({})).toMatchObject({ statusCode: 400, fields: [{ field: 'email' }] })
      const fiona = await signs({ email: victim })
      const mallory = await signs({ email: own })
      expect([fiona.statusCode, mallory.statusCode]).toEqual([201, 201])
      expect(fiona.body).not.toHaveProperty('username')
      const imported = await importUser(service, 'fiona', 'other@example.org', true)
      // An imported user whose name is another user's address.
      await importUser(service, victim, 'third@example.org', true)

      const { app } = service
      await expect(
        app.accounts.createUser({ username: 'zoe', email: 'z@example.org', password: goodPassword }),
      ).rejects.toMatchObject({ fields: [{ field: 'username', code: 'unknown' }] })
      expect([
        await opens(service, 'fiona', otherPassword),
        await opens(service, victim, otherPassword),
      ]).toEqual([null, null])
      expect(await opens(service, victim)).toBe(fiona.body.id)
      expect(await opens(service, 'other@example.org', otherPassword)).toBe(imported.id)

      const cookie = await logIn(service, 'other@example.org', otherPassword)
      const headers = { cookie }
      const patched = await service.send('PATCH', '/me/', { username: 'free' }, { headers })
      expect({ statusCode: patched.statusCode, fields: faultsIn(patched) }).toMatchObject(unknown)
      const shown = [
        await service.send('GET', '/me/', undefined, { headers }),
        await service.send('GET', '/user/', undefined, { headers }),
        await service.send('GET', `/user/${imported.id}`, undefined, { headers }),
      ]
      for (const { statusCode, body } of shown) {
        expect(statusCode).toBe(200)
        expect(body).not.toMatch(/username|"fiona"/)
      }
      expect((await service.send('GET', '/user/?search=fio', undefined, { headers })).statusCode).toBe(403)
      await service.settle()
      for (const { text, html, to } of service.mails)
        expect(`${to.name} ${text} ${html}`).not.toMatch(/\bfiona\b(?!@)/)
    },
  )

  rule(
    'NAM-11',
    {
      tried:
        'users.names: optional. Accounts without a name: a stranger at a new address, the list, another account, the undo link; a name taken and given up; an account left with neither',
      expected:
        'no name reveals the address: only the owner reads it; a name can be removed only if there is an address, and an account always has one of the two',
    },
    async ({ start }) => {
      const service = await start({ users: { names: 'optional' } })
      const passwords = { password: goodPassword, confirm_password: goodPassword }
      const signed = await service.send('POST', '/signup/', { ...passwords, email: victim })
      expect([signed.statusCode, signed.json().username]).toEqual([201, null])
      const { id } = signed.json()
      const both = await service.send('POST', '/signup/', passwords)
      expect(faultsIn(both)).toMatchObject([{ field: 'email', code: 'required' }])
      const cookie = await logIn(service, victim)
      const patch = (username: string | null) =>
        service.send('PATCH', '/me/', { username }, { headers: { cookie } })
      expect((await patch('fi')).json().username).toBe('fi')
      expect((await patch(null)).json().username).toBe(null)

      // Without an address, the name is required.
      await signUp(service, 'noel')
      const noel = await logIn(service, 'noel')
      const kept = await service.send('PATCH', '/me/', { username: null }, { headers: { cookie: noel } })
      expect(faultsIn(kept)).toMatchObject([{ field: 'username', code: 'required' }])
      const list = await service.send('GET', '/user/', undefined, { headers: { cookie: noel } })
      expect(list.json().results).toContainEqual({ id, username: null })
      expect(list.body).not.toContain('@')

      // A new address may be a stranger's by mistake: neither email nor page reveals the name or the old address.
      service.mails.splice(0)
      const asked = await service.send('POST', '/change-email/', { email: own }, { headers: { cookie } })
      expect(asked.statusCode).toBe(202)
      const mail = await service.mail('change-email', own)
      expect(`${mail.to.name} ${mail.subject} ${mail.text} ${mail.html}`).not.toContain('fiona')
      expect(`${mail.text} ${mail.html}`).not.toMatch(/\{\w+\}/)
      const accept = { headers: { accept: 'text/html' } }
      for (const link of [linkTarget(mail), releaseLink(mail)]) {
        const page = await service.send('GET', link, undefined, accept)
        expect(page.statusCode).toBe(200)
        expect(page.body).not.toMatch(/fiona|\{\w+\}/)
      }
      expect((await service.send('POST', linkTarget(mail))).statusCode).toBe(200)
      // The recipient releases the address, and the account is left with a generated name.
      expect((await service.send('POST', releaseLink(mail))).statusCode).toBe(200)
      const left = await service.users.findById(id)
      expect(left).toMatchObject({ email: null, emailKey: null })
      expect(left?.username).toMatch(/^user-[0-9a-f]{20}$/)
    },
  )

  rule(
    'NAM-12',
    {
      tried:
        'contradictory name options: login by name where there are no names, by name only where it is optional',
      expected: 'one line at startup that names the option',
    },
    async ({ start }) => {
      const wrong = [
        [{ names: 'none' }, ['username']],
        [{ names: 'none' }, ['username', 'email']],
        [{ names: 'optional' }, ['username']],
      ] as const
      for (const [users, by] of wrong)
        await expect(start({ users, login: { by } })).rejects.toThrow(/^[^\n]*login\.by[^\n]*$/)
      await expect(start({ users: { names: 'some' as 'none' } })).rejects.toThrow(/users\.names/)
      await start({ users: { names: 'none' }, login: { by: ['email'] } })
    },
  )
})
