import { linkPath } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { type AccountsOptions, invitations, RuleError, type SignUpAttempt } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'

const email = 'grace@example.org'
const grace = { sub: 'g-1', email, email_verified: true, preferred_username: 'grace' }
const closed = [403, 'ACCOUNTS_FORBIDDEN']
const recruiter = { username: 'rita', password: 'correct horse battery', roles: ['recruiter'] }

/** An app that people only join by invitation, whose provider vouches for addresses of example.org. */
function closedApp(options: Partial<AccountsOptions> = {}): Promise<DemoApp> {
  return demoApp(
    { authoritativeFor: ['example.org'] },
    {
      users: { fields: { type: 'object', properties: { team: { type: 'string', default: 'none' } } } },
      roles: { editor: ['posts:write'], recruiter: ['users:invite', 'users:grant', 'posts:write'] },
      authorize: { createUser: () => false },
      ...options,
    },
    {},
    [invitations()],
  )
}

/** Invites as a recruiter. */
async function invite({ app }: DemoApp, invitee = email): Promise<string> {
  const { id } = await app.accounts.createUser(recruiter)
  const browser = visitor({ app })
  await browser.logIn('rita')
  const gift = { email: invitee, fields: { team: 'compilers' }, roles: ['editor'] }
  expect((await browser.send('POST', '/invitations/', gift)).statusCode).toBe(202)
  return id
}

const rowsOf = ({ invitations }: DemoApp, invitee = email) => invitations.listByEmail(invitee)

describe('a provider that vouches for an address, in an app without sign-up', () => {
  afterEach(() => void vi.useRealTimers())

  it('accepts its invitations: the account has what they give, and its link ends', async () => {
    const service = await closedApp()
    expect(refusalOf(await visitor(service).logInWith(grace))).toEqual(closed)
    await invite(service)
    const link = linkPath(await service.mail('invitation'))
    const browser = visitor(service)
    expect((await browser.logInWith(grace)).statusCode).toBe(303)
    expect(await browser.who()).toBe('grace')
    const user = await service.users.findByEmail(email)
    expect(user).toMatchObject({
      ...{ username: 'grace', isVerified: true, roles: ['editor'], fields: { team: 'compilers' } },
      ...{ origin: 'self', credentials: [{ kind: 'oidc' }] },
    })
    expect(await rowsOf(service)).toEqual([])
    expect(refusalOf(await browser.send('GET', link))).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
    expect((await visitor(service).logInWith(grace)).statusCode).toBe(303)
  })

  it.each<[string, (service: DemoApp, inviterId: string) => unknown]>([
    ['has expired', () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })],
    [
      'was withdrawn',
      async (service) => service.app.accounts.withdrawInvitation(`${(await rowsOf(service))[0]?.id}`),
    ],
    ['is by somebody disabled', ({ app }, id) => app.accounts.updateUser(id, { isActive: false })],
    ['is by somebody who is gone', ({ app }, id) => app.accounts.deleteUser(id)],
    [
      'is by somebody who may no longer give its roles',
      ({ app }, id) => app.accounts.updateUser(id, { roles: [] }),
    ],
  ])('lets nobody in by an invitation that %s', async (_, end) => {
    const service = await closedApp()
    await end(service, await invite(service))
    expect(refusalOf(await visitor(service).logInWith(grace))).toEqual(closed)
    expect(await service.users.findByEmail(email)).toBeNull()
  })

  it('lets nobody in by an invitation that ends while the app’s rule is asked', async () => {
    const service: DemoApp = await closedApp({
      before: {
        async signUp({ method }) {
          if (method === 'provider')
            await service.app.accounts.withdrawInvitation(`${(await rowsOf(service))[0]?.id}`)
        },
      },
    })
    await invite(service)
    expect(refusalOf(await visitor(service).logInWith(grace))).toEqual([409, 'ACCOUNTS_CONFLICT'])
    expect(await service.users.findByEmail(email)).toBeNull()
  })

  it('accepts once, of two logins at the same moment', async () => {
    let asked = 0
    const service = await closedApp({
      before: {
        async signUp({ method }) {
          if (method !== 'provider') return
          asked += 1
          await vi.waitUntil(() => asked === 2, 60_000)
        },
      },
    })
    await invite(service)
    const logIn = () => visitor(service).logInWith(grace)
    const ends = await Promise.all([logIn(), logIn()])
    expect(ends.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409])
    expect(await service.users.findByEmail(email)).toMatchObject({ roles: ['editor'] })
    expect(await rowsOf(service)).toEqual([])
  })

  it('accepts once, of a login and its link at the same moment', async () => {
    let asked = 0
    const service = await closedApp({
      before: {
        async signUp({ method }) {
          if (method !== 'invitation') return
          asked += 1
          await vi.waitUntil(() => asked === 2, 60_000)
        },
      },
    })
    await invite(service)
    const link = linkPath(await service.mail('invitation'))
    const password = 'seven green lanterns'
    const choice = { username: 'grace', new_password: password, confirm_password: password }
    const [login, accepted] = await Promise.all([
      visitor(service).logInWith(grace),
      visitor(service).send('POST', link, choice),
    ])
    expect([login.statusCode === 303, accepted.statusCode === 200].filter(Boolean)).toHaveLength(1)
    expect(await service.users.findByEmail(email)).toMatchObject({ isVerified: true, roles: ['editor'] })
    expect(await rowsOf(service)).toEqual([])
  })

  it('asks for nothing that only a sign-up carries', async () => {
    const asked: SignUpAttempt[] = []
    const service = await closedApp({
      signUp: { fields: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] } },
      before: { signUp: (attempt) => void asked.push(attempt) },
    })
    await invite(service)
    expect((await visitor(service).logInWith(grace)).statusCode).toBe(303)
    expect(asked.map(({ method, transient }) => [method, transient])).toEqual([
      ['invitation', {}],
      ['provider', {}],
    ])
  })

  it('lets nobody in if the rule refuses the invitation, which stays open', async () => {
    const service = await closedApp({
      before: {
        signUp({ method }) {
          if (method === 'invitation') throw new RuleError('SHOP_CLOSED', { message: 'We open on Monday.' })
        },
      },
    })
    await invite(service)
    expect(refusalOf(await visitor(service).logInWith(grace))).toEqual(closed)
    expect(await rowsOf(service)).toMatchObject([{ acceptingUntil: null }])
  })
})

it('a provider that does not vouch for an invited address signs nobody up there', async () => {
  const service = await closedApp()
  const elsewhere = 'grace@example.com'
  await invite(service, elsewhere)
  expect(refusalOf(await visitor(service).logInWith({ ...grace, email: elsewhere }))).toEqual(closed)
  expect(await service.users.findByEmail(elsewhere)).toBeNull()
  expect(await rowsOf(service, elsewhere)).toHaveLength(1)
})

it('a provider adds nothing to an account that has proven its address: its owner accepts by the link', async () => {
  const service = await closedApp()
  await invite(service)
  await visitor(service).logInWith(grace)
  await service.app.accounts.invite({ email, roles: ['recruiter'] })
  expect((await visitor(service).logInWith({ ...grace, sub: 'g-2' })).statusCode).toBe(303)
  const user = await service.users.findByEmail(email)
  expect([user?.identityKeys.length, user?.roles]).toEqual([2, ['editor']])
  expect(await rowsOf(service)).toHaveLength(1)
})
