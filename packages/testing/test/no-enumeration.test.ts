import { setTimeout as sleep } from 'node:timers/promises'
import {
  cheapHasher,
  goodPassword,
  outbox,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountsOptions, type Mailer, RuleError } from 'fastify-accounts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  assertNoEnumeration,
  type CountingHasher,
  countHashes,
  type Enquirer,
  holdMails,
} from '../src/index.js'

const account = { username: 'alice', email: 'alice@example.org' }
const disabled = { username: 'bob', email: 'bob@example.org' }
const unverified = { username: 'carol', email: 'carol@example.org' }
const paths = { create: '/signup/', resend: '/signup/v/' }

/** An app with accounts in three states, and the arguments for the check. */
async function scene(
  change: (service: TestApp) => unknown = () => {},
  before?: (app: FastifyInstance) => unknown,
  own: Partial<AccountsOptions> = {},
) {
  const hasher = countHashes(cheapHasher())
  const mailer = holdMails(outbox())
  const service = await testApp(
    { requireEmailConfirmation: true, passwordHasher: hasher, mailer, ...own },
    before ? { before } : {},
  )
  for (const { username, email } of [account, disabled, unverified]) {
    const { id } = await signUp(service, username, { email })
    await service.app.accounts.updateUser(id, {
      isVerified: username !== 'carol',
      isActive: username !== 'bob',
    })
  }
  await change(service)
  return { app: service.app, options: { account, others: [disabled, unverified], paths, hasher, mailer } }
}

describe('assertNoEnumeration', () => {
  it('finds nothing in the plugin itself', async () => {
    const { app, options } = await scene()
    const { compared, secondRequests } = await assertNoEnumeration(app, options)
    const requests = ['account 1', 'account 2', 'account 3', 'nobody']
    const addresses = ['address 1', 'address 2', 'address 3', 'no address']
    expect(compared).toEqual([
      { path: '/login/', status: 401, requests: [...requests, ...addresses], hashes: 1 },
      { path: '/forgot/', status: 202, requests, hashes: 0 },
      { path: '/signup/v/', status: 202, requests, hashes: 0 },
      { path: '/signup/', status: 202, requests, hashes: 1 },
    ])
    expect(secondRequests).toEqual([
      { request: 'sign up', path: '/signup/', status: 202, hashes: 1 },
      { request: 'log in by name', path: '/login/', status: 403, hashes: 1 },
      { request: 'log in by name, in the same browser', path: '/login/', status: 403, hashes: 1 },
      { request: 'log in by name with a wrong password', path: '/login/', status: 401, hashes: 1 },
      { request: 'sign up with the same name', path: '/signup/', status: 409, hashes: 1 },
      { request: 'sign up with the same address', path: '/signup/', status: 202, hashes: 1 },
      { request: 'log in by the other name', path: '/login/', status: 403, hashes: 1 },
      {
        request: 'sign up with the same address, in the same browser',
        ...{ path: '/signup/', status: 202, hashes: 1 },
      },
      {
        request: 'log in by the newest name, in the same browser',
        ...{ path: '/login/', status: 403, hashes: 1 },
      },
      { request: 'log in by address', path: '/login/', status: 401, hashes: 1 },
      { request: 'log in by address, in the same browser', path: '/login/', status: 401, hashes: 1 },
      { request: 'request an email, in the same browser', path: '/forgot/', status: 202, hashes: 0 },
      { request: 'request an email, in the same browser', path: '/signup/v/', status: 202, hashes: 0 },
      { request: 'sign up with the address as the name', path: '/signup/', status: 202, hashes: 1 },
      { request: 'log in by that name', path: '/login/', status: 401, hashes: 1 },
    ])
  })

  it.each<[string, Partial<AccountsOptions>, number]>([
    ['users log in by name only', { login: { by: ['username'] } }, 403],
    ['users log in by address only', { login: { by: ['email'] } }, 401],
    ['accounts may have names', { users: { names: 'optional' } }, 403],
    ['few attempts are allowed, and none is left over', { throttle: {} }, 403],
  ])('finds nothing if %s', async (_what, own, byName) => {
    const { app, options } = await scene(undefined, undefined, own)
    const { secondRequests } = await assertNoEnumeration(app, options)
    const statusOf = (request: string) => secondRequests.find((each) => each.request === request)?.status
    expect(['log in by name', 'log in by address', 'log in by that name'].map(statusOf)).toEqual([
      byName,
      401,
      401,
    ])
  })

  it('finds nothing if accounts have no names', async () => {
    const hasher = countHashes(cheapHasher())
    const mailer = holdMails(outbox())
    const { app } = await testApp({
      requireEmailConfirmation: true,
      passwordHasher: hasher,
      mailer,
      users: { names: 'none' },
    })
    const [alice, bob] = ['alice@example.org', 'bob@example.org'].map((email) => ({ email }))
    if (alice === undefined || bob === undefined) throw new Error('no accounts')
    await app.accounts.createUser({ ...alice, password: goodPassword, isVerified: true })
    await app.accounts.createUser({ ...bob, password: goodPassword })
    const options = { account: alice, others: [bob], paths, hasher, mailer }
    const { compared, secondRequests } = await assertNoEnumeration(app, options)
    const requests = ['account 1', 'account 2', 'nobody']
    expect(compared).toEqual([
      {
        path: '/login/',
        status: 401,
        requests: ['nobody', 'address 1', 'address 2', 'no address'],
        hashes: 1,
      },
      { path: '/forgot/', status: 202, requests, hashes: 0 },
      { path: '/signup/v/', status: 202, requests, hashes: 0 },
      { path: '/signup/', status: 202, requests, hashes: 1 },
    ])
    expect(secondRequests.map(({ request, status }) => [request, status])).toEqual([
      ['sign up', 202],
      ['sign up with the same address', 202],
      ['log in by address', 401],
      ['log in by address, in the same browser', 401],
      ['request an email, in the same browser', 202],
      ['request an email, in the same browser', 202],
    ])
  })

  it('finds nothing with a slow rule that grants roles and reads what only a sign-up carries', async () => {
    const carried: unknown[] = []
    const { app, options } = await scene(undefined, undefined, {
      signUp: { fields: { type: 'object', properties: { captcha: { type: 'string' } } } },
      before: {
        async signUp({ transient }) {
          await sleep(5)
          carried.push(transient.captcha)
          return { roles: ['editor'] }
        },
      },
    })
    const { compared } = await assertNoEnumeration(app, { ...options, fields: { captcha: 'solved' } })
    expect(compared.at(-1)).toMatchObject({ path: '/signup/', status: 202, hashes: 1 })
    expect(new Set(carried.slice(3))).toEqual(new Set(['solved']))
  })

  it('finds a rule that looks up the address itself', async () => {
    let app: FastifyInstance | undefined
    const looking = await scene(undefined, undefined, {
      before: {
        async signUp({ email }) {
          const user = email === null ? null : await app?.accounts.findUser({ email })
          if (user) throw new RuleError('SHOP_KNOWN', { message: 'You have an account.' })
        },
      },
    })
    app = looking.app
    await expect(assertNoEnumeration(looking.app, looking.options)).rejects.toThrow(
      '/signup/ tells "account 1" from "nobody" by status: 403 and 202',
    )
  })

  it('finds what the app’s own code tells about a sign-up', async () => {
    const hinting = await scene(undefined, (app) =>
      app.addHook('preHandler', async (request, reply) => {
        const { username = '' } = (request.body ?? {}) as { username?: string }
        const user = request.url === '/login/' && (await app.accounts.findUser({ username }))
        if (user && !user.isVerified) reply.header('x-hint', 'confirm your address')
      }),
    )
    await expect(assertNoEnumeration(hinting.app, { ...hinting.options, others: [] })).rejects.toThrow(
      '/login/ tells "account 1" from "nobody" once somebody has signed up (log in by name) by headers',
    )
    // A store that drops what the plugin keeps of a sign-up.
    const dropping = await scene(({ users }) => {
      const { create } = users
      users.create = async (user) =>
        user.kind === 'unclaimed' ? { ...user, id: 'nobody', version: 1 } : create(user)
    })
    await expect(assertNoEnumeration(dropping.app, dropping.options)).rejects.toThrow(
      '/login/ tells "account 1" from "nobody" once somebody has signed up (log in by name) by status: 401 and 403',
    )
  })

  it('also compares what it is told to ask', async () => {
    const { app, options } = await scene(undefined, (app) => {
      app.post('/greet', async (request) => {
        const { username = '', email = '' } = request.body as { username?: string; email?: string }
        return { hello: username, at: email, to: email.includes('alice') ? 'a customer' : 'you' }
      })
    })
    const greet = (body: 'username' | 'email') => ({
      ...options,
      alsoAsk: async ({ ask, ...enquirer }: Enquirer) => {
        const { statusCode } = await ask('greet', '/greet', { [body]: enquirer[body] })
        expect(statusCode).toBe(200)
      },
    })
    const { secondRequests } = await assertNoEnumeration(app, greet('username'))
    expect(secondRequests.at(-1)).toEqual({ request: 'greet', path: '/greet', status: 200, hashes: 0 })
    await expect(assertNoEnumeration(app, greet('email'))).rejects.toThrow('(greet) by body')
  })

  it('compares times if asked to', async () => {
    const { app, options } = await scene()
    const { medians } = await assertNoEnumeration(app, { ...options, timing: { rounds: 5, tolerance: 1 } })
    expect(medians.map(({ path }) => path)).toEqual(['/login/', '/forgot/', '/signup/v/', '/signup/'])
    expect(Object.keys(medians[0]?.milliseconds ?? {})).toHaveLength(8)
  })

  it.each<[string, (service: TestApp) => unknown, string]>([
    [
      'a store that is slow for those who are there',
      ({ users }) => {
        const { findByEmail } = users
        users.findByEmail = async (key) => {
          const user = await findByEmail(key)
          if (user) await sleep(1000)
          return user
        }
      },
      '1" by time',
    ],
    [
      'a store that fails for those who are there',
      ({ users }) => {
        const { findByUsername } = users
        users.findByUsername = async (key) => {
          const user = await findByUsername(key)
          if (user) throw new Error('too many rows')
          return user
        }
      },
      '/login/ tells "account 1" from "nobody" by status: 503 and 401',
    ],
  ])('finds %s', async (_what, change, message) => {
    const { app, options } = await scene(change)
    const check = assertNoEnumeration(app, {
      ...options,
      others: [],
      paths: {},
      // A margin that even a busy machine doesn't reach.
      timing: { rounds: 5, tolerance: 0.95 },
    })
    await expect(check).rejects.toThrow(message)
  })

  /** An app with a hook of the host that only reacts to one address or name. */
  const helpful = (help: (request: FastifyRequest, reply: FastifyReply, mailer: Mailer) => unknown) => {
    const mailer = holdMails(outbox())
    return scene(
      () => {},
      (app) =>
        app.addHook('preHandler', async (request, reply) => {
          if (JSON.stringify(request.body ?? '').includes('alice')) await help(request, reply, mailer)
        }),
    ).then(({ app, options }) => ({ app, options: { ...options, mailer } }))
  }

  it('finds a hook that adds a header, and one that responds differently', async () => {
    const header = await helpful((_request, reply) => void reply.header('x-hint', '1'))
    await expect(assertNoEnumeration(header.app, header.options)).rejects.toThrow('by headers')
    const body = await helpful((request, reply) => {
      if (request.url !== '/forgot/') return
      reply.code(202).header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
      void reply.send({ detail: 'The link is on its way.' })
    })
    await expect(assertNoEnumeration(body.app, body.options)).rejects.toThrow('by body')
  })

  it('finds an extra hash', async () => {
    let hasher: CountingHasher | undefined
    const { app, options } = await helpful(() => hasher?.hash(goodPassword))
    hasher = options.hasher
    await expect(assertNoEnumeration(app, options)).rejects.toThrow('by hashes: 2 and 1')
  })

  it('finds a response that waits for the mailer', async () => {
    const mail = { to: { name: '', address: 'alice@example.org' }, subject: '', text: '', html: '' }
    const { app, options } = await helpful((_request, _reply, mailer) =>
      mailer.send({ id: 'an-id', userId: null, ...mail, kind: 'reset-password' }),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const check = assertNoEnumeration(app, { ...options, paths: { login: false } })
    const outcome = expect(check).rejects.toThrow('/forgot/ does not respond for "account 1"')
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
  })

  /** Tells by the address whether somebody has it, before the plugin responds or after. */
  const isTaken = ({ body }: FastifyRequest) =>
    [account, disabled, unverified].some(
      ({ email }) => (body as { email?: string } | undefined)?.email === email,
    )

  it('finds the value of a header, and lets those vary that are other for everybody', async () => {
    let requests = 0
    const told = (value: (request: FastifyRequest) => string) => (app: FastifyInstance) =>
      app.addHook('onSend', async (request, reply) => {
        requests += 1
        reply.headers({ 'x-request-id': `${requests}`, 'x-hint': value(request) })
      })
    const fine = await scene(
      undefined,
      told(() => 'none'),
    )
    await assertNoEnumeration(fine.app, fine.options)
    const { app, options } = await scene(
      undefined,
      told((request) => (isTaken(request) ? 'known' : 'none')),
    )
    await expect(assertNoEnumeration(app, options)).rejects.toThrow(
      '/forgot/ tells "account 1" from "nobody" by headers: ',
    )
  })

  it('finds by how many seconds a cookie lasts', async () => {
    const { app, options } = await scene(undefined, (host) =>
      host.addHook('onSend', async (request, reply) => {
        reply.header('set-cookie', `seen=1; Max-Age=${isTaken(request) ? 31 : 32}`)
      }),
    )
    await expect(assertNoEnumeration(app, options)).rejects.toThrow(
      '/forgot/ tells "account 1" from "nobody" by headers: ',
    )
  })

  it('finds what two requests at once tell', async () => {
    const underWay = new Map<string, () => void>()
    const { app, options } = await scene(undefined, (host) =>
      host.addHook('preHandler', async (request, reply) => {
        const { email } = (request.body ?? {}) as { email?: string }
        if (request.url !== '/signup/' || email === undefined || isTaken(request)) return
        const first = underWay.get(email)
        if (first !== undefined) {
          first()
          return reply.code(409).send({ statusCode: 409 })
        }
        // Until the second has come; a sign-up on its own isn't followed by one.
        const second = new Promise<void>((resolve) => underWay.set(email, resolve))
        await Promise.race([second, sleep(1_000)])
        underWay.delete(email)
      }),
    )
    await expect(assertNoEnumeration(app, options)).rejects.toThrow(
      '/signup/ (twice at once) tells "account 1" from "nobody" by status: ',
    )
  })

  it('finds that only one of two requests at once gets a header', async () => {
    const requests: string[] = []
    const { app, options } = await scene(undefined, (host) =>
      host.addHook('onSend', async (request, reply) => {
        if (request.url !== '/forgot/') return
        const { email = '' } = request.body as { email?: string }
        requests.push(email)
        const isSecond = requests.filter((each) => each === email).length > 2
        if (!isTaken(request) || !isSecond) reply.header('set-cookie', 'seen=1')
      }),
    )
    await expect(assertNoEnumeration(app, options)).rejects.toThrow(
      '/forgot/ (twice at once) tells "account 1" from "nobody" by headers: ',
    )
  })

  it('finds what refused sign-ups tell, as by rows of the app', async () => {
    const signUp = {
      signUp: { fields: { type: 'object', properties: { team: { type: 'string' } } } },
    } as const
    const refuse = {
      before: {
        signUp: ({ transient }: { transient: object }) => {
          if ('team' in transient) throw new RuleError('NO_TEAM', { message: 'There is no such team.' })
        },
      },
    }
    const fine = await scene(undefined, undefined, { ...signUp, ...refuse })
    const refusedFields = [{ team: 'gone' }]
    await assertNoEnumeration(fine.app, { ...fine.options, refusedFields })
    // Runs only where a user is made.
    const { app, options } = await scene(
      undefined,
      (host) =>
        host.addHook('preHandler', async (request, reply) => {
          if ('team' in Object(request.body) && !isTaken(request))
            return reply.code(409).send({ statusCode: 409 })
        }),
      signUp,
    )
    await expect(assertNoEnumeration(app, { ...options, refusedFields })).rejects.toThrow(
      '/signup/ tells "account 1" from "nobody" by status: ',
    )
  })

  it('finds what a change of address and the callback of a provider tell', async () => {
    let isTelling = false
    const { app, options } = await scene(undefined, (host) =>
      host.addHook('preHandler', async (request, reply) => {
        if (isTelling && request.url === '/change-email/' && isTaken(request))
          return reply.code(409).send({ statusCode: 409 })
      }),
    )
    await app.accounts.createUser({ username: 'dave', password: goodPassword, isVerified: true })
    const login = await app.inject({
      method: 'POST',
      url: '/login/',
      payload: { username: 'dave', password: goodPassword },
    })
    const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const alsoCompare = {
      'change of address': (email: string) =>
        app.inject({ method: 'POST', url: '/change-email/', payload: { email }, headers: { cookie } }),
    }
    await assertNoEnumeration(app, { ...options, alsoCompare })
    isTelling = true
    await expect(assertNoEnumeration(app, { ...options, paths: {}, alsoCompare })).rejects.toThrow(
      'change of address tells "account 1" from "nobody" by status: ',
    )
  })

  it('fails if nothing was compared', async () => {
    const { app, options } = await scene()
    const typo = { ...options, account: { username: 'alcie', email: 'alcie@example.org' } }
    await expect(assertNoEnumeration(app, typo)).rejects.toThrow('no reset link came for alcie@example.org')
    const closed = await testApp({ requireEmailConfirmation: true, authorize: { createUser: () => false } })
    const outcome = assertNoEnumeration(closed.app, { account, paths })
    await expect(outcome).rejects.toThrow('/signup/ returns 403 to all, not 202')
  })

  it('reports a missing route, or interference by a rate limit', async () => {
    const { app, options } = await scene()
    await expect(assertNoEnumeration(app, { ...options, paths: { login: '/nowhere/' } })).rejects.toThrow(
      '/nowhere/ is not mounted; set paths to where it is',
    )
    const elsewhere = (email: string) => app.inject({ method: 'POST', url: '/nowhere/', payload: { email } })
    await expect(
      assertNoEnumeration(app, { account, paths: {}, alsoCompare: { invite: elsewhere } }),
    ).rejects.toThrow('invite returns 404 to all; is there such a route?')
    const alsoAsk = async ({ email, ask }: Enquirer) => void (await ask('invite', '/nowhere/', { email }))
    await expect(assertNoEnumeration(app, { ...options, alsoAsk })).rejects.toThrow(
      '/nowhere/ (invite) returns 404 to all; is there such a route?',
    )
    const limited = await testApp({ throttle: { limits: { loginAccount: { max: 1, window: 60_000 } } } })
    await signUp(limited)
    const once = { account, paths: { forgot: false } } as const
    await assertNoEnumeration(limited.app, once)
    await expect(assertNoEnumeration(limited.app, once)).rejects.toThrow('/login/ is throttled')
  })
})
