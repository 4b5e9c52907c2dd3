import { passkeys } from '@fastify-accounts/passkeys'
import {
  baseUrl,
  browser,
  cheapHasher,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { sample } from '@fastify-accounts/test-support/depth'
import { codeIn, giveCode, newCode } from '@fastify-accounts/test-support/email-code'
import { type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { assertNoEnumeration, countHashes } from '@fastify-accounts/testing'
import {
  type AccountsOptions,
  invitations,
  RuleError,
  type SignUpAttempt,
  type StoredUser,
} from 'fastify-accounts'
import { expect } from 'vitest'
import { type Inviter, withInviter } from '../../packages/accounts/src/cli/import/inviter.js'
import { cases } from './catalogue.js'
import { imported } from './imports.js'
import { forgedLink, partsOf, resetLink } from './links.js'
import { choice, passwordsThatWork } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'
import { callsOf } from './store-calls.js'

const email = 'victor@example.org'
const page = { ...browser, 'sec-fetch-site': 'same-origin' }
const ways = [true, false].map((requireEmailConfirmation) => ({ requireEmailConfirmation }))
const both = { password: goodPassword, confirm_password: goodPassword }

/** Gives roles to whoever signs up with the address alone, and other ones to whoever takes over an account with a code. */
const byMethod = ({ method }: SignUpAttempt) => ({
  roles: method === 'email' ? ['editor'] : method === 'email-code' ? ['reader'] : [],
})

const startOn = ({ start }: Scene, options: Partial<AccountsOptions> = {}): Promise<Service> =>
  start({
    users: {
      variant: 'both',
      names: 'optional',
      fields: { type: 'object', properties: { nickname: { type: 'string' } } },
    },
    login: { emailCode: true },
    features: [passkeys()],
    ...options,
  })

/** Somebody who has signed up with the address alone, and the link in the email about it. */
async function signedUp(service: Service, body: object = {}): Promise<{ maker: Visitor; link: string }> {
  const maker = visitor(service)
  const response = await maker.send('POST', '/signup/', { email, ...body })
  expect(response.statusCode, response.body).toBe(202)
  const link = linkPath(await service.mail('verify-email', email))
  await service.settle()
  return { maker, link }
}

/** What lets somebody in; not the note of what was removed. */
const heldBy = (user: StoredUser | null) => user?.credentials.filter(({ kind }) => kind !== 'removed')

async function clear({ users }: Scene, service: Service): Promise<void> {
  for (const each of [email, 'mallory@example.net']) {
    const user = await users.findByEmail(each)
    if (user !== null) await users.delete(user.id)
  }
  for (const name of ['mallory', 'mallory-2']) {
    const user = await users.findByUsername(name)
    if (user !== null) await users.delete(user.id)
  }
  service.mails.splice(0)
}

cases('Sign-up with an address alone', ({ rule, storage }) => {
  rule(
    'ADR-01',
    {
      tried:
        'account enumeration by signing up with the address alone, and by everything that somebody could request then, with usernames and without',
      expected:
        'the same responses, without a hash, for a free address and for those of a sound account, an unverified one and a disabled one; the owner is told',
    },
    async (scene) => {
      for (const names of ['required', 'none'] as const) {
        const hasher = countHashes(cheapHasher())
        const service = await startOn(scene, {
          ...{ requireEmailConfirmation: true, passwordHasher: hasher },
          users: { variant: 'both', names },
        })
        const states = {
          sound: { isVerified: true },
          unproven: {},
          disabled: { isVerified: true, isActive: false },
        }
        const made: { email: string }[] = []
        for (const [name, changes] of Object.entries(states)) {
          const account = {
            email: `${name}-${names}@example.org`,
            ...(names === 'required' && { username: name }),
          }
          const { id } = await service.app.accounts.createUser({ ...account, password: goodPassword })
          await service.app.accounts.updateUser(id, changes)
          made.push(account)
        }
        const [account = { email: '' }, ...others] = made
        const { compared, secondRequests } = await assertNoEnumeration(service.app, {
          ...{ account, others, hasher, addressAlone: true },
          paths: { create: '/signup/', resend: '/signup/v/', code: '/login/code/' },
        })
        expect(compared.at(-1)).toMatchObject({ path: '/signup/', status: 202, hashes: 0 })
        expect(
          secondRequests.filter(({ request }) => /^sign up with (it|the address alone)/.test(request)),
        ).toEqual(
          ['with the address alone', 'with it again', 'with it elsewhere'].map((how) => ({
            ...{ request: `sign up ${how}`, path: '/signup/', status: 202, hashes: 0 },
          })),
        )
        expect(await service.mail('account-exists', account.email)).toBeTruthy()
        for (const user of await scene.users.list({ limit: 100 })) await scene.users.delete(user.id)
      }
    },
  )

  rule(
    'ADR-01',
    {
      tried: 'the same where no confirmation is required',
      expected: 'the same response, with a cookie of the same length, after as many writes and no hash',
    },
    async (scene) => {
      const service = await startOn(scene, { requireEmailConfirmation: false })
      const { accounts } = service.app
      const states = { sound: { isVerified: true }, doubt: {}, ended: { isVerified: true, isActive: false } }
      for (const [name, changes] of Object.entries(states)) {
        const { id } = await accounts.createUser({ email: `${name}@example.org`, password: goodPassword })
        await accounts.updateUser(id, changes)
      }
      const asked = callsOf(scene.users)
      const outcomes = []
      for (const name of ['nobody', ...Object.keys(states)]) {
        await service.settle()
        asked.splice(0)
        const { hashes } = service.hasher
        const body = { username: `m-${name}`, email: `${name}@example.org` }
        const response = await visitor(service).send('POST', '/signup/', body)
        const writes = asked.filter((each) => !each.startsWith('find')).length
        const [cookie] = [response.headers['set-cookie']].flat()
        const shape = `${cookie}`
          .replace(/=[^;]*/, ({ length }) => `=<${length}>`)
          .replace(/expires=[^;]*/i, '')
        outcomes.push({ response, facts: { writes, shape, hashes: service.hasher.hashes - hashes } })
      }
      const [first, ...others] = outcomes
      if (first === undefined) throw new Error('nothing to compare')
      expect(first.response.statusCode).toBe(202)
      expect(first.facts).toMatchObject({ hashes: 0, shape: expect.stringContaining('session-signup') })
      expectAlike(first.response, ...others.map(({ response }) => response))
      for (const { facts } of others) expect(facts).toEqual(first.facts)
    },
  )

  rule(
    'ADR-02',
    {
      tried:
        'a stranger signs up with the victim’s address alone, and again with a passkey, and is promised roles by a rule; the victim opens the emailed link in another browser',
      expected:
        'the stranger has no session, password, passkey or role at any time; the link asks the victim for a new password, and the rule again; the entered name and fields go',
    },
    async (scene) => {
      for (const way of [true, false].flatMap((emailCode) =>
        sample('ADR-02', ways).map((each) => ({ ...each, login: { emailCode } })),
      )) {
        const asked: [string, boolean][] = []
        const signUp = (given: SignUpAttempt) => {
          asked.push([given.method, given.handsOver])
          return byMethod(given)
        }
        const service = await startOn(scene, { before: { signUp }, ...way })
        const { maker, link } = await signedUp(service, { username: 'mallory', nickname: 'Vic' })
        const { passkey, response } = await maker.signUp('mallory-2', { email })
        expect(response.statusCode).toBe(way.requireEmailConfirmation ? 202 : 409)
        const powerless = async () => {
          expect(await maker.who()).toBeNull()
          expect((await maker.send('POST', '/passkeys/options/')).statusCode).toBe(401)
          expect((await visitor(service).use(passkey)).statusCode).toBe(401)
          for (const username of ['mallory', email]) {
            const tried = await passwordsThatWork(service, [goodPassword, '!'], username)
            expect([username, tried]).toEqual([username, []])
          }
        }
        await powerless()
        expect(await scene.users.findByEmail(email)).toMatchObject({
          ...{ isVerified: false, passwordHash: '!', roles: [], identityKeys: [] },
        })

        const victim = visitor(service)
        const shown = await victim.send('GET', link, undefined, page)
        expect(shown.body).toContain('name="new_password"')
        expect(shown.body).not.toContain('name="password"')
        expect((await victim.send('POST', link, undefined, page)).statusCode).toBe(400)
        expect(await scene.users.findByEmail(email)).toMatchObject({ isVerified: false })
        const done = await victim.send('POST', `${link}new-password/`, choice(otherPassword), page)
        expect(done.statusCode, done.body).toBe(200)
        const user = await scene.users.findByEmail(email)
        expect(asked.at(-1)).toEqual(['password', true])
        expect(user).toMatchObject({ isVerified: true, roles: [], identityKeys: [] })
        expect(user).toMatchObject({ username: null, fields: {} })
        expect(heldBy(user)).toEqual([])
        await powerless()
        expect(await passwordsThatWork(service, [otherPassword], email)).toEqual([otherPassword])
        await clear(scene, service)
      }
    },
  )

  rule(
    'ADR-02',
    {
      tried: 'the same, with a client of the victim’s that doesn’t ask who made the account',
      expected: 'the promised roles aren’t given, and nothing lets the stranger in',
    },
    async (scene) => {
      const service = await startOn(scene, { before: { signUp: byMethod } })
      const { maker, link } = await signedUp(service, { username: 'mallory' })
      expect((await visitor(service).send('POST', link)).json()).toMatchObject({ verified: true })
      expect(await scene.users.findByEmail(email)).toMatchObject({ passwordHash: '!', roles: [] })
      expect(await maker.who()).toBeNull()
      const chosen = await maker.send('POST', `${link}new-password/`, choice(goodPassword), page)
      expect(chosen.statusCode).toBe(409)
      // The link in the browser that signed up shows both.
      expect((await maker.send('POST', link, undefined, page)).statusCode).toBe(200)
      expect(await scene.users.findByEmail(email)).toMatchObject({ passwordHash: '!', roles: ['editor'] })
      expect(await maker.who()).toBeNull()
    },
  )

  rule(
    'ADR-03',
    {
      tried: 'the link opened in the browser that signed up, where codes by email log people in',
      expected: 'a button verifies; the promised roles are kept; nobody is logged in but by a code',
    },
    async (scene) => {
      for (const way of sample('ADR-03', ways)) {
        const service = await startOn(scene, { before: { signUp: byMethod }, ...way })
        const { maker, link } = await signedUp(service, { nickname: 'Vic' })
        const shown = await maker.send('GET', link, undefined, page)
        expect(shown.body).not.toContain('type="password"')
        expect((await maker.send('POST', link, undefined, page)).statusCode).toBe(200)
        expect(await maker.who()).toBeNull()
        const code = await giveCode(service, await newCode(service, email))
        expect(code.json()).toMatchObject({ email, has_password: false, nickname: 'Vic' })
        expect(await scene.users.findByEmail(email)).toMatchObject({ isVerified: true, roles: ['editor'] })
        await clear(scene, service)
      }
    },
  )

  storage(
    'ADR-03',
    {
      tried:
        'the same without such codes: a first password in the browser that signed up, again with the used link, and at the same moment as in another browser, ten times',
      expected:
        'the maker keeps everything, once; of the two, one password works, and with the other browser’s the promised roles are gone',
    },
    async (scene) => {
      const service = await startOn(scene, { login: {}, before: { signUp: byMethod } })
      for (let round = 0; round < 10; round += 1) {
        const { maker, link } = await signedUp(service, { nickname: 'Vic' })
        const shown = await maker.send('GET', link, undefined, page)
        expect(shown.body).toContain('name="new_password"')
        expect((await maker.send('POST', link, undefined, page)).statusCode).toBe(400)
        const anew = `${link}new-password/`
        const asMaker = () => maker.send('POST', anew, choice(goodPassword), page)
        const elsewhere = () => visitor(service).send('POST', anew, choice(otherPassword), page)
        const responses =
          round === 0
            ? [await asMaker(), await elsewhere()]
            : round === 1
              ? [await elsewhere(), await asMaker()]
              : await Promise.all(round % 2 ? [asMaker(), elsewhere()] : [elsewhere(), asMaker()])
        const statuses = responses.map(({ statusCode }) => statusCode)
        expect(statuses.filter((status) => status === 200)).toHaveLength(1)
        for (const status of statuses) expect([200, 400, 409]).toContain(status)
        const working = await passwordsThatWork(service, [goodPassword, otherPassword], email)
        expect(working).toHaveLength(1)
        const user = await scene.users.findByEmail(email)
        const isMakers = working[0] === goodPassword
        if (round < 2) expect(isMakers).toBe(round === 0)
        expect(user).toMatchObject({ isVerified: true, roles: isMakers ? ['editor'] : [] })
        expect(heldBy(user)).toEqual([])
        expect((await asMaker()).statusCode).toBeGreaterThanOrEqual(400)
        expect(await passwordsThatWork(service, [goodPassword, otherPassword], email)).toEqual(working)
        await clear(scene, service)
      }
    },
  )

  rule(
    'ADR-04',
    {
      tried:
        'the victim logs in with an emailed code before the link is opened, where a rule refuses at first; then the stranger opens the link',
      expected:
        'the code is the first proof: the rule is asked again, the promised roles are gone, and the link no longer works',
    },
    async (scene) => {
      const asked: [string, boolean][] = []
      let refuses = true
      const service = await startOn(scene, {
        before: {
          signUp(given) {
            asked.push([given.method, given.handsOver])
            if (given.handsOver && refuses)
              throw new RuleError('SHOP_CLOSED', { message: 'Come back later.' })
            return byMethod(given)
          },
        },
      })
      const { maker, link } = await signedUp(service, { username: 'mallory' })
      const code = await newCode(service, email)
      expect(refusalOf(await giveCode(service, code))).toEqual([403, 'SHOP_CLOSED'])
      expect(await scene.users.findByEmail(email)).toMatchObject({ isVerified: false, roles: [] })
      refuses = false
      const victim = await giveCode(service, code)
      expect(victim.json()).toMatchObject({ email, has_password: false })
      expect(asked).toEqual([
        ['email', false],
        ['email-code', true],
        ['email-code', true],
      ])
      const user = await scene.users.findByEmail(email)
      expect(user).toMatchObject({ isVerified: true, passwordHash: '!', roles: ['reader'], identityKeys: [] })
      expect(heldBy(user)?.map(({ kind }) => kind)).toEqual(['login-code'])
      expect((await maker.send('POST', link, undefined, page)).statusCode).toBe(400)
      const chosen = await maker.send('POST', `${link}new-password/`, choice(goodPassword), page)
      expect(chosen.statusCode).toBe(400)
      expect(await maker.who()).toBeNull()
      expect(await scene.users.findByEmail(email)).toMatchObject({ passwordHash: '!', roles: ['reader'] })
    },
  )

  storage(
    'ADR-05',
    {
      tried: 'twenty sign-ups with one address at once, in two processes, with names and without',
      expected:
        'one account and twenty times the same response; one email of the account’s own, and five that anybody can cause',
    },
    async (scene) => {
      const limits = { create: { max: 100, window: 60_000 } }
      const services = [
        await startOn(scene, { throttle: { limits } }),
        await startOn(scene, { throttle: { limits } }),
      ] as const
      for (const isNamed of [true, false]) {
        const address = isNamed ? 'named@example.org' : email
        const responses = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            services[n % 2 === 0 ? 0 : 1].send('POST', '/signup/', {
              email: n % 3 === 0 ? address.toUpperCase() : address,
              ...(isNamed && { username: `mallory-${n}` }),
            }),
          ),
        )
        const [first, ...others] = responses
        if (first === undefined) throw new Error('no response')
        expect(first.statusCode).toBe(202)
        expectAlike(first, ...others)
        const count = () =>
          services
            .flatMap(({ mails }) => mails)
            .filter(({ to }) => to.address.toLowerCase() === address.toLowerCase()).length
        await expect.poll(count).toBe(6)
        for (const service of services) await service.settle()
        expect(count()).toBe(6)
        expect(services.flatMap(({ mails }) => mails).every(({ kind }) => kind === 'verify-email')).toBe(true)
      }
      const stored = await scene.users.list({ limit: 50 })
      expect(stored.filter(({ kind }) => kind !== 'unclaimed')).toHaveLength(2)
    },
  )

  rule(
    'ADR-06',
    {
      tried:
        'signing up with the address alone of a proven account; the link of another such sign-up, changed to lead to that account',
      expected: 'nothing about the account changes, and the owner is emailed; the link opens nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id } = await signUp(service, 'victor', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const session = await logIn(service, 'victor')
      const reset = await resetLink(service, email)
      const before = await scene.users.findById(id)
      service.mails.splice(0)
      const stranger = visitor(service)
      for (const body of [{ email }, { email, username: 'mallory' }])
        expect((await stranger.send('POST', '/signup/', body)).statusCode).toBe(202)
      const told = await service.mail('account-exists', email)
      expect(told.to.address).toBe(email)
      await service.settle()
      expect(service.mails.filter(({ kind }) => kind !== 'account-exists')).toEqual([])

      const own = 'mallory@example.net'
      expect((await stranger.send('POST', '/signup/', { email: own })).statusCode).toBe(202)
      const link = linkPath(await service.mail('verify-email', own))
      const { uid64 } = partsOf(reset)
      for (const forged of [
        forgedLink(link, { uid64 }),
        forgedLink(link, partsOf(reset)),
        forgedLink(reset, { token: partsOf(link).token }),
      ])
        for (const [url, body] of [
          [forged, undefined],
          [`${forged}new-password/`, choice(otherPassword)],
        ] as const)
          expect((await stranger.send('POST', url, body, page)).statusCode).toBe(400)
      expect(await scene.users.findById(id)).toEqual(before)
      expect(await whoIs(service, session)).toBe('victor')
      expect(await passwordsThatWork(service, [goodPassword, otherPassword], 'victor')).toEqual([
        goodPassword,
      ])
      expect(await stranger.who()).toBeNull()
    },
  )

  rule(
    'ADR-06',
    {
      tried: 'the same with an account that has a password and waits for its confirmation',
      expected: 'the browser of the second sign-up isn’t its maker’s: the link asks for the password there',
    },
    async (scene) => {
      const service = await startOn(scene, { requireEmailConfirmation: true })
      const owner = visitor(service)
      await owner.send('POST', '/signup/', { username: 'victor', email, ...both })
      await service.mail('verify-email', email)
      await service.settle()
      const before = await scene.users.findByEmail(email)
      service.mails.splice(0)
      const { maker: stranger, link } = await signedUp(service, { username: 'mallory' })
      expect(await scene.users.findByEmail(email)).toEqual(before)
      expect((await stranger.send('GET', link, undefined, page)).body).toContain('name="password"')
      expect((await stranger.send('POST', link, undefined, page)).statusCode).toBe(400)
      expect((await owner.send('POST', link, undefined, page)).statusCode).toBe(200)
      expect(await passwordsThatWork(service, [goodPassword], 'victor')).toEqual([goodPassword])
    },
  )

  rule(
    'ADR-07',
    {
      tried:
        'one password without the other, blanks, null, no address, and no other way in, as a visitor and as staff, as JSON and as a form',
      expected: '400 that names the field, without a hash; no account',
    },
    async (scene) => {
      const service = await startOn(scene)
      await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
      const staff = { headers: { cookie: await logIn(service, 'boss') } }
      const closed = [
        await startOn(scene, { login: {}, features: [] }),
        await startOn(scene, { login: {}, features: [], requireEmailConfirmation: true }),
      ]
      const hashes = () => [service, ...closed].map(({ hasher }) => hasher.hashes)
      const before = hashes()
      const name = { username: 'mallory' }
      const refused: [Service, object, string[]][] = [
        [service, { email, password: goodPassword }, ['confirm_password']],
        [service, { email, password: goodPassword, confirm_password: '' }, ['confirm_password']],
        [service, { email, password: '', confirm_password: goodPassword }, ['password']],
        [service, { email, confirm_password: goodPassword }, ['password']],
        [service, { email, password: ' ', confirm_password: '' }, ['confirm_password']],
        [service, name, ['email']],
        [service, { ...name, password: '', confirm_password: '' }, ['email']],
        [service, { ...name, email: '' }, ['email']],
        [service, { ...name, email: '\u200b ' }, ['email']],
        ...closed.flatMap((each): [Service, object, string[]][] => [
          [each, { email }, ['password', 'confirm_password']],
          [each, { email, password: '', confirm_password: '' }, ['password', 'confirm_password']],
        ]),
      ]
      for (const [{ send }, body, fields] of refused)
        for (const [path, extra] of [
          ['/signup/', {}],
          ['/user/', {}],
          ['/user/', staff],
        ] as const) {
          const form = `${new URLSearchParams({ ...body })}`
          const type = { 'content-type': 'application/x-www-form-urlencoded' }
          const headers = { ...('headers' in extra && extra.headers), ...type }
          const responses = [
            await send('POST', path, body, extra),
            await send('POST', path, undefined, { headers, payload: form }),
          ]
          for (const response of responses) {
            expect([body, response.statusCode]).toEqual([body, 400])
            const named = response.json().fields.map(({ field }: { field: string }) => field)
            expect([body, named]).toEqual([body, fields])
          }
        }
      for (const body of [
        { email, password: null },
        { email, password: null, confirm_password: null },
      ])
        for (const extra of [{}, staff])
          expect((await service.send('POST', '/user/', body, extra)).statusCode).toBe(400)
      expect(hashes()).toEqual(before)
      expect(await scene.users.list({ limit: 9 })).toHaveLength(1)

      // What staff make is nobody's browser's: they get no cookie, and the link asks for a password.
      const made = await service.send('POST', '/user/', { email }, staff)
      expect([made.statusCode, made.cookies]).toEqual([202, []])
      const link = linkPath(await service.mail('verify-email', email))
      const headers = { ...page, ...staff.headers }
      expect((await service.send('GET', link, undefined, { headers })).body).toContain('name="new_password"')
    },
  )

  rule(
    'ADR-08',
    {
      tried:
        'a stranger signs up with the address alone as a user whom an import brings later: with their name in another spelling, their own address or the user’s, and waits or logs in with a code',
      expected:
        'the line is rejected: the stranger’s id is in no map of ids, nobody is invited, and no rights are given; whom an import has made is recognized when it is repeated',
    },
    async (scene) => {
      const roles = { admin: ['users:read'] } as const
      const service = await startOn(scene, {
        ...{ requireEmailConfirmation: true, roles },
        features: [passkeys(), invitations()],
      })
      const own = 'mallory@example.net'
      const ada = { id: '4711', username: 'ada', email, isStaff: true, roles: 'admin' }
      const nameless = { id: '4711', email, isStaff: true }
      const importing = async (
        lines: object[],
        keepIds = false,
        inviter: Inviter = { invite: async () => 'invited' },
      ) => {
        const [ids, invited]: [string[], string[]] = [[], []]
        const reasons = await imported(scene, [], lines, {
          ...{ names: 'optional', roles, keepIds },
          onId: (_from, to) => ids.push(to),
          inviter: {
            async invite(user) {
              const outcome = await inviter.invite(user)
              if (outcome === 'invited') invited.push(user.id)
              return outcome
            },
          },
        })
        return { reasons, ids, invited }
      }
      const isRejected = { ids: [], invited: [], reasons: [expect.stringMatching(/: another user has it$/)] }

      const attempts: [body: { username?: string; email: string }, line: object, logsIn: boolean][] = [
        ...['ada', 'Ada', 'ＡＤＡ'].map((username): (typeof attempts)[number] => [
          { username, email: own },
          ada,
          username === 'ada',
        ]),
        // Nothing of the line's says whose the account is, and its rights would be the stranger's.
        [{ username: 'ADA', email: own }, { id: '4711', username: 'ada', isStaff: true }, false],
        [
          { username: 'ada', email: own },
          { id: '4711', username: 'ada', passwordHash: '!', isStaff: true },
          true,
        ],
        [{ username: 'ada', email }, ada, false],
        [{ username: 'mallory', email: email.toUpperCase() }, ada, false],
        [{ username: 'mallory', email }, nameless, false],
        [{ email: email.toUpperCase() }, nameless, false],
      ]
      for (const [body, line, logsIn] of attempts) {
        const maker = visitor(service)
        const signUp = await maker.send('POST', '/signup/', body)
        expect([body, signUp.statusCode]).toEqual([body, 202])
        await service.settle()
        // In the browser that signed up, so the name stays.
        if (logsIn) {
          await maker.send('POST', '/login/code/', { email: own })
          const code = codeIn(await service.mail('login-code', own))
          expect((await maker.send('POST', '/login/code/confirm/', { code })).statusCode).toBe(200)
        }
        const before = await scene.users.findByEmail(body.email.toLowerCase())
        expect(before?.origin).toBe('self')
        // The same id as well, as a store that counts them might have given it.
        const keeping = { ...line, id: before?.id }
        expect([body, await importing([line])]).toEqual([body, isRejected])
        expect([body, await importing([keeping], true)]).toEqual([body, isRejected])
        const after = await scene.users.findByEmail(body.email.toLowerCase())
        expect(after).toEqual(before)
        if (body.email === own) {
          const inside = await giveCode(service, await newCode(service, own))
          expect(inside.json()).toMatchObject({ email: own, is_staff: false, roles: [] })
        }
        await clear(scene, service)
      }

      const lines = [
        { ...ada, isStaff: false, roles: [] },
        { id: '4712', email: own },
      ]
      const stores = { userStore: scene.users, invitationStore: scene.invitations }
      const app = {
        ...stores,
        mailer: service.mailer,
        secret,
        baseUrl,
        users: true,
        features: [invitations()],
      }
      const ids = await withInviter(app, { hasher: undefined, roles }, async (inviter) => {
        const first = await importing(lines.slice(0, 1), false, inviter)
        expect(first).toMatchObject({ reasons: [], invited: first.ids })
        // As after a restart: some of them are there.
        const again = await importing(lines, false, inviter)
        const added = again.ids[1]
        expect(again).toMatchObject({ reasons: [], ids: [first.ids[0], added], invited: [added] })
        expect(await importing(lines, false, inviter)).toMatchObject({
          reasons: [],
          ids: again.ids,
          invited: [],
        })
        return again.ids
      })
      for (const id of ids) expect((await scene.users.findById(id))?.origin).toBe('import')
    },
  )
})
