import { hash, randomBytes, randomUUID } from 'node:crypto'
import { goodPassword, linkPath, logIn, signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import {
  type DemoApp,
  demoApp,
  type Visitor,
  visitor,
} from '@fastify-accounts/test-support/providers/service'
import {
  type AccountsOptions,
  invitations,
  RuleError,
  type SignUpAttempt,
  type SignUpGrant,
} from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { challengeOf } from './support/pkce.js'

const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
/** The provider doesn't vouch for it. */
const elsewhere = { ...ada, email: 'ada@example.com' }
const nonce = 'a random text of the app'
const redirectUri = 'org.example.app:/login'
const fields = { type: 'object', properties: { city: { type: 'string' }, plan: { type: 'string' } } } as const
const signUpFields = {
  type: 'object',
  properties: { invitation: { type: 'string' } },
  required: ['invitation'],
} as const
const invitation = 'an invitation code'

type Rule = (attempt: SignUpAttempt) => SignUpGrant | Promise<SignUpGrant>
const granting: Rule = () => ({ roles: ['editor'], fields: { plan: 'pro' } })
const refusing: Rule = () => {
  throw new RuleError('SHOP_CLOSED', { message: 'We open on Monday.' })
}

interface RuledApp extends DemoApp {
  asked: SignUpAttempt[]
  use(rule: Rule): void
}

/** An app whose provider vouches for addresses of example.org, and that records what its rule is asked. */
async function ruled(options: Partial<AccountsOptions> = {}): Promise<RuledApp> {
  const asked: SignUpAttempt[] = []
  let rule = granting
  const service = await demoApp(
    { authoritativeFor: ['example.org'], appAudiences: ['ios-app'], fields: () => ({ city: 'Ulm' }) },
    {
      users: { variant: 'both', fields },
      before: {
        signUp(attempt) {
          asked.push(attempt)
          return rule(attempt)
        },
      },
      ...options,
    },
    {},
    [invitations()],
    { appRedirectUris: [redirectUri] },
  )
  const use = (given: Rule): void => {
    rule = given
  }
  return { ...service, asked, use }
}

const known = {
  ...{ method: 'provider', provider: 'demo', email, domain: 'example.org', roles: [], username: null },
  ...{ fields: { city: 'Ulm' }, actor: null, client: expect.objectContaining({ language: 'en' }) },
}
const granted = { isVerified: true, roles: ['editor'], fields: { city: 'Ulm', plan: 'pro' } }
const owner = ({ users }: DemoApp, address = email) => users.findByEmail(address)

/** Each way to an account through a provider. */
const ways: [string, (service: DemoApp, browser: Visitor, claims?: object) => Promise<unknown>][] = [
  [
    'a flow',
    async (_, browser, claims = ada) => {
      const response = await browser.logInWith({ ...claims })
      return response.statusCode < 400 ? undefined : refusalOf(response)
    },
  ],
  [
    'an ID token',
    async ({ issuer }, browser, claims = ada) => {
      const id_token = issuer.issue('ios-app', hash('sha256', nonce, 'hex'), { jti: randomUUID(), ...claims })
      const response = await browser.send('POST', '/login/with/demo/token/', { id_token, nonce })
      return response.statusCode < 400 ? undefined : refusalOf(response)
    },
  ],
  [
    'a flow of an app',
    async ({ issuer }, browser, claims = ada) => {
      const verifier = randomBytes(32).toString('base64url')
      const query = new URLSearchParams({
        ...{ redirect_uri: redirectUri, code_challenge: challengeOf(verifier) },
        ...{ code_challenge_method: 'S256', state: 'abc' },
      })
      const begun = await browser.send('POST', `/login/with/demo/app/?${query}`)
      const back = await browser.comeBack(issuer.logIn(begun.json().location, { ...claims }))
      const result = new URL(back.headers.location ?? '').searchParams
      return result.has('code') ? undefined : [403, result.get('error_description')]
    },
  ],
]

describe.each(ways)('before.signUp with %s', (_, go) => {
  it('is asked once, before the account is created; not for a login', async () => {
    const service = await ruled()
    await go(service, visitor(service))
    expect(service.asked).toEqual([{ ...known, transient: {}, handsOver: false }])
    expect(await owner(service)).toMatchObject(granted)
    await go(service, visitor(service))
    expect(service.asked).toHaveLength(1)
  })

  it('refuses', async () => {
    const service = await ruled()
    service.use(refusing)
    expect(await go(service, visitor(service))).toEqual([403, 'SHOP_CLOSED'])
    expect(await owner(service)).toBeNull()
  })

  it('is asked about who takes over an account whose address nobody had proven', async () => {
    const service = await ruled()
    service.use(() => ({ roles: ['boss'] }))
    const { id } = await signUp(service, 'mallory', { email })
    service.use(refusing)
    expect(await go(service, visitor(service))).toEqual([403, 'SHOP_CLOSED'])
    expect(await owner(service)).toMatchObject({ id, isVerified: false })
    service.use(granting)
    await go(service, visitor(service))
    expect(service.asked.at(-1)).toEqual({ ...known, transient: {}, handsOver: true })
    const taken = await owner(service)
    expect(taken).toMatchObject(granted)
    expect(taken?.id).not.toBe(id)
  })
})

describe('an address that the provider does not vouch for', () => {
  it('is asked about before anything tells whether it has an account, and once', async () => {
    const service = await ruled()
    await service.app.accounts.createUser({
      username: 'eve',
      password: goodPassword,
      email: 'eve@example.com',
    })
    service.use(refusing)
    const refusals = []
    for (const address of [elsewhere.email, 'eve@example.com']) {
      const response = await visitor(service).logInWith({ ...ada, email: address })
      refusals.push([response.statusCode, response.body])
    }
    expect(refusals[0]).toEqual(refusals[1])
    expect(service.asked).toMatchObject([
      { email: elsewhere.email, handsOver: false },
      { email: 'eve@example.com', handsOver: false },
    ])
    expect(await owner(service, elsewhere.email)).toBeNull()
  })

  it('gets its roles with the proof, for the person at this provider only', async () => {
    const service = await ruled()
    const browser = visitor(service)
    await browser.logInWith(elsewhere)
    expect(await owner(service, elsewhere.email)).toMatchObject({ roles: [], isVerified: false })
    await browser.send('POST', linkPath(await service.mail('identity-sign-up')))
    expect(await owner(service, elsewhere.email)).toMatchObject(granted)
    expect(service.asked).toHaveLength(1)
  })
})

describe('a used account whose address a provider proves', () => {
  async function claimed(service: RuledApp): Promise<Visitor> {
    service.use(() => ({ roles: ['boss'] }))
    await signUp(service, 'mallory', { email })
    await logIn(service, 'mallory')
    service.use(granting)
    const browser = visitor(service)
    await browser.logInWith(ada)
    return browser
  }

  it('keeps the roles promised to it, for the person who knows its password', async () => {
    const service = await ruled()
    const browser = await claimed(service)
    await browser.send('POST', '/login/claim/', { password: goodPassword })
    expect(await owner(service)).toMatchObject({ username: 'mallory', isVerified: true, roles: ['boss'] })
  })

  it('gives way to one with those of the newcomer', async () => {
    const service = await ruled()
    const browser = await claimed(service)
    await browser.send('POST', '/login/claim/', { start_afresh: true })
    expect(await owner(service)).toMatchObject({ username: 'ada', ...granted })
    expect(service.asked).toHaveLength(2)
  })
})

/** Each way in which a provider proves an address: prepared, and then sent. */
const proofs: [string, string, boolean, (service: RuledApp) => Promise<() => ReturnType<Visitor['send']>>][] =
  [
    ['with a new account', email, false, at],
    [
      'in place of an account with a password',
      email,
      true,
      async (service) => {
        await signUp(service, 'mallory', { email })
        return at(service)
      },
    ],
    ['behind the mailed link', elsewhere.email, true, (service) => wait(service)],
    [
      'behind the mailed link, in place of an account with a password',
      elsewhere.email,
      true,
      async (service) => {
        await signUp(service, 'mallory', { email: elsewhere.email })
        return wait(service)
      },
    ],
    [
      'behind the mailed link in the maker’s browser',
      elsewhere.email,
      false,
      async (service) => {
        const browser = visitor(service)
        const passwords = { password: goodPassword, confirm_password: goodPassword }
        await browser.send('POST', '/user/', { username: 'mallory', ...passwords, email: elsewhere.email })
        return wait(service, browser)
      },
    ],
    ['by starting afresh', email, true, (service) => claim(service, { start_afresh: true })],
    ['by keeping the account', email, false, (service) => claim(service, { password: goodPassword })],
  ]

async function at(service: RuledApp) {
  const browser = visitor(service)
  const parameters = service.issuer.logIn(await browser.start(), ada)
  return () => browser.comeBack(parameters)
}

async function wait(service: RuledApp, browser = visitor(service)) {
  await browser.logInWith(elsewhere)
  const path = linkPath(await service.mail('identity-sign-up'))
  return () => browser.send('POST', path)
}

async function claim(service: RuledApp, body: object) {
  const browser = visitor(service)
  await signUp(service, 'mallory', { email })
  await logIn(service, 'mallory')
  await browser.logInWith(ada)
  return () => browser.send('POST', '/login/claim/', body)
}

describe.each(proofs)(
  'the invitations of an address that a provider proves %s',
  (_, address, handsOver, prepare) => {
    const roles = { editor: ['posts:write'], reviewer: ['posts:read'] }
    const gift = { fields: { city: 'Bonn', plan: 'free' }, roles: ['reviewer'] }

    it('apply as the rule says about each, and one that it refuses stays open', async () => {
      const service = await ruled({ roles })
      service.use(({ method, roles }) => {
        if (method !== 'invitation') return {}
        if (roles.includes('editor')) throw new RuleError('SHOP_CLOSED', { message: 'No more editors.' })
        return { fields: { plan: 'pro' } }
      })
      const send = await prepare(service)
      const before = service.asked.length
      await service.app.accounts.invite({ email: address, ...gift })
      await inviteAsStaff(service, { email: address, roles: ['editor'] })
      expect((await send()).statusCode).toBeLessThan(400)

      const asked = service.asked.slice(before)
      const seen = { provider: null, email: address, transient: {}, handsOver }
      expect(asked.filter(({ method }) => method === 'invitation')).toMatchObject([
        { ...seen, roles: ['editor'], fields: {} },
        { ...seen, ...gift },
      ])
      for (const { roles, fields } of asked.filter(({ method }) => method !== 'invitation'))
        expect([roles, fields]).toEqual([[], { city: 'Ulm' }])
      expect(await owner(service, address)).toMatchObject({
        ...{ isVerified: true, roles: ['reviewer'], fields: { city: 'Bonn', plan: 'pro' } },
      })
      expect(await service.invitations.listByEmail(address)).toMatchObject([{ gives: { roles: ['editor'] } }])
    })

    it('give nothing once they are withdrawn', async () => {
      const service = await ruled({ roles })
      service.use(() => ({}))
      const { id } = await service.app.accounts.invite({ email: address, ...gift })
      const send = await prepare(service)
      await service.app.accounts.withdrawInvitation(id)
      expect((await send()).statusCode).toBeLessThan(400)
      const user = await owner(service, address)
      expect(user).toMatchObject({ isVerified: true, roles: [] })
      expect(user?.fields).not.toMatchObject({ city: 'Bonn' })
    })

    it('give no more than 16 KiB of fields, the rule’s first', async () => {
      const service = await ruled({ roles })
      const plan = 'y'.repeat(1000)
      service.use(() => ({ fields: { plan } }))
      const send = await prepare(service)
      await service.app.accounts.invite({
        email: address,
        fields: { city: 'x'.repeat(16_000), plan: 'free' },
      })
      expect((await send()).statusCode).toBeLessThan(400)
      const user = await owner(service, address)
      expect(user).toMatchObject({ isVerified: true, fields: { plan } })
      expect(Buffer.byteLength(JSON.stringify(user?.fields))).toBeLessThanOrEqual(16 * 1024)
    })
  },
)

async function inviteAsStaff(service: DemoApp, invitation: object): Promise<void> {
  await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
  const staff = visitor(service)
  await staff.logIn('boss')
  expect((await staff.send('POST', '/invitations/', invitation)).statusCode).toBe(202)
}

describe('signUp.fields', () => {
  const withFields = () => ruled({ signUp: { fields: signUpFields } })

  it('travel through a flow, sealed, and are stored nowhere', async () => {
    const service = await withFields()
    const browser = visitor(service)
    const begun = await browser.send('POST', '/login/with/demo/', { invitation })
    expect(JSON.stringify([begun.headers, begun.body])).not.toContain(invitation)
    await browser.comeBack(service.issuer.logIn(begun.json().location, ada))
    expect(service.asked).toEqual([{ ...known, transient: { invitation }, handsOver: false }])
    expect(JSON.stringify(await owner(service))).not.toContain(invitation)
  })

  it('come with an ID token as well', async () => {
    const service = await withFields()
    const id_token = service.issuer.issue('ios-app', hash('sha256', nonce, 'hex'), {
      jti: randomUUID(),
      ...ada,
    })
    await visitor(service).send('POST', '/login/with/demo/token/', { id_token, nonce, invitation })
    expect(service.asked).toMatchObject([{ transient: { invitation } }])
  })

  it.each(ways)('are required of a sign-up, not of a login, with %s', async (_, go) => {
    const service = await withFields()
    const refused = await go(service, visitor(service))
    expect(refused).toEqual([expect.any(Number), 'ACCOUNTS_INVALID_INPUT'])
    expect([service.asked, await owner(service)]).toEqual([[], null])
    await visitor(service).logInWith(ada, { invitation })
    expect(await go(service, visitor(service))).toBeUndefined()
  })

  it('are at most 1 KiB in a flow, and as their schema says', async () => {
    const service = await withFields()
    const begin = (body: object) => visitor(service).send('POST', '/login/with/demo/', body)
    const faults = async (body: object) => (await begin(body)).json().fields
    const most = 1024 - JSON.stringify({ invitation: '' }).length
    expect((await begin({ invitation: 'x'.repeat(most) })).statusCode).toBe(200)
    expect(await faults({ invitation: 'x'.repeat(most + 1) })).toMatchObject([
      { field: '', code: 'too_long' },
    ])
    expect(await faults({ invitation: 7 })).toMatchObject([{ field: 'invitation', code: 'invalid' }])
    expect(await faults({ captcha: 'x' })).toMatchObject([{ field: 'captcha', code: 'unknown' }])
  })

  it('nested too deep for JSON are too much for a flow', async () => {
    const anything = { type: 'object', properties: { invitation: { description: 'Anything' } } } as const
    const service = await ruled({ signUp: { fields: anything } })
    const response = await service.app.inject({
      ...{ method: 'POST', url: '/login/with/demo/' },
      payload: `{"invitation":${'['.repeat(7_500)}${']'.repeat(7_500)}}`,
      headers: { 'content-type': 'application/json' },
    })
    expect([response.statusCode, response.json().fields]).toMatchObject([
      400,
      [{ field: '', code: 'too_long' }],
    ])
  })
})

it('before.logIn decides about a login with a provider, in an app when it sends its code', async () => {
  const asked: string[] = []
  const service = await ruled({
    before: {
      logIn({ user, methods }) {
        asked.push(`${user.username} ${methods}`)
        throw new RuleError('SHOP_CLOSED', { message: 'We open on Monday.' })
      },
    },
  })
  const browser = visitor(service)
  const response = await browser.logInWith(ada)
  expect([refusalOf(response), await browser.who()]).toEqual([[403, 'SHOP_CLOSED'], null])
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    ...{ redirect_uri: redirectUri, code_challenge: challengeOf(verifier) },
    ...{ code_challenge_method: 'S256', state: 'abc' },
  })
  const begun = await browser.send('POST', `/login/with/demo/app/?${query}`)
  const back = await browser.comeBack(service.issuer.logIn(begun.json().location, ada))
  expect(asked).toEqual(['ada fed'])
  const code = new URL(back.headers.location ?? '').searchParams.get('code')
  const redeemed = await visitor(service).send('POST', '/tokens/', { code, code_verifier: verifier })
  expect([refusalOf(redeemed), asked]).toEqual([
    [403, 'SHOP_CLOSED'],
    ['ada fed', 'ada fed'],
  ])
})
