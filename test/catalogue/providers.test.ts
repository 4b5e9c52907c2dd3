import type { ServerResponse } from 'node:http'
import { type Provider, providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath, logIn, signUp, whoIs } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { startIssuer, type TestIssuer, type Twist } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import type { LightMyRequestResponse as Response } from 'fastify'
import { secondFactor } from 'fastify-accounts'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'
import { callsOf, writtenTo } from './store-calls.js'

const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
const minute = 60_000
const day = 86_400_000
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const refused = [400, 'ACCOUNTS_PROVIDER_REFUSED']

let issuer: TestIssuer
let other: TestIssuer
let metadata: TestIssuer['metadata']
beforeAll(async () => {
  issuer = await startIssuer()
  other = await startIssuer()
  metadata = issuer.metadata
})
beforeEach(() => Object.assign(issuer, { metadata: { ...metadata }, twist: {} }))
afterAll(() => Promise.all([issuer.close(), other.close()]))

/** `demo` is authoritative for addresses at example.org, `open` for none. */
function list(own: Partial<Provider> = {}): Provider[] {
  const client = { clientId: 'app', clientSecret: 'secret' }
  return [
    { name: 'demo', issuer: issuer.url, ...client, authoritativeFor: ['example.org'], ...own },
    { name: 'open', issuer: other.url, ...client },
  ]
}

/** Stands for another process: shares nothing but the stores. */
const startOn = (
  { start }: Scene,
  options: Parameters<Scene['start']>[0] = {},
  own?: Partial<Provider>,
): Promise<Service> =>
  start({
    users: { variant: 'both' },
    features: [providers(list(own)), secondFactor()],
    // The issuer runs in this busy process.
    adapterTimeout: minute,
    ...options,
  })

const at = ({ app }: Service, cookies?: Visitor): Visitor => {
  const browser = visitor({ app, issuer })
  for (const [name, value] of cookies?.cookies ?? []) browser.cookies.set(name, value)
  return browser
}

/** A login with the provider that isn't authoritative for any address. */
async function logInAtOpen(browser: Visitor, claims: object): Promise<Response> {
  const location = await browser.start({}, '/login/with/open/')
  return browser.send('GET', `/login/with/open/callback/?${other.logIn(location, { ...claims })}`)
}

const keyOf = (subject: string): string => `oidc:${issuer.url}|${subject}`
const identitiesOf = async ({ users }: Scene, id: string) => (await users.findById(id))?.identityKeys

const statuses = (responses: readonly Response[]): number[] =>
  responses.map(({ statusCode }) => statusCode).sort((one, two) => one - two)

/** An account with a password. */
async function withAlice(service: Service, isVerified = true, flags: object = {}): Promise<string> {
  const alice = { username: 'alice', password: goodPassword, email, isVerified, ...flags }
  return (await service.app.accounts.createUser(alice)).id
}

const onMemory = { on: 'memory', because: 'it is rejected before any store is called' } as const

cases('Other providers', ({ rule, storage }) => {
  storage(
    'PRV-01',
    {
      tried:
        'one flow’s response used twenty times concurrently in two processes, with copies of the cookies and with fresh codes; the back button',
      expected: 'one login; everything else is 401',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const browser = at(services[0])
      const location = await browser.start()
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          at(services[n % 2 === 0 ? 0 : 1], browser).comeBack(issuer.logIn(location, ada)),
        ),
      )
      expect(statuses(responses)).toEqual([303, ...Array(19).fill(401)])
      const late = at(services[1], browser)
      expect(refusalOf(await late.comeBack(issuer.logIn(location, ada)))).toEqual(expired)
      expect(await late.who()).toBeNull()
      // Replayed by the same browser, whose flow cookie was cleared by the first response.
      const parameters = issuer.logIn(await browser.start(), ada)
      expect((await browser.comeBack(parameters)).statusCode).toBe(303)
      expect(refusalOf(await browser.comeBack(parameters))).toEqual(expired)
    },
  )

  rule(
    'PRV-02',
    {
      tried: 'a response in another browser, after ten minutes, without a state, or with an unknown one',
      expected: '401; the code is not redeemed',
    },
    async (scene) => {
      const service = await startOn(scene)
      const browser = at(service)
      const parameters = issuer.logIn(await browser.start(), ada)
      const redeemed = issuer.asked.get('/token')
      expect(refusalOf(await at(service).comeBack(parameters))).toEqual(expired)
      const { state = '', ...rest } = Object.fromEntries(parameters)
      for (const states of [[], ['x'], ['x'.repeat(43)], [''], [state, state]]) {
        const query = new URLSearchParams(rest)
        for (const each of states) query.append('state', each)
        expect(refusalOf(await browser.comeBack(query))).toEqual(expired)
      }
      await scene.wait(10 * minute + 1)
      expect(refusalOf(await browser.comeBack(parameters))).toEqual(expired)
      expect(issuer.asked.get('/token')).toBe(redeemed)
    },
  )

  rule(
    'PRV-03',
    {
      tried:
        'mix-up: one provider’s response at another’s callback; another or no `iss`; two codes, and an unknown one',
      expected: 'rejected; nobody is signed up',
    },
    async (scene) => {
      const service = await startOn(scene)
      const browser = at(service)
      const mixed = issuer.logIn(await browser.start(), ada)
      const redeemed = other.asked.get('/token')
      const elsewhere = await browser.send('GET', `/login/with/open/callback/?${mixed}`)
      expect(refusalOf(elsewhere)).toEqual(expired)
      expect(other.asked.get('/token')).toBe(redeemed)
      const twists: ((parameters: URLSearchParams) => void)[] = [
        (parameters) => parameters.set('iss', other.url),
        (parameters) => parameters.delete('iss'),
        (parameters) => parameters.append('code', 'another'),
        (parameters) => parameters.set('code', 'unknown'),
      ]
      for (const twist of twists) {
        const parameters = issuer.logIn(await browser.start(), ada)
        twist(parameters)
        expect(refusalOf(await browser.comeBack(parameters))).toEqual(refused)
      }
      expect(await scene.users.findByEmail(email)).toBeNull()
    },
  )

  const now = (): number => Math.floor(Date.now() / 1000)
  const tokens: [string, Twist][] = [
    ['for another client', { claims: { aud: 'other' } }],
    ['for several clients, issued to another one', { claims: { aud: ['app', 'other'], azp: 'other' } }],
    ['with another nonce', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['that have expired', { claims: { iat: now() - 900, exp: now() - 600 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an invalid subject', { claims: { sub: 5 } }],
    ['with an overlong subject', { claims: { sub: 'x'.repeat(256) } }],
    ['with a subject of two lines', { claims: { sub: 'a\nb' } }],
    ['signed by someone else', { forged: true }],
    ['signed with an unknown key', { header: { kid: 'unknown' } }],
    ['that are missing', { idToken: null }],
    ['that are malformed', { idToken: 'a.b.c' }],
    ['that claim to need no signature', { header: { alg: 'none' } }],
    ['signed with a shared secret', { header: { alg: 'HS256' } }],
  ]
  rule(
    'PRV-04',
    {
      tried: `ID tokens ${tokens.map(([what]) => what).join('; ')}; also if the issuer says that it doesn’t sign them`,
      expected: 'rejected; nobody is signed up',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      for (const [what, twist] of tokens) {
        issuer.twist = twist
        expect([what, ...refusalOf(await at(service).logInWith(ada))]).toEqual([what, ...refused])
      }
      issuer.metadata.id_token_signing_alg_values_supported = ['none', 'HS256', 'RS256']
      const gullible = await startOn(scene)
      for (const alg of ['none', 'HS256']) {
        issuer.twist = { header: { alg } }
        expect(refusalOf(await at(gullible).logInWith(ada))).toEqual(refused)
      }
      expect(await scene.users.findByEmail(email)).toBeNull()
    },
  )

  rule(
    'PRV-05',
    {
      tried:
        'huge claims: a token of a megabyte, names and addresses of 100 KB, with NUL and unpaired surrogates',
      expected: 'the token is a 503 within the deadline; names are left out, and the stored data is small',
    },
    async (scene) => {
      const service = await startOn(scene)
      const huge = { ...ada, extra: 'x'.repeat(1 << 20) }
      expect(refusalOf(await at(service).logInWith(huge))).toEqual([503, 'ACCOUNTS_PROVIDER_UNAVAILABLE'])
      expect(await scene.users.findByEmail(email)).toBeNull()
      const long = 'x'.repeat(100_000)
      const claims = { ...ada, extra: long, preferred_username: 'a\0b', name: long }
      const browser = at(service)
      expect((await browser.logInWith({ ...claims, email: `${long}@example.org` })).statusCode).toBe(303)
      const me = (await browser.send('GET', '/me/')).json()
      expect(me).toMatchObject({ username: expect.stringMatching(/^user-/), email: null })
      const waiting = await logInAtOpen(at(service), { ...claims, name: '\ud800', sub: 'other' })
      expect(waiting.statusCode).toBe(202)
      for (const { name, value } of waiting.cookies) expect(name.length + value.length).toBeLessThan(4000)
      expect(JSON.stringify(await scene.users.findById(me.id)).length).toBeLessThan(2000)
    },
  )

  rule(
    'PRV-06',
    {
      tried:
        'link CSRF: a linking flow begun in one login, finished in another login or account, without one, or with copied cookies',
      expected: '401; the identity is not linked to anyone',
    },
    async (scene) => {
      const service = await startOn(scene)
      const ids = [await withAlice(service), (await signUp(service, 'mallory')).id]
      const mallory = at(service)
      await mallory.logIn('mallory')
      const flow = issuer.logIn(await mallory.start({}, '/identities/demo'), { sub: 'hers' })
      const without = at(service)
      const victim = at(service)
      await victim.logIn('alice')
      for (const browser of [without, victim]) {
        for (const [name, value] of mallory.cookies)
          if (name.includes('flow')) browser.cookies.set(name, value)
        expect(refusalOf(await browser.comeBack(flow))).toEqual(expired)
      }
      // The same user in a later session.
      await mallory.send('POST', '/logout/')
      await mallory.logIn('mallory')
      expect(refusalOf(await mallory.comeBack(flow))).toEqual(expired)
      for (const id of ids) expect(await identitiesOf(scene, id)).toEqual([])
    },
  )

  rule(
    'PRV-07',
    {
      tried: 'login CSRF: a flow begun by GET, HEAD, or a form on another site; a link to the callback',
      expected: 'no flow begins, and nobody is logged in',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      for (const method of ['GET', 'HEAD'] as const) {
        const response = await service.send(method, '/login/with/demo/')
        expect([response.statusCode, response.cookies]).toEqual([405, []])
      }
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const headers of [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost:3000' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const sent = { headers: { ...form, ...headers } }
        const response = await service.send('POST', '/login/with/demo/', undefined, sent)
        expect([refusalOf(response), response.cookies]).toEqual([[403, 'ACCOUNTS_CROSS_SITE'], []])
      }
      // The attacker's flow, completed in the victim's browser.
      const attacker = at(service)
      const parameters = issuer.logIn(await attacker.start(), ada)
      const victim = at(service)
      expect(refusalOf(await victim.comeBack(parameters))).toEqual(expired)
      expect(await victim.who()).toBeNull()
    },
  )

  rule(
    'PRV-08',
    {
      tried:
        'an open redirect by `next`, in flows that log in and that link: other hosts, schemes, backslashes, tabs, user info',
      expected: '400 before the flow begins',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene, { brand: { url: 'https://www.example.org/shop' } })
      await signUp(service, 'alice')
      const alice = at(service)
      await alice.logIn()
      const elsewhere = [
        ...['//evil.example', '/\\evil.example', '\\\\evil', '/\t/evil.example', 'cart'],
        ...['https://evil.example/', 'javascript:alert(1)', 'data:text/html,x'],
        ...['https://www.example.org@evil.example/', 'https://a@www.example.org/'],
        ...[
          'https://www.example.org.evil.example/',
          'http://www.example.org/',
          'https://www.example.org:8443/',
        ],
        // As a URL, too long for a cookie.
        `/${'ü'.repeat(900)}`,
      ]
      for (const path of ['/login/with/demo/', '/identities/demo']) {
        for (const next of elsewhere) {
          const response = await alice.send('POST', path, { next })
          expect([next, response.statusCode, response.json().fields?.[0]?.field]).toEqual([next, 400, 'next'])
          expect(response.cookies).toEqual([])
        }
      }
    },
  )

  rule(
    'PRV-09',
    {
      tried:
        'the form that another site posts to the callback (form_post): with no cookies, with a user’s, with a token or a path in it',
      expected:
        'a redirect to this app’s callback with known parameters only; it reads, sets and clears no cookie',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      const browser = at(service)
      const parameters = issuer.logIn(await browser.start(), ada)
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      }
      const more = { user: '{"name":{"firstName":"Ada"}}', id_token: 'x', next: '//evil.example' }
      const payload = String(new URLSearchParams([...parameters, ...Object.entries(more)]))
      const post = (extra: object) =>
        service.app.inject({
          method: 'POST',
          url: '/login/with/demo/callback/',
          headers: { ...headers, ...extra },
          payload,
        })
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      for (const extra of [{}, { cookie }]) {
        const posted = await post(extra)
        expect([posted.statusCode, posted.cookies]).toEqual([303, []])
        const target = new URL(String(posted.headers.location), 'http://localhost:3000')
        expect([target.origin, target.pathname]).toEqual([
          'http://localhost:3000',
          '/login/with/demo/callback/',
        ])
        expect([...target.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state', 'user'])
      }
      const { location } = (await post({})).headers
      // Only the browser that started the flow can complete it.
      expect(refusalOf(await at(service).send('GET', String(location)))).toEqual(expired)
      expect((await browser.send('GET', String(location))).statusCode).toBe(303)
      expect(await browser.who()).toBe('ada')
    },
  )

  rule(
    'PRV-10',
    {
      tried: 'an address that changes at the provider, to another account’s, and to a staff member’s',
      expected: 'the identity logs in to its own account, whose address stays; the others are unaffected',
    },
    async (scene) => {
      const service = await startOn(scene)
      const browser = at(service)
      await browser.logInWith(ada)
      const { id } = (await browser.send('GET', '/me/')).json()
      const account = (username: string, isStaff: boolean) =>
        service.app.accounts.createUser({
          ...{ username, password: goodPassword, email: `${username}@example.org` },
          ...{ isVerified: true, isStaff },
        })
      const others = [await account('bob', false), await account('chief', true)]
      for (const { email: theirs } of others) {
        const again = at(service)
        expect((await again.logInWith({ ...ada, email: theirs })).statusCode).toBe(303)
        expect((await again.send('GET', '/me/')).json()).toMatchObject({ id, email })
      }
      for (const each of others) expect(await identitiesOf(scene, each.id)).toEqual([])
    },
  )

  rule(
    'PRV-11',
    {
      tried:
        'an account deleted at the provider and recreated with the same address by someone else; one deleted here; an identity that was removed',
      expected:
        'another subject is another person, who gets in only with a vouched address; a deleted account or identity logs in to nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const browser = at(service)
      await logInAtOpen(browser, ada)
      await browser.send('POST', linkPath(await service.mail('identity-sign-up')))
      const { id } = (await browser.send('GET', '/me/')).json()
      const anew = at(service)
      expect((await logInAtOpen(anew, { ...ada, sub: 'ada-2' })).statusCode).toBe(202)
      expect(await anew.who()).toBeNull()
      // Unlinked by its owner, the identity has no account anymore.
      await browser.link({ sub: 'second' })
      const { results } = (await browser.send('GET', '/identities/')).json()
      const second = results.find(({ provider }: { provider: string }) => provider === 'demo')
      expect((await browser.send('DELETE', `/identities/${second.id}`)).statusCode).toBe(204)
      const removed = at(service)
      await removed.logInWith({ sub: 'second', preferred_username: 'second' })
      expect((await removed.send('GET', '/me/')).json().id).not.toBe(id)
      await service.app.accounts.deleteUser(id)
      expect(await browser.who()).toBeNull()
      const again = at(service)
      expect((await logInAtOpen(again, ada)).statusCode).toBe(202)
      expect(await again.who()).toBeNull()
    },
  )

  rule(
    'PRV-12',
    {
      tried:
        'pre-hijacking: an account created with another person’s address, with a password, a session, an identity, an open reset link and rows in the app’s own tables, before that person comes from a provider that vouches for the address, or verifies it by email',
      expected:
        'the address’s owner gets an account with another id, at once or, if the other one was used, after they are asked; everything from before is removed, and the app is told both ids',
    },
    async (scene) => {
      const service = await startOn(scene)
      const told: (string | null | undefined)[][] = []
      service.app.accounts.events.on('audit', ({ action, userId, formerUserId }) => {
        if (action === 'handed-over') told.push([userId, formerUserId])
      })
      for (const [vouched, used] of [
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ]) {
        told.length = 0
        const id = await withAlice(service, false)
        const squatter = at(service)
        if (used) {
          await squatter.logIn('alice')
          await squatter.link({ sub: 'squatter' })
        }
        const link = await resetLink(service, email)
        const owner = at(service)
        if (vouched) await owner.logInWith(ada)
        else {
          await logInAtOpen(owner, ada)
          await service.settle()
          const response = await owner.send('POST', linkPath(await service.mail('identity-sign-up')))
          expect(response.statusCode).toBe(used ? 303 : 200)
        }
        if (used) {
          expect([await owner.who(), await squatter.who()]).toEqual([null, 'alice'])
          expect((await owner.send('POST', '/login/claim/', { start_afresh: true })).statusCode).toBe(200)
        }
        const me = (await owner.send('GET', '/me/')).json()
        expect(me).toMatchObject({ username: 'ada', email, is_verified: true })
        expect([me.id === id, await scene.users.findById(id)]).toEqual([false, null])
        expect(await squatter.who()).toBeNull()
        for (const username of ['alice', email]) {
          const login = await service.send('POST', '/login/', { username, password: goodPassword })
          expect(login.statusCode).toBe(401)
        }
        expect((await service.send('GET', link)).statusCode).toBe(400)
        const back = at(service)
        await back.logInWith({ sub: 'squatter', preferred_username: 'squatter' })
        const theirs = (await back.send('GET', '/me/')).json().id
        expect(theirs).not.toBe(me.id)
        expect(await identitiesOf(scene, me.id)).toHaveLength(1)
        await service.settle()
        expect(told).toEqual([[me.id, id]])
        for (const each of [me.id, theirs]) await service.app.accounts.deleteUser(each)
        service.mails.length = 0
      }
    },
  )

  rule(
    'PRV-13',
    {
      tried:
        'a sign-up begun with the address of another person, who opens the link in the email, or also comes from a provider; the link opened twice, and after a week',
      expected:
        'without the browser that began, the link does nothing; the owner’s own sign-up invalidates it',
    },
    async (scene) => {
      const service = await startOn(scene)
      const intruder = at(service)
      await logInAtOpen(intruder, { ...ada, sub: 'intruder' })
      const first = linkPath(await service.mail('identity-sign-up'))
      const owner = at(service)
      expect(refusalOf(await owner.send('POST', first))).toEqual([400, 'ACCOUNTS_OTHER_BROWSER'])
      expect(await owner.who()).toBeNull()
      expect((await scene.users.findByEmail(email))?.isVerified).toBe(false)
      await logInAtOpen(owner, ada)
      await service.settle()
      const own = linkPath(await service.mail('identity-sign-up'))
      expect((await owner.send('POST', own)).statusCode).toBe(200)
      const { id } = (await owner.send('GET', '/me/')).json()
      expect(await identitiesOf(scene, id)).toEqual([`oidc:${other.url}|ada-1`])
      for (const path of [first, own]) {
        expect(refusalOf(await intruder.send('POST', path))).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
        expect(refusalOf(await owner.send('POST', path))).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
      }
      const late = at(service)
      await logInAtOpen(late, { ...ada, sub: 'late', email: 'late@example.org' })
      const link = linkPath(await service.mail('identity-sign-up', 'late@example.org'))
      await scene.wait(7 * day)
      expect(refusalOf(await late.send('POST', link))).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
    },
  )

  rule(
    'PRV-14',
    {
      tried: 'a staff account, or a disabled one, by a verified address that the provider vouches for',
      expected:
        'nothing is linked; a linked identity of a disabled account gets 403, and its session is over',
    },
    async (scene) => {
      const service = await startOn(scene)
      for (const flags of [{ isStaff: true }, { isActive: false }]) {
        const id = await withAlice(service)
        await service.app.accounts.updateUser(id, flags)
        const browser = at(service)
        expect((await browser.logInWith(ada)).statusCode).toBe(202)
        expect([await browser.who(), await identitiesOf(scene, id)]).toEqual([null, []])
        await service.app.accounts.updateUser(id, { isStaff: false })
        await service.app.accounts.deleteUser(id)
      }
      const browser = at(service)
      await browser.logInWith(ada)
      const { id } = (await browser.send('GET', '/me/')).json()
      await service.app.accounts.updateUser(id, { isActive: false })
      expect(refusalOf(await at(service).logInWith(ada))).toEqual([403, 'ACCOUNTS_DISABLED'])
      expect(await browser.who()).toBeNull()
    },
  )

  rule(
    'PRV-15',
    {
      tried:
        'account enumeration through a provider that accepts any address: an unknown one, and those of a sound account, an unverified one, a disabled one, staff; and through the name that a pending account would take',
      expected:
        'a byte-identical response, cookies of the same length, the same look-ups and creations, and names are as available as before',
    },
    async (scene) => {
      const service = await startOn(scene)
      const states = {
        nobody: null,
        sound: { isVerified: true },
        unproven: {},
        disabled: { isVerified: true, isActive: false },
        chief: { isVerified: true, isStaff: true },
      }
      // Equal lengths, so the cookies have equal lengths as well.
      const wordOf = (name: string): string => name.padEnd(10, 'x')
      const addressOf = (name: string): string => `${wordOf(name)}@example.com`
      for (const [name, changes] of Object.entries(states)) {
        if (changes === null) continue
        const user = { username: name, password: goodPassword, email: addressOf(name) }
        const { id } = await service.app.accounts.createUser(user)
        await service.app.accounts.updateUser(id, changes)
      }
      const asked = callsOf(scene.users)
      const seen: { response: Response; lengths: number[]; calls: string[] }[] = []
      for (const name of Object.keys(states)) {
        await service.settle()
        asked.length = 0
        const person = { sub: wordOf(name), preferred_username: `wish-${wordOf(name)}` }
        const claims = { ...person, email: addressOf(name), email_verified: true }
        const response = await logInAtOpen(at(service), claims)
        // A free address also spends what the refused attempt costs; sign-up-ways.test.ts compares the statements.
        const calls = asked.filter((each) => !each.startsWith('update'))
        seen.push({ response, lengths: response.cookies.map(({ value }) => value.length), calls })
      }
      const [first, ...others] = seen
      if (first === undefined) throw new Error('there is no response')
      expect(first.response.statusCode).toBe(202)
      expectAlike(first.response, ...others.map(({ response }) => response))
      for (const each of others) {
        expect(each.lengths).toEqual(first.lengths)
        expect(each.calls).toEqual(first.calls)
      }
      for (const name of Object.keys(states))
        await expect(signUp(service, `wish-${wordOf(name)}`)).resolves.toBeTruthy()
    },
  )

  rule(
    'PRV-16',
    {
      tried:
        'a second factor, through a provider: a new identity, a linked one, and claims of `enough` from the userinfo endpoint or the host’s `profile`',
      expected:
        'no session and no link before the factor is given; only the ID token can say that the provider required it',
    },
    async (scene) => {
      const enough = { acr: ['high'], amr: ['hwk'] }
      const profile: Provider['profile'] = ({ claims }) => ({ claims: { ...claims, acr: 'high' } })
      const service = await startOn(scene, {}, { enough, profile })
      const id = await withAlice(service)
      const { secret } = await enroll(service)
      const browser = at(service)
      const response = await browser.logInWith(ada)
      expect(response.headers.location).toContain('second_factor=totp')
      expect([await browser.who(), await identitiesOf(scene, id)]).toEqual([null, []])
      const wrong = await browser.send('POST', '/login/second-factor/', { code: '000000' })
      expect([wrong.statusCode, await identitiesOf(scene, id)]).toEqual([401, []])
      const right = await browser.send('POST', '/login/second-factor/', { code: codeOf(secret) })
      expect([right.statusCode, await browser.who()]).toEqual([200, 'alice'])
      expect(await identitiesOf(scene, id)).toEqual([keyOf('ada-1')])
      issuer.metadata.userinfo_endpoint = `${issuer.url}/userinfo`
      issuer.twist = { userinfo: { sub: 'ada-1', email, acr: 'high', amr: ['hwk'] } }
      const fresh = await startOn(scene, {}, { enough, profile })
      const unsigned = at(fresh)
      await unsigned.logInWith({ sub: 'ada-1' })
      expect(await unsigned.who()).toBeNull()
      const signed = at(fresh)
      await signed.logInWith({ sub: 'ada-1', amr: ['pwd', 'hwk'] })
      expect(await signed.who()).toBe('alice')
    },
  )

  storage(
    'PRV-17',
    {
      tried: 'one identity linked to two accounts, and used to sign up, simultaneously in two processes',
      expected: 'it belongs to one account; the others get an error that says so',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const owners: Visitor[] = []
      for (const [n, name] of ['alice', 'bob'].entries()) {
        await signUp(services[0], name)
        const owner = at(services[n === 0 ? 0 : 1])
        await owner.logIn(name)
        owners.push(owner)
      }
      expect(statuses(await Promise.all(owners.map((owner) => owner.link({ sub: 'one' }))))).toEqual([
        303, 409,
      ])
      const held = await Promise.all(
        owners.map(async (owner) => (await owner.send('GET', '/identities/')).json().results.length),
      )
      expect(held.sort()).toEqual([0, 1])
      const comers = Array.from({ length: 6 }, (_, n) => at(services[n % 2 === 0 ? 0 : 1]))
      const responses = await Promise.all(comers.map((each) => each.logInWith(ada)))
      for (const { statusCode } of responses) expect(statusCode).toBeOneOf([303, 409])
      const inside = await Promise.all(
        comers.map(async (each) => (await each.send('GET', '/me/')).json().id as string | undefined),
      )
      expect(new Set(inside.filter((id) => id !== undefined)).size).toBe(1)
      const again = at(services[1])
      expect((await again.logInWith(ada)).statusCode).toBe(303)
    },
  )

  storage(
    'PRV-18',
    {
      tried:
        'the last login method removed: alone, two identities simultaneously in two processes, and the password with the only one',
      expected: '409, and one remains',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const ids = async (who: Visitor): Promise<string[]> =>
        (await who.send('GET', '/identities/')).json().results.map(({ id }: { id: string }) => id)
      const owner = at(services[0])
      await owner.logInWith({ sub: 'first', preferred_username: 'ada' })
      await owner.link({ sub: 'second' })
      const both = await Promise.all(
        (await ids(owner)).map((id, n) =>
          at(services[n === 0 ? 0 : 1], owner).send('DELETE', `/identities/${id}`),
        ),
      )
      expect(statuses(both)).toEqual([204, 409])
      const [last] = await ids(owner)
      expect(refusalOf(await owner.send('DELETE', `/identities/${last}`))).toEqual([409, 'ACCOUNTS_CONFLICT'])
      const { id } = await signUp(services[0], 'alice')
      const alice = at(services[0])
      await alice.logIn('alice')
      await alice.link({ sub: 'hers' })
      const [hers] = await ids(alice)
      const responses = await Promise.all([
        alice.send('DELETE', '/password/'),
        at(services[1], alice).send('DELETE', `/identities/${hers}`),
      ])
      expect(responses.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
      const record = await scene.users.findById(id)
      expect(Number(record?.passwordHash !== '!') + (record?.identityKeys.length ?? 0)).toBe(1)
    },
  )

  rule(
    'PRV-19',
    {
      tried: 'unlimited sign-ups through a provider, and pending ones for unknown and known addresses',
      expected: '429 from the sign-up limit, alike for each address; users with an account still log in',
    },
    async (scene) => {
      const limits = { create: { max: 3, window: 60 * minute } }
      const service = await startOn(scene, { throttle: { limits } })
      await withAlice(service)
      const known = at(service)
      expect((await known.logInWith(ada)).statusCode).toBe(303)
      const attempts = [
        await at(service).logInWith({ ...ada, sub: 'new', email: 'new@example.org' }),
        await logInAtOpen(at(service), { sub: 'x', email }),
        await logInAtOpen(at(service), { sub: 'y', email: 'nobody@example.org' }),
        await logInAtOpen(at(service), { sub: 'x', email }),
        await logInAtOpen(at(service), { sub: 'z', email: 'stranger@example.org' }),
        await at(service).logInWith({ ...ada, sub: 'newer', email: 'newer@example.org' }),
      ]
      expect(attempts.map(({ statusCode }) => statusCode)).toEqual([303, 202, 202, 429, 429, 429])
      expect(await scene.users.findByEmail('stranger@example.org')).toBeNull()
      expect((await at(service).logInWith(ada)).statusCode).toBe(303)
    },
  )

  rule(
    'PRV-20',
    {
      tried:
        'a token endpoint that fails, hangs, truncates its response or never ends it; discovery that is down',
      expected: '503 with the provider’s name, within the deadline; other users log in as before',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene, { adapterTimeout: 1000 })
      await withAlice(service)
      const troubles: ((response: ServerResponse) => void)[] = [
        (response) => void response.writeHead(500).end('boom'),
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
          response.write('{"access_token":')
          setImmediate(() => response.destroy())
        },
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          const more = () => {
            while (response.write('x'.repeat(65536)));
            response.once('drain', more)
          }
          more()
        },
        () => {},
      ]
      for (const token of troubles) {
        issuer.twist = { token }
        const response = await at(service).logInWith(ada)
        expect([response.statusCode, response.json().provider]).toEqual([503, 'demo'])
        expect(await whoIs(service, await logIn(service))).toBe('alice')
      }
      const gone = await startIssuer()
      await gone.close()
      const started = await startOn(scene, { adapterTimeout: 1000 }, { issuer: gone.url })
      const refused = await started.send('POST', '/login/with/demo/')
      expect([refused.statusCode, refused.json().provider, refused.cookies]).toEqual([503, 'demo', []])
      expect((await logInAtOpen(at(started), { sub: 'x', preferred_username: 'grace' })).statusCode).toBe(303)
    },
  )

  rule(
    'PRV-21',
    {
      tried:
        'finding the tokens, the client secret and the flow’s secrets in the log, on the account and in cookies',
      expected: 'they are nowhere',
    },
    async (scene) => {
      const service = await startOn(scene, {}, { clientSecret: 'secret-of-this-client' })
      const browser = at(service)
      const location = await browser.start()
      const cookies = [...browser.cookies.values()].join()
      await browser.comeBack(issuer.logIn(location, { ...ada, secret_claim: 'sensitive-claim' }))
      const verifier = issuer.sent.get('code_verifier') ?? ''
      const code = issuer.sent.get('code') ?? ''
      expect([verifier.length, issuer.sent.get('client_secret')]).toEqual([43, 'secret-of-this-client'])
      const { id } = (await browser.send('GET', '/me/')).json()
      const record = JSON.stringify(await scene.users.findById(id))
      const nonce = new URL(location).searchParams.get('nonce') ?? ''
      issuer.twist = { claims: { aud: 'other' } }
      await browser.logInWith(ada)
      for (const each of [
        verifier,
        nonce,
        'sensitive-claim',
        'secret-of-this-client',
        'eyJhbGciOiJSUzI1NiIs',
      ])
        for (const place of [scene.log.text(), record, cookies]) expect(place).not.toContain(each)
      expect(scene.log.text()).not.toContain(`code=${code}`)
    },
  )

  storage(
    'PRV-22',
    {
      tried:
        'a confirmation by an earlier login at the provider, as someone else there, at another provider, in another session of the same account, with the code of another flow, and by one flow twenty times concurrently in two processes',
      expected: 'only that one flow confirms, and once',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service] = services
      const begin = (who: Visitor) => who.start({}, '/confirm/with/demo/')
      const since = (milliseconds = 0) => Math.floor((Date.now() - milliseconds) / 1000)
      const there = (milliseconds?: number) => ({ ...ada, auth_time: since(milliseconds) })
      const withFlows = (who: Visitor, from: Visitor): Visitor => {
        for (const [name, value] of from.cookies) if (name.includes('-flow-')) who.cookies.set(name, value)
        return who
      }
      const isConfirmed = async (who: Visitor): Promise<boolean> => {
        const { statusCode } = await who.send('POST', '/change-email/', { email: 'new@example.org' })
        expect(statusCode).toBeOneOf([202, 403])
        return statusCode === 202
      }
      await at(service).logInWith({ sub: 'bob-1', email: 'bob@example.org', email_verified: true })
      const browser = at(service)
      await browser.logInWith(ada)
      const linking = await browser.start({}, '/identities/open')
      await browser.send('GET', `/login/with/open/callback/?${other.logIn(linking, { sub: 'ada-2' })}`)
      expect((await browser.send('GET', '/identities/')).json().results).toHaveLength(2)
      await scene.wait(20 * minute)
      expect(await isConfirmed(browser)).toBe(false)

      const cannot = [400, 'ACCOUNTS_PROVIDER_CANNOT_CONFIRM']
      for (const claims of [ada, there(20 * minute), there(minute), there(-minute)])
        expect(refusalOf(await browser.confirmWith(claims))).toEqual(cannot)
      for (const sub of ['bob-1', 'nobody-1', 'ada-2'])
        expect(refusalOf(await browser.confirmWith({ ...there(), sub }))).toEqual(refused)
      // Another provider's response, at its own callback and at the callback of the flow.
      const mixed = other.logIn(await begin(browser), { ...there(), sub: 'ada-2' })
      expect(refusalOf(await browser.send('GET', `/login/with/open/callback/?${mixed}`))).toEqual(expired)
      const foreign = other.logIn(await begin(browser), there())
      expect(refusalOf(await browser.comeBack(foreign))).toEqual(refused)
      expect(await isConfirmed(browser)).toBe(false)

      const location = await begin(browser)
      const parameters = issuer.logIn(location, there())
      const elsewhere = at(service)
      await elsewhere.logInWith(there(20 * minute))
      for (const who of [elsewhere, at(service)])
        expect(refusalOf(await withFlows(who, browser).comeBack(parameters))).toEqual(expired)
      expect([await elsewhere.who(), await isConfirmed(elsewhere)]).toEqual(['ada', false])

      // Ten times the same code, and ten new codes.
      const copies = Array.from({ length: 20 }, (_, n) => at(services[n % 2 === 0 ? 0 : 1], browser))
      const responses = await Promise.all(
        copies.map((copy, n) => copy.comeBack(n < 10 ? parameters : issuer.logIn(location, there()))),
      )
      const confirmed = copies.filter((_, n) => responses[n]?.statusCode === 303)
      expect(confirmed).toHaveLength(1)
      const [renewed] = confirmed as [Visitor]
      expect([await isConfirmed(renewed), await isConfirmed(elsewhere)]).toEqual([true, false])

      await scene.wait(20 * minute)
      const again = issuer.logIn(await begin(renewed), there())
      const before = at(service, renewed)
      expect((await renewed.comeBack(again)).statusCode).toBe(303)
      await scene.wait(9 * minute)
      expect(refusalOf(await withFlows(renewed, before).comeBack(again))).toEqual(expired)
      await scene.wait(7 * minute)
      const used = issuer.logIn(await begin(renewed), there())
      used.set('code', again.get('code') ?? '')
      expect(refusalOf(await renewed.comeBack(used))).toEqual(refused)
      expect([await isConfirmed(renewed), await renewed.who()]).toEqual([false, 'ada'])
    },
  )

  rule(
    'PRV-39',
    {
      tried: 'reading in the session store what a used flow left there',
      expected: 'a hash, and not its `state`',
    },
    async (scene) => {
      const service = await startOn(scene)
      const written = writtenTo(scene.sessions)
      const browser = at(service)
      const location = await browser.start()
      const parameters = issuer.logIn(location, ada)
      expect((await browser.comeBack(parameters)).statusCode).toBe(303)
      expect(written.filter(({ methods }) => methods?.length === 0)).toHaveLength(1)
      const state = parameters.get('state')
      if (!state) throw new Error('the flow has no state')
      expect(JSON.stringify(written)).not.toContain(state)
    },
  )

  /** A used account with the address of somebody who has just proved it, and their browser. */
  async function asked(service: Service): Promise<{ id: string; squatter: Visitor; owner: Visitor }> {
    const id = await withAlice(service, false)
    const squatter = at(service)
    await squatter.logIn('alice')
    const owner = at(service)
    expect((await owner.logInWith(ada)).headers.location).toBe('/login/claim/')
    return { id, squatter, owner }
  }

  rule(
    'PRV-23',
    {
      tried:
        'deciding for someone else whose a used account is: without the browser that proved the address, with the cookie of an identity whose address isn’t proved, from another site, after ten minutes, with a copy of the cookie after use, and once the address is verified otherwise',
      expected: 'nobody is logged in, and the account is as before',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, squatter, owner } = await asked(service)
      const before = await scene.users.findById(id)
      const choices = [{ start_afresh: true }, { password: goodPassword }]
      const refusedTo = async (browser: Visitor, headers = {}) => {
        const responses: unknown[] = []
        for (const choice of choices)
          responses.push(refusalOf(await browser.send('POST', '/login/claim/', choice, headers)))
        expect(await browser.who()).not.toBe('ada')
        return responses
      }
      expect(await refusedTo(squatter)).toEqual([expired, expired])
      const intruder = at(service)
      await logInAtOpen(intruder, { ...ada, sub: 'intruder' })
      for (const [name, value] of intruder.cookies)
        intruder.cookies.set(name.replace('-identity', '-claim'), value)
      expect([...intruder.cookies.keys()]).toContainEqual(expect.stringMatching(/-claim$/))
      expect(await refusedTo(intruder)).toEqual([expired, expired])
      const crossSite = [403, 'ACCOUNTS_CROSS_SITE']
      const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      expect(await refusedTo(at(service, owner), elsewhere)).toEqual([crossSite, crossSite])
      expect(await scene.users.findById(id)).toEqual(before)

      const copy = at(service, owner)
      expect((await owner.send('POST', '/login/claim/', { start_afresh: true })).statusCode).toBe(200)
      expect(await refusedTo(copy)).toEqual([expired, expired])
      const { id: own } = (await owner.send('GET', '/me/')).json()
      await service.app.accounts.deleteUser(own)
      const verified = await asked(service)
      await service.app.accounts.updateUser(verified.id, { isVerified: true })
      expect(await refusedTo(verified.owner)).toEqual([expired, expired])
      await service.app.accounts.deleteUser(verified.id)
      const late = await asked(service)
      await scene.wait(10 * minute + 1)
      expect(await refusedTo(late.owner)).toEqual([expired, expired])
      expect(await scene.users.findById(late.id)).not.toBeNull()
    },
  )

  storage(
    'PRV-24',
    {
      tried: 'guessing the password of the account that a provider’s user is asked about, in two processes',
      expected: 'it counts as guesses at the login with that address',
    },
    async (scene) => {
      const services = [
        await startOn(scene, { throttle: {} }),
        await startOn(scene, { throttle: {} }),
      ] as const
      const { id, owner } = await asked(services[0])
      const guesses = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          at(services[n % 2 === 0 ? 0 : 1], owner).send('POST', '/login/claim/', {
            password: `wrong-one-${n}`,
          }),
        ),
      )
      expect(statuses(guesses)).toEqual([...Array(5).fill(400), ...Array(3).fill(429)])
      const login = { username: email, password: goodPassword }
      expect((await services[1].send('POST', '/login/', login)).statusCode).toBe(429)
      expect((await owner.send('POST', '/login/claim/', { password: goodPassword })).statusCode).toBe(429)
      expect((await scene.users.findById(id))?.isVerified).toBe(false)
    },
  )

  /** However a race ends, the address has one account, and anyone who isn't its owner has nothing. */
  async function expectOwners(
    scene: Scene,
    service: Service,
    id: string,
    strangers: Visitor[],
  ): Promise<void> {
    const owner = at(service)
    const response = await owner.logInWith(ada)
    if (response.headers.location === '/login/claim/')
      expect((await owner.send('POST', '/login/claim/', { start_afresh: true })).statusCode).toBe(200)
    else expect(response.statusCode).toBe(303)
    const me = (await owner.send('GET', '/me/')).json()
    expect(me).toMatchObject({ email, is_verified: true })
    expect(await identitiesOf(scene, me.id)).toEqual([keyOf('ada-1')])
    if (me.id !== id) {
      expect(await scene.users.findById(id)).toBeNull()
      for (const stranger of strangers) expect(await stranger.who()).toBeNull()
    }
    await service.app.accounts.deleteUser(me.id)
  }

  storage(
    'PRV-25',
    {
      tried:
        'simultaneously in two processes: four logins by a provider that vouches for the address of an account that nobody has used, and four logins to that account by its maker',
      expected:
        'either nobody has used it, and the owner’s new account replaces it, once; or somebody has, and the owner is asked; its maker gets nothing of the new account',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      for (let round = 0; round < 3; round += 1) {
        const id = await withAlice(services[0], false)
        const squatters = Array.from({ length: 4 }, (_, n) => at(services[n % 2 === 0 ? 0 : 1]))
        const owners = Array.from({ length: 4 }, (_, n) => at(services[n % 2 === 0 ? 0 : 1]))
        const [came] = await Promise.all([
          Promise.all(owners.map((owner) => owner.logInWith(ada))),
          Promise.all(
            squatters.map((squatter) =>
              squatter.send('POST', '/login/', { username: 'alice', password: goodPassword }),
            ),
          ),
        ])
        for (const { statusCode } of came) expect(statusCode).toBeOneOf([303, 409])
        const inside = await Promise.all(
          owners.map(async (owner) => (await owner.send('GET', '/me/')).json().id as string | undefined),
        )
        const ids = new Set(inside.filter((each) => each !== undefined))
        expect([ids.size <= 1, ids.has(id)]).toEqual([true, false])
        await expectOwners(scene, services[0], id, squatters)
      }
    },
  )

  storage(
    'PRV-26',
    {
      tried:
        'simultaneously in two processes: starting afresh four times with copies of the cookie, keeping the account with its password, logging in to it, and confirming its address by the emailed link',
      expected:
        'one of them decides whose it is; the others get an error that says so, and the account is never half of each',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      for (let round = 0; round < 3; round += 1) {
        const [service, second] = services
        const { id, squatter, owner } = await asked(service)
        await service.send('POST', '/signup/v/', { email })
        const verify = linkPath(await service.mail('verify-email'))
        const copies = Array.from({ length: 5 }, (_, n) => at(n % 2 === 0 ? service : second, owner))
        const choose = (browser: Visitor, n: number) =>
          browser.send('POST', '/login/claim/', n === 4 ? { password: goodPassword } : { start_afresh: true })
        const again = at(second)
        const login = { username: 'alice', password: goodPassword }
        const [chosen] = await Promise.all([
          Promise.all(copies.map(choose)),
          again.send('POST', '/login/', login),
          round === 2 ? service.send('POST', verify) : null,
        ])
        expect(chosen.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(1)
        for (const { statusCode } of chosen) expect(statusCode).toBeOneOf([200, 400, 401, 409])
        await expectOwners(scene, service, id, [squatter, again])
        service.mails.length = 0
      }
    },
  )
})
