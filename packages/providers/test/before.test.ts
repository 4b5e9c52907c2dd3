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
  const elsewhere = { ...ada, email: 'ada@example.com' }

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

describe('an invited address that a provider proves', () => {
  const roles = { editor: ['posts:write'], reviewer: ['posts:read'] }
  const given = { email, roles: ['reviewer'] }
  const askedOf = { ...known, roles: ['reviewer'], transient: {}, handsOver: true }
  const total = (service: DemoApp) =>
    owner(service).then((user) => Buffer.byteLength(JSON.stringify(user?.fields)))

  it.each([false, true])(
    'is asked about with what it gives, and the rule has the last word (an account with a password: %s)',
    async (hasPassword) => {
      const service = await ruled({ roles })
      if (hasPassword) await signUp(service, 'mallory', { email })
      await service.app.accounts.invite({ ...given, fields: { city: 'Bonn', plan: 'free' } })
      const before = service.asked.length
      expect((await visitor(service).logInWith(ada)).statusCode).toBe(303)
      expect(service.asked.slice(before)).toEqual([{ ...askedOf, fields: { city: 'Bonn', plan: 'free' } }])
      const user = await owner(service)
      expect(user).toMatchObject({ isVerified: true, fields: { city: 'Bonn', plan: 'pro' } })
      expect(user?.roles.toSorted()).toEqual(['editor', 'reviewer'])
    },
  )

  it('has the rule’s last word with a new account in place of a used one as well', async () => {
    const service = await ruled({ roles })
    await signUp(service, 'mallory', { email })
    await logIn(service, 'mallory')
    await service.app.accounts.invite({ ...given, fields: { city: 'Bonn', plan: 'free' } })
    const browser = visitor(service)
    await browser.logInWith(ada)
    expect((await browser.send('POST', '/login/claim/', { start_afresh: true })).statusCode).toBe(200)
    expect(await owner(service)).toMatchObject({ username: 'ada', fields: { city: 'Bonn', plan: 'pro' } })
  })

  it.each([false, true])(
    'gets no more than 16 KiB of fields, the rule’s first (an account with a password: %s)',
    async (hasPassword) => {
      const service = await ruled({ roles })
      if (hasPassword) await signUp(service, 'mallory', { email })
      await service.app.accounts.invite({ ...given, fields: { city: 'x'.repeat(16_000), plan: 'free' } })
      const plan = 'y'.repeat(1000)
      service.use(() => ({ fields: { plan } }))
      expect((await visitor(service).logInWith(ada)).statusCode).toBe(303)
      expect(await owner(service)).toMatchObject({ isVerified: true, fields: { plan } })
      expect(await total(service)).toBeLessThanOrEqual(16 * 1024)
    },
  )
})

describe('an invitation that has come since the rule was asked', () => {
  const roles = { editor: ['posts:write'], reviewer: ['posts:read'] }
  const elsewhere = { ...ada, email: 'ada@example.com' }
  const wait = async (service: RuledApp, browser: Visitor) => {
    await browser.logInWith(elsewhere)
    const path = linkPath(await service.mail('identity-sign-up'))
    return () => browser.send('POST', path)
  }
  const claim = async (service: RuledApp, browser: Visitor, body: object) => {
    await signUp(service, 'mallory', { email })
    await logIn(service, 'mallory')
    await browser.logInWith(ada)
    return () => browser.send('POST', '/login/claim/', body)
  }
  const mallory = { username: 'mallory', password: goodPassword, confirm_password: goodPassword }

  it.each<
    [string, string, (service: RuledApp, browser: Visitor) => Promise<() => ReturnType<Visitor['send']>>]
  >([
    ['behind the mailed link', elsewhere.email, wait],
    [
      'behind the mailed link, in place of an account with a password',
      elsewhere.email,
      async (service, browser) => {
        await signUp(service, 'mallory', { email: elsewhere.email })
        return wait(service, browser)
      },
    ],
    [
      'behind the mailed link in the maker’s browser',
      elsewhere.email,
      async (service, browser) => {
        await browser.send('POST', '/user/', { ...mallory, email: elsewhere.email })
        return wait(service, browser)
      },
    ],
    ['by starting afresh', email, (service, browser) => claim(service, browser, { start_afresh: true })],
    [
      'by keeping the account',
      email,
      (service, browser) => claim(service, browser, { password: goodPassword }),
    ],
  ])('is shown to it %s, and only what it has seen is given', async (_, address, prepare) => {
    const service = await ruled({ roles })
    const browser = visitor(service)
    const send = await prepare(service, browser)
    const { asked } = service
    const before = asked.length
    await service.app.accounts.invite({ email: address, roles: ['reviewer'] })
    const untouched = await owner(service, address)

    service.use(refusing)
    expect(refusalOf(await send())).toEqual([403, 'SHOP_CLOSED'])
    expect(await owner(service, address)).toEqual(untouched)
    const seen = {
      method: 'provider',
      provider: 'demo',
      email: address,
      roles: ['reviewer'],
      handsOver: true,
    }
    expect(asked.slice(before)).toMatchObject([{ ...seen, transient: {} }])

    service.use(async () => {
      await service.app.accounts.invite({ email: address, roles: ['editor'] })
      return {}
    })
    expect(refusalOf(await send())).toEqual([409, 'ACCOUNTS_CONFLICT'])
    expect(await owner(service, address)).toMatchObject({ id: untouched?.id, isVerified: false, roles: [] })

    service.use(() => ({ fields: { plan: 'pro' } }))
    expect((await send()).statusCode).toBe(200)
    expect(asked.at(-1)?.roles.toSorted()).toEqual(['editor', 'reviewer'])
    const user = await owner(service, address)
    expect(user).toMatchObject({ isVerified: true, fields: { plan: 'pro' } })
    expect(user?.notes).toEqual({})
    expect([...new Set(user?.roles)].toSorted()).toEqual(['editor', 'reviewer'])
    expect(asked).toHaveLength(before + 3)
  })

  it('takes what the rule gave for it along when it ends', async () => {
    const service = await ruled({ roles })
    await signUp(service, 'mallory', { email })
    await logIn(service, 'mallory')
    await service.app.accounts.invite({ email, roles: ['reviewer'] })
    const browser = visitor(service)
    await browser.logInWith(ada)
    const [invitation] = (await service.app.accounts.listInvitations()).invitations
    await service.app.accounts.withdrawInvitation(`${invitation?.id}`)
    service.use(() => ({}))
    expect((await browser.send('POST', '/login/claim/', { start_afresh: true })).statusCode).toBe(200)
    expect(service.asked.at(-1)).toMatchObject({ roles: [], handsOver: true })
    expect(await owner(service)).toMatchObject({ isVerified: true, roles: [], fields: { city: 'Ulm' } })
  })
})

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
