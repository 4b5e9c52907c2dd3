import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { password, type Service, startService } from '@fastify-accounts/test-support/client'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { buildSync } from 'esbuild'
import { secondFactor, tokens } from 'fastify-accounts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEmailCodeClient } from '../src/email-code.js'
import {
  type ClientOptions,
  createAccountsClient,
  type StoredTokens,
  type TokenStorage,
  type Tokens,
  unwrap,
} from '../src/index.js'
import { createProvidersClient } from '../src/providers.js'
import { createSecondFactorClient } from '../src/second-factor.js'
import { createTokensClient } from '../src/tokens.js'

const minute = 60_000

/** A storage that keeps JSON, as a device's does. Several clients of it are several processes. */
function device() {
  const kept: { json: string; saves: number } = { json: 'null', saves: 0 }
  const storage = (name?: string): TokenStorage => ({
    load: async () => JSON.parse(kept.json),
    async save(stored) {
      kept.saves += 1
      kept.json = JSON.stringify(stored)
    },
    ...(name && { name }),
  })
  return { kept, storage, stored: (): StoredTokens | null => JSON.parse(kept.json) }
}

interface Network {
  sent: { route: string; headers: Headers; init: RequestInit }[]
  /** Instead of the service's response, or before it. */
  meddle: ((route: string, real: () => Promise<Response>) => Promise<Response>) | undefined
  count(route: string): number
  fetch: typeof globalThis.fetch
}

/** A network that counts requests and may fail them. */
function network(): Network {
  const sent: Network['sent'] = []
  const net: Network = {
    sent,
    meddle: undefined,
    count: (route: string) => sent.filter((each) => each.route === route).length,
    async fetch(input, init = {}) {
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      const route = `${init.method ?? 'GET'} ${pathname}`
      sent.push({ route, headers: new Headers(init.headers), init })
      const real = () => fetch(input, init)
      return net.meddle === undefined ? real() : net.meddle(route, real)
    },
  }
  return net
}

/** A client as one process of a device has it. */
function appOf({ url }: Pick<Service, 'url'>, options: Partial<ClientOptions> = {}) {
  const net = network()
  const storage = options.tokens ?? device().storage()
  const app = { baseUrl: url, fetch: net.fetch, ...options, tokens: storage }
  const calls = { ...createSecondFactorClient(app), ...createEmailCodeClient(app) }
  return { net, client: { ...createAccountsClient(app), ...calls }, storage }
}

async function serviceWithAda(): Promise<Service> {
  const service = await startService()
  await service.app.accounts.createUser({ username: 'ada', password, isVerified: true })
  return service
}

/** A service with routes of its own. */
const startServiceWith = (addRoutes: (app: Service['app']) => void) => startService({}, addRoutes)

const logIn = { username: 'ada', password }
const refresh = 'POST /tokens/refresh/'
const loginRequired = { ok: false, error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } }

/** Lets the clocks of client and service run on. */
function later(milliseconds: number): void {
  if (!vi.isFakeTimers()) {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
  }
  vi.advanceTimersByTime(milliseconds)
}

describe('a login', () => {
  it('gives the app tokens, which the app keeps and the caller never sees', async () => {
    const { kept, storage, stored } = device()
    const { client, net } = appOf(await serviceWithAda(), { tokens: storage("Ada's \u{1f4f1} “Ü”") })
    const user = unwrap(await client.logIn(logIn))
    expect(user).toMatchObject({ username: 'ada' })
    expect(user).not.toHaveProperty('tokens')
    expect(stored()).toMatchObject({
      access: expect.stringMatching(/^fat_/),
      refresh: expect.stringMatching(/^far_/),
    })
    expect(kept.saves).toBe(1)
    expect(await client.showMe().then(unwrap)).toMatchObject({ username: 'ada' })
    expect(net.sent.at(-1)?.headers.get('authorization')).toBe(`Bearer ${stored()?.access}`)
    expect(net.sent.map(({ init }) => init.credentials)).toEqual(['omit', 'omit'])
    expect((await client.listSessions().then(unwrap)).results).toMatchObject([
      { current: true, name: "Ada's \u{1f4f1} “Ü”" },
    ])
  })

  it('with a second factor is completed in the app that began it, and remembered there after a logout', async () => {
    const service = await serviceWithAda()
    const { storage, stored } = device()
    const { client } = appOf(service, { tokens: storage() })
    await client.logIn(logIn).then(unwrap)
    const { recovery_codes } = await enroll(client)
    await client.logOut().then(unwrap)
    expect(stored()?.access).toBeUndefined()

    expect(await client.logIn(logIn)).toMatchObject({ error: { code: 'ACCOUNTS_SECOND_FACTOR_REQUIRED' } })
    const elsewhere = appOf(service)
    const code = { code: recovery_codes[0] ?? '', remember_device: true }
    expect(await elsewhere.client.logInWithSecondFactor(code)).toMatchObject({
      error: { code: 'ACCOUNTS_LOGIN_EXPIRED' },
    })
    // After a restart as well.
    const restarted = appOf(service, { tokens: storage() }).client
    expect(await restarted.logInWithSecondFactor(code).then(unwrap)).toMatchObject({ username: 'ada' })
    await restarted.logOut().then(unwrap)
    expect(stored()).toEqual({ state: expect.any(String) })
    expect(await restarted.logIn(logIn)).toMatchObject({ ok: true })
  })

  it('says so if the service has no tokens', async () => {
    const service = await startService({ features: [secondFactor()] })
    await service.app.accounts.createUser({ username: 'ada', password, isVerified: true })
    const { client } = appOf(service)
    expect(await client.logIn(logIn)).toMatchObject({
      error: {
        code: 'UNEXPECTED_RESPONSE',
        status: 200,
        message: expect.stringContaining('features: [tokens()]'),
      },
    })
  })
})

describe('a change after which the session goes on', () => {
  it('has the documented result, and new tokens', async () => {
    const { storage, stored } = device()
    const { client } = appOf(await serviceWithAda(), { tokens: storage() })
    await client.logIn(logIn).then(unwrap)
    const before = stored()
    expect(await client.confirm({ password })).toEqual({ ok: true, status: 204, data: undefined })
    expect(stored()?.access).not.toBe(before?.access)
    const change = {
      old_password: password,
      new_password: 'nine red balloons',
      confirm_password: 'nine red balloons',
    }
    expect(await client.changePassword(change)).toEqual({ ok: true, status: 204, data: undefined })
    expect(await client.showMe()).toMatchObject({ ok: true })
  })
})

describe('a response with an access token alone', () => {
  it('changes only that: the refresh token stays, until another login', async () => {
    const { storage, stored } = device()
    const { client, net } = appOf(await serviceWithAda(), { tokens: storage() })
    await client.logIn(logIn).then(unwrap)
    const before = stored()
    const alone = { access_token: 'fat_other', token_type: 'Bearer', expires_in: 900 }
    net.meddle = async (route, real) =>
      route === 'POST /confirm/' ? Response.json({ tokens: alone }) : real()
    expect(await client.confirm({ password })).toEqual({ ok: true, status: 204, data: undefined })
    expect(net.sent.at(-1)?.headers.get('accounts-refresh')).toBe(before?.refresh)
    expect(stored()).toMatchObject({ access: 'fat_other', refresh: before?.refresh, state: before?.state })
    // The service refuses that token, so the other one gets new ones.
    expect(await client.showMe()).toMatchObject({ ok: true })
    expect(net.sent.slice(-3).map(({ route }) => route)).toEqual(['GET /me/', refresh, 'GET /me/'])
  })

  it('that the service refuses is none if there is no refresh token', async () => {
    const { storage } = device()
    const { client, net } = appOf({ url: 'http://x.test' }, { tokens: storage() })
    await client.keepTokens({ access_token: 'fat_1', token_type: 'Bearer', expires_in: 900 })
    expect(await client.accessToken({ refused: 'fat_0' })).toBe('fat_1')
    expect(await client.accessToken({ refused: 'fat_1' })).toBeNull()
    expect(await client.accessToken()).toBeNull()
    expect(net.sent).toEqual([])
  })
})

describe('a service without refresh tokens', () => {
  it('gives one that lasts until a 401, which ends it, or until another one replaces it', async () => {
    const { app, url } = await startService({ features: [tokens({ refresh: false })] })
    const { id } = await app.accounts.createUser({ username: 'ada', password, isVerified: true })
    const { storage, stored } = device()
    const [one, other] = [appOf({ url }, { tokens: storage() }), appOf({ url }, { tokens: storage() })]
    // What is left of a time when there was one is never sent again.
    await storage().save({ access: 'fat_old', refresh: 'far_old' })
    await one.client.logIn(logIn).then(unwrap)
    const first = stored()
    expect([first?.access, first?.refresh]).toEqual([expect.stringMatching(/^fat_/), ''])
    expect(await other.client.accessToken()).toBe(first?.access)

    await one.client.confirm({ password }).then(unwrap)
    const change = {
      old_password: password,
      new_password: 'nine red balloons',
      confirm_password: 'nine red balloons',
    }
    await one.client.changePassword(change).then(unwrap)
    expect(stored()?.access).not.toBe(first?.access)
    // What another process has stored since is found, and not ended.
    expect(await other.client.showMe()).toMatchObject({ ok: true })
    expect(other.net.sent.map(({ route }) => route)).toEqual(['GET /me/', 'GET /me/'])

    await app.accounts.endUserSessions(id)
    expect(await one.client.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
    expect([await one.client.accessToken(), stored()]).toEqual([null, { state: expect.any(String) }])
    expect([one, other].map(({ net }) => net.count(refresh))).toEqual([0, 0])
  })
})

describe('a refresh', () => {
  it('happens once for all calls, before the token ends', async () => {
    const { storage, stored } = device()
    const { client, net } = appOf(await serviceWithAda(), { tokens: storage() })
    later(0)
    await client.logIn(logIn).then(unwrap)
    const first = stored()
    later(14 * minute)
    expect(await client.showMe()).toMatchObject({ ok: true })
    expect(net.count(refresh)).toBe(0)
    later(minute - 5_000)
    const calls = Array.from({ length: 20 }, (_, at) =>
      at % 5 ? client.showMe() : client.confirm({ password }),
    )
    expect((await Promise.all(calls)).filter(({ ok }) => !ok)).toEqual([])
    expect(net.count(refresh)).toBe(1)
    expect(stored()?.refresh).not.toBe(first?.refresh)
    // Neither tokens nor state follow a redirect, and no cookie goes along.
    expect(net.sent.filter(({ init }) => init.redirect !== 'error' || init.credentials !== 'omit')).toEqual(
      [],
    )
  })

  it('happens once for all calls whose token the service refuses, and each of them is repeated once', async () => {
    const { storage, stored, kept } = device()
    const service = await serviceWithAda()
    const { client } = appOf(service, { tokens: storage() })
    later(0)
    await client.logIn(logIn).then(unwrap)
    // The device's clock was set back meanwhile.
    kept.json = JSON.stringify({ ...stored(), until: Date.now() + 24 * 60 * minute })
    later(16 * minute)
    const restarted = appOf(service, { tokens: storage() })
    const results = await Promise.all(Array.from({ length: 10 }, () => restarted.client.showMe()))
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    expect(restarted.net.count(refresh)).toBe(1)
    expect(restarted.net.count('GET /me/')).toBe(20)
  })

  it('by another process of the device is used, and never overwritten', async () => {
    const service = await serviceWithAda()
    const { storage, stored } = device()
    const [one, other] = [appOf(service, { tokens: storage() }), appOf(service, { tokens: storage() })]
    later(0)
    await one.client.logIn(logIn).then(unwrap)
    later(15 * minute)
    expect(await other.client.showMe()).toMatchObject({ ok: true })
    expect(await one.client.showMe()).toMatchObject({ ok: true })
    expect([one.net.count(refresh), other.net.count(refresh)]).toEqual([0, 1])

    await other.client.confirm({ password }).then(unwrap)
    const newest = stored()
    // It still has the tokens before in memory, and saves a new state.
    await one.client.requestLoginCode({ email: 'ada@example.org' }).then(unwrap)
    expect(stored()).toEqual({ ...newest, state: expect.not.stringMatching(`^${newest?.state}$`) })
    expect(await one.client.showMe()).toMatchObject({ ok: true })
  })

  it('that two processes begin at once logs neither out', async () => {
    const service = await serviceWithAda()
    const { storage } = device()
    const apps = [appOf(service, { tokens: storage() }), appOf(service, { tokens: storage() })]
    later(0)
    await apps[0]?.client.logIn(logIn).then(unwrap)
    for (let round = 0; round < 3; round++) {
      later(15 * minute)
      const results = await Promise.all(apps.map(({ client }) => client.showMe()))
      expect(results.map(({ ok }) => ok)).toEqual([true, true])
    }
  })

  it('that lost a race is no end: the tokens of the other process are in the storage', async () => {
    const service = await serviceWithAda()
    const { storage, kept } = device()
    const { client, net } = appOf(service, { tokens: storage() })
    later(0)
    await client.logIn(logIn).then(unwrap)
    later(15 * minute)
    net.meddle = async (route, real) => {
      if (route !== refresh) return real()
      // The other one refreshes between our reading of the storage and our request.
      net.meddle = undefined
      const { client: other } = appOf(service, { tokens: storage() })
      await other.showMe().then(unwrap)
      return Response.json({ code: 'ACCOUNTS_LOGIN_REQUIRED', message: 'Log in.' }, { status: 401 })
    }
    expect(await client.showMe()).toMatchObject({ ok: true })
    expect(kept.json).toContain('fat_')
  })

  it.each<[string, () => Promise<Response>, string]>([
    ['no network', async () => Promise.reject(new TypeError('offline')), 'NETWORK_ERROR'],
    ['a store that is down', async () => error(503, 'ACCOUNTS_UNAVAILABLE'), 'ACCOUNTS_UNAVAILABLE'],
    ['a limit', async () => error(429, 'ACCOUNTS_THROTTLED'), 'ACCOUNTS_THROTTLED'],
    ["a hotel's page", async () => new Response('<h1>Log in</h1>', { status: 401 }), 'UNEXPECTED_RESPONSE'],
    ['a proxy that agrees to everything', async () => Response.json({}), 'UNEXPECTED_RESPONSE'],
  ])('that fails for %s ends nothing', async (_what, response, code) => {
    const { storage, stored } = device()
    const { client, net } = appOf(await serviceWithAda(), { tokens: storage() })
    later(0)
    await client.logIn(logIn).then(unwrap)
    const before = stored()
    later(15 * minute)
    net.meddle = (route, real) => (route === refresh ? response() : real())
    expect(await client.showMe()).toMatchObject({ error: { code } })
    await expect(client.accessToken()).rejects.toMatchObject({ code })
    expect(net.count('GET /me/')).toBe(0)
    expect(stored()).toEqual(before)
    net.meddle = undefined
    expect(await client.showMe()).toMatchObject({ ok: true })
  })

  it('whose response is lost is repeated', async () => {
    const { client, net } = appOf(await serviceWithAda())
    later(0)
    await client.logIn(logIn).then(unwrap)
    later(15 * minute)
    net.meddle = async (route, real) => {
      const response = await real()
      if (route === refresh) throw new TypeError('the tunnel')
      return response
    }
    expect(await client.showMe()).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
    net.meddle = undefined
    later(60 * minute)
    expect(await client.showMe()).toMatchObject({ ok: true })
  })

  describe('over its limit', () => {
    const second = 1000
    const kept = { access: 'fat_old', refresh: 'far_old', until: 0, state: 'known' }
    const fresh = {
      ...{ access_token: 'fat_new', token_type: 'Bearer', expires_in: 900 },
      ...{ refresh_token: 'far_new', refresh_expires_in: 86_400 },
    }
    const over = (seconds: number) =>
      Response.json(
        { code: 'ACCOUNTS_THROTTLED', message: 'Wait.' },
        { status: 429, headers: { 'retry-after': String(seconds) } },
      )

    /** A client whose clocks the test holds, and which answers each refresh with the next of these. */
    function held(...responses: (() => Response)[]) {
      vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const sent: string[] = []
      let stored: StoredTokens | null = kept
      const client = createAccountsClient({
        baseUrl: 'https://example.org',
        tokens: {
          load: () => stored,
          save(next) {
            stored = next
          },
        },
        async fetch(input, init = {}) {
          const route = `${init.method ?? 'GET'} ${new URL(String(input)).pathname}`
          sent.push(route)
          if (route === refresh) return responses.shift()?.() ?? error(500, 'TOO_MANY')
          return Response.json({ username: 'ada', ...(route === 'POST /login/' && { tokens: fresh }) })
        },
      })
      const refreshes = () => sent.filter((route) => route === refresh).length
      return { client, sent, refreshes, stored: () => stored }
    }

    it('waits as long as the service says, once for all calls, and keeps the tokens meanwhile', async () => {
      const { client, refreshes, stored, sent } = held(
        () => over(7),
        () => over(2),
        () => Response.json({ tokens: fresh }),
      )
      const calls = Promise.all(Array.from({ length: 5 }, () => client.showMe()))
      await vi.advanceTimersByTimeAsync(6.9 * second)
      expect([refreshes(), stored()]).toEqual([1, kept])
      await vi.advanceTimersByTimeAsync(0.2 * second)
      expect(refreshes()).toBe(2)
      await vi.advanceTimersByTimeAsync(2 * second)
      expect((await calls).map(({ ok }) => ok)).toEqual(Array(5).fill(true))
      expect([refreshes(), sent.length]).toEqual([3, 8])
      expect(stored()).toMatchObject({ access: 'fat_new', refresh: 'far_new', state: 'known' })
    })

    it('asks the service once and not again before the time, if that is too long to wait', async () => {
      const { client, refreshes, stored } = held(
        () => over(50),
        () => over(1_000_000),
        () => Response.json({ tokens: fresh }),
      )
      const limited = { ok: false, error: { code: 'ACCOUNTS_THROTTLED', status: 429 } }
      expect(await client.showMe()).toMatchObject(limited)
      expect(await client.showMe()).toMatchObject(limited)
      await expect(client.accessToken()).rejects.toMatchObject({ code: 'ACCOUNTS_THROTTLED' })
      expect([refreshes(), stored()]).toEqual([1, kept])
      await vi.advanceTimersByTimeAsync(51 * second)
      // However long a proxy may say, a minute is the most.
      expect(await client.showMe()).toMatchObject(limited)
      expect([refreshes(), stored()]).toEqual([2, kept])
      await vi.advanceTimersByTimeAsync(61 * second)
      expect(await client.showMe()).toMatchObject({ ok: true })
      expect(refreshes()).toBe(3)
    })

    it('waits at least a second, however little a proxy says, and not forever', async () => {
      const { client, refreshes } = held(...Array.from({ length: 60 }, () => () => over(1e-300)))
      const call = client.showMe()
      await vi.advanceTimersByTimeAsync(0.9 * second)
      expect(refreshes()).toBe(1)
      await vi.advanceTimersByTimeAsync(30 * second)
      expect(await call).toMatchObject({ ok: false, error: { code: 'ACCOUNTS_THROTTLED' } })
      expect(refreshes()).toBe(21)
    })

    it('a caller can stop waiting, and the refresh goes on for the others', async () => {
      const { client, refreshes } = held(
        () => over(9),
        () => Response.json({ tokens: fresh }),
      )
      const gone = new AbortController()
      const aborted = client.showMe({ signal: gone.signal }).catch(() => 'aborted')
      const other = client.showMe()
      await vi.advanceTimersByTimeAsync(second)
      gone.abort()
      expect(await aborted).toBe('aborted')
      await vi.advanceTimersByTimeAsync(9 * second)
      expect([(await other).ok, refreshes()]).toEqual([true, 2])
    })

    it('delays neither a login nor a logout', async () => {
      const { client, sent, stored } = held(() => over(50))
      expect((await client.showMe()).ok).toBe(false)
      expect(await client.logIn(logIn)).toMatchObject({ ok: true })
      expect(await client.showMe()).toMatchObject({ ok: true })
      const late = held(() => over(50))
      expect((await late.client.showMe()).ok).toBe(false)
      await late.client.logOut()
      expect(sent).toEqual([refresh, 'POST /login/', 'GET /me/'])
      expect(late.sent).toEqual([refresh, 'POST /logout/'])
      expect([stored()?.refresh, late.stored()]).toEqual(['far_new', { state: 'known' }])
    })
  })

  it('outlives the call that needed it', async () => {
    const { client, net } = appOf(await serviceWithAda())
    later(0)
    await client.logIn(logIn).then(unwrap)
    later(15 * minute)
    const controller = new AbortController()
    net.meddle = async (route, real) => {
      if (route === refresh) controller.abort(new Error('the screen is gone'))
      return real()
    }
    const others = client.showMe()
    await expect(client.showMe(controller)).rejects.toThrow('the screen is gone')
    expect(await others).toMatchObject({ ok: true })
    expect(net.count(refresh)).toBe(1)
  })

  it('finds out that the session is over', async () => {
    const service = await serviceWithAda()
    const { storage, stored } = device()
    const { client } = appOf(service, { tokens: storage() })
    const { id } = unwrap(await client.logIn(logIn))
    await service.app.accounts.deleteUser(id)
    expect(await client.showMe()).toMatchObject(loginRequired)
    expect(stored()?.access).toBeUndefined()
    expect(await client.accessToken()).toBeNull()
  })

  it('that takes too long changes nothing for who has logged in since', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const tokensOf = (name: string) => ({
      tokens: { access_token: name, refresh_token: `${name}'s`, expires_in: 900 },
    })
    let arrive: (response: Response) => void = () => {}
    const client = createAccountsClient({
      baseUrl: 'http://x.test',
      tokens: device().storage(),
      async fetch(input, { body, headers } = {}) {
        const { pathname } = new URL(String(input))
        if (pathname === '/tokens/refresh/') {
          return new Promise((resolve) => {
            arrive = resolve
          })
        }
        if (pathname === '/login/') return Response.json(tokensOf(JSON.parse(String(body)).username))
        if (pathname === '/logout/') throw new TypeError('offline')
        return Response.json({ username: new Headers(headers).get('authorization')?.slice(7) })
      },
    })
    await client.logIn(logIn).then(unwrap)
    vi.advanceTimersByTime(15 * minute)
    const slow = client.showMe()
    await vi.advanceTimersByTimeAsync(31_000)
    const leaving = client.logOut()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await leaving).toMatchObject({ ok: false })
    await client.logIn({ username: 'grace', password }).then(unwrap)
    arrive(Response.json(tokensOf('ada')))
    await vi.advanceTimersByTimeAsync(0)
    await slow
    expect(await client.showMe()).toMatchObject({ data: { username: 'grace' } })
  })
})

describe('a logout', () => {
  it('ends the session, and the tokens on the device', async () => {
    const service = await serviceWithAda()
    const { storage, stored } = device()
    const { client } = appOf(service, { tokens: storage() })
    await client.logIn(logIn).then(unwrap)
    const access = await client.accessToken()
    expect(await client.logOut()).toEqual({ ok: true, status: 204, data: undefined })
    expect(stored()?.access).toBeUndefined()
    const response = await fetch(`${service.url}/me/`, { headers: { authorization: `Bearer ${access}` } })
    expect(response.status).toBe(401)
  })

  it.each<[string, () => Promise<Response>]>([
    ['without a network', () => Promise.reject(new TypeError('offline'))],
    ['while the service is down', async () => error(503, 'ACCOUNTS_UNAVAILABLE')],
  ])('%s leaves no tokens on the device, whether they were due or not', async (_what, response) => {
    const { storage, stored } = device()
    const { client, net } = appOf(await serviceWithAda(), { tokens: storage() })
    later(0)
    for (const wait of [0, 15 * minute]) {
      await client.logIn(logIn).then(unwrap)
      later(wait)
      net.meddle = response
      expect(await client.logOut()).toMatchObject({ ok: false })
      expect(stored()?.access).toBeUndefined()
      expect(await client.accessToken()).toBeNull()
      net.meddle = undefined
    }
  })
})

describe('calls', () => {
  it('that change something go one after another, each with the state of the one before; others go at once', async () => {
    const running = { now: 0, most: 0, gets: 0 }
    const states: (string | null)[] = []
    let turn = 0
    const slow: typeof fetch = async (_input, init) => {
      if (init?.method === 'GET') {
        running.gets += 1
        await vi.waitFor(() => expect(running.gets).toBe(3), 60_000)
        return Response.json({})
      }
      running.now += 1
      running.most = Math.max(running.most, running.now)
      states.push(new Headers(init?.headers).get('accounts-state'))
      await new Promise((resolve) => setTimeout(resolve, 5))
      running.now -= 1
      turn += 1
      return Response.json({ detail: 'done' }, { status: 202, headers: { 'accounts-state': `s${turn}` } })
    }
    const client = createAccountsClient({ baseUrl: 'http://x.test', fetch: slow, tokens: device().storage() })
    const posts = [1, 2, 3].map(() => client.requestPasswordReset({ email: 'ada@example.org' }))
    const gets = [1, 2, 3].map(() => client.listRoutes())
    expect((await Promise.all([...posts, ...gets])).map(({ ok }) => ok)).toEqual(Array(6).fill(true))
    expect(running.most).toBe(1)
    expect(states).toEqual([null, 's1', 's2'])
  })

  it('an empty state clears it, and a response without one changes nothing', async () => {
    const { storage, stored } = device()
    const responses = [
      new Response(null, { status: 204, headers: { 'accounts-state': 'kept' } }),
      new Response(null, { status: 204 }),
      new Response(null, { status: 204, headers: { 'accounts-state': '' } }),
    ]
    const fetch = async () => responses.shift() ?? Promise.reject(new Error('one more'))
    const client = createAccountsClient({ baseUrl: 'http://x.test', fetch, tokens: storage() })
    for (const state of ['kept', 'kept', undefined]) {
      await client.endOtherSessions().then(unwrap)
      expect(stored()?.state).toBe(state)
    }
    expect(stored()).toBeNull()
  })

  it('leave the line when they are aborted, and are not kept waiting forever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const asked: string[] = []
    const hanging: typeof fetch = async (input) => {
      asked.push(String(input))
      return asked.length === 1 ? new Promise<Response>(() => {}) : new Response(null, { status: 204 })
    }
    const client = createAccountsClient({
      baseUrl: 'http://x.test',
      fetch: hanging,
      tokens: device().storage(),
    })
    void client.endSession('1')
    const controller = new AbortController()
    const second = client.endSession('2', controller)
    const third = client.endSession('3')
    await vi.waitFor(() => expect(asked).toHaveLength(1), 60_000)
    controller.abort(new Error('no longer needed'))
    await expect(second).rejects.toThrow('no longer needed')
    await vi.advanceTimersByTimeAsync(29_000)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await third).toMatchObject({ ok: true })
    expect(asked).toEqual(['http://x.test/sessions/1', 'http://x.test/sessions/3'])
  })

  it('of the client for other providers share tokens, refreshes and state with it', async () => {
    const service = await serviceWithAda()
    const { client, storage, net } = appOf(service)
    const providers = createProvidersClient({ baseUrl: service.url, fetch: net.fetch, tokens: storage })
    later(0)
    await client.logIn(logIn).then(unwrap)
    later(15 * minute)
    await Promise.all([client.showMe().then(unwrap), providers.listIdentities()])
    expect(net.count(refresh)).toBe(1)
    expect(net.sent.find(({ route }) => route === 'GET /identities/')?.headers.get('authorization')).toBe(
      `Bearer ${await client.accessToken()}`,
    )
  })
})

describe('fetch', () => {
  /** A service with two routes of its own. */
  async function withOrders(): Promise<Service> {
    const service = await startServiceWith((app) => {
      app.get('/orders', { onRequest: app.accounts.requireUser }, async (request) => ({
        of: app.accounts.userOf(request).username,
      }))
      app.post('/pin', { onRequest: app.accounts.requireUser }, async (request, reply) => {
        pins.push(request.body)
        return reply.code(401).send({ message: 'Wrong PIN.' })
      })
      app.get('/away', async (_request, reply) => reply.redirect('http://127.0.0.1:9/'))
    })
    await service.app.accounts.createUser({ username: 'ada', password, isVerified: true })
    return service
  }
  const pins: unknown[] = []

  it("sends the token to the app's own routes, refreshed as needed", async () => {
    const service = await withOrders()
    const { client, net, storage } = appOf(service)
    later(0)
    expect((await client.fetch('/orders')).status).toBe(401)
    await client.logIn(logIn).then(unwrap)
    for (const input of [
      '/orders',
      `${service.url}/orders`,
      new URL('/orders', service.url),
      new Request(`${service.url}/orders`),
    ]) {
      expect(await (await client.fetch(input)).json()).toEqual({ of: 'ada' })
    }
    later(15 * minute)
    expect((await client.fetch('/orders')).status).toBe(200)
    expect(net.count(refresh)).toBe(1)
    // A token that only the service knows to have ended.
    await storage.save({ ...(await storage.load()), until: Date.now() + 24 * 60 * minute })
    const { client: restarted, net: other } = appOf(service, { tokens: { ...storage } })
    later(16 * minute)
    const asked = new Request(`${service.url}/orders`, { headers: { 'x-mine': '1' } })
    expect((await restarted.fetch(asked)).status).toBe(200)
    expect(other.count(refresh)).toBe(1)
    expect(other.sent.at(-1)?.headers.get('x-mine')).toBe('1')
  })

  it('is not repeated for a 401 of the route itself', async () => {
    pins.length = 0
    const { client, net } = appOf(await withOrders())
    await client.logIn(logIn).then(unwrap)
    const response = await client.fetch('/pin', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"pin":1}',
    })
    expect([response.status, await response.json()]).toEqual([401, { message: 'Wrong PIN.' }])
    expect(pins).toEqual([{ pin: 1 }])
    expect(net.count(refresh)).toBe(0)
  })

  it.each([
    'https://evil.example/',
    'https://api.example.org.evil.example/',
    'https://api.example.org@evil.example/',
    'https://api.example.org:444/',
    'http://api.example.org/',
    'https://api.example.orgx/',
    'evil.example',
    '\\\\evil.example/',
    ' //evil.example/',
    '\t//evil.example/',
    'javascript:alert(1)',
  ])('never sends the token to another origin: %j', async (input) => {
    const asked: unknown[] = []
    const fetch = async (url: unknown) => {
      asked.push(url)
      return Response.json({})
    }
    const tokens: TokenStorage = { load: () => ({ access: 'fat_1', until: Date.now() + minute }), save() {} }
    const client = createAccountsClient({ baseUrl: 'https://api.example.org/accounts', fetch, tokens })
    await expect(client.fetch(input)).rejects.toThrow(TypeError)
    expect(asked).toEqual([])
  })

  it.each(['//evil.example/', '/\\evil.example/', '/\t/evil.example/', '/.//evil.example/'])(
    'takes %j for a path of its own origin',
    async (input) => {
      const asked: string[] = []
      const fetch = async (url: unknown) => {
        asked.push(new URL(String(url)).origin)
        return Response.json({})
      }
      const tokens = device().storage()
      const client = createAccountsClient({ baseUrl: 'https://api.example.org/accounts', fetch, tokens })
      await client.fetch(input)
      expect(asked).toEqual(['https://api.example.org'])
    },
  )

  it('needs an origin', async () => {
    for (const baseUrl of [undefined, '', '/accounts']) {
      const client = createAccountsClient({ ...(baseUrl && { baseUrl }), tokens: device().storage() })
      await expect(client.fetch('/orders')).rejects.toThrow(TypeError)
    }
  })

  it('follows no redirect', async () => {
    const { client } = appOf(await withOrders())
    await client.logIn(logIn).then(unwrap)
    await expect(client.fetch('/away')).rejects.toThrow(TypeError)
  })

  it('says why if the token can not be refreshed for now', async () => {
    const { client, net } = appOf(await withOrders())
    later(0)
    await client.logIn(logIn).then(unwrap)
    later(15 * minute)
    net.meddle = async () => error(503, 'ACCOUNTS_UNAVAILABLE')
    await expect(client.fetch('/orders')).rejects.toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
  })
})

describe('a login route of your own', () => {
  it('hands its tokens to the client', async () => {
    const service = await startServiceWith((app) => {
      app.post('/partner-login', async (request, reply) => {
        const user = await app.accounts.findUser({ username: 'ada' })
        return app.accounts.logIn(request, reply, user?.id ?? '')
      })
    })
    await service.app.accounts.createUser({ username: 'ada', password, isVerified: true })
    const { client } = appOf(service)
    const headers = { 'accounts-delivery': 'tokens' }
    const response = await client.fetch('/partner-login', { method: 'POST', headers })
    const { tokens } = (await response.json()) as { tokens: Tokens }
    await client.keepTokens(tokens)
    expect(await client.showMe()).toMatchObject({ data: { username: 'ada' } })
  })
})

describe('a storage', () => {
  it('that fails is reported, and no login is lost that it still has', async () => {
    const service = await serviceWithAda()
    const { storage, stored } = device()
    const broken = { load: false, save: false }
    const real = storage()
    const { client, net } = appOf(service, {
      tokens: {
        async load() {
          if (broken.load) throw new Error('locked')
          return real.load()
        },
        save: (next) => (broken.save ? Promise.reject(new Error('full')) : real.save(next)),
      },
    })
    broken.load = true
    const refused = await client.logIn(logIn)
    expect(refused).toMatchObject({ error: { code: 'STORAGE_FAILED', cause: { message: 'locked' } } })
    expect(net.sent).toEqual([])
    broken.load = false

    later(0)
    broken.save = true
    expect(await client.logIn(logIn)).toMatchObject({
      error: { code: 'STORAGE_FAILED', cause: { message: 'full' } },
    })
    expect(await client.accessToken()).toBeNull()
    broken.save = false
    await client.logIn(logIn).then(unwrap)

    const before = stored()
    later(15 * minute)
    broken.save = true
    expect(await client.showMe()).toMatchObject({ error: { code: 'STORAGE_FAILED' } })
    expect(stored()).toEqual(before)
    broken.save = false
    later(minute)
    expect(await client.showMe()).toMatchObject({ ok: true })
  })

  it.each(['load', 'save'] as const)('whose %s hangs is given up after half a minute', async (name) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const called = vi.fn(() => new Promise<null>(() => {}))
    const client = createAccountsClient({
      baseUrl: 'http://x.test',
      fetch: async () =>
        Response.json({ tokens: { access_token: 'fat_', refresh_token: 'far_', expires_in: 9 } }),
      tokens: { load: () => null, save() {}, [name]: called },
    })
    const result = client.logIn(logIn)
    await vi.waitFor(() => expect(called).toHaveBeenCalled(), 60_000)
    await vi.advanceTimersByTimeAsync(31_000)
    expect(await result).toMatchObject({
      ok: false,
      error: { code: 'STORAGE_FAILED' },
    })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('may be a plain variable', async () => {
    let kept: StoredTokens | null = null
    const tokens: TokenStorage = {
      load: () => kept,
      save(next) {
        kept = next
      },
    }
    const { client } = appOf(await serviceWithAda(), { tokens })
    await client.logIn(logIn).then(unwrap)
    expect(await client.showMe()).toMatchObject({ ok: true })
    expect(kept).toMatchObject({ access: expect.any(String) })
  })
})

describe('the routes of tokens', () => {
  it('can be called by programs that keep tokens themselves', async () => {
    const service = await serviceWithAda()
    const { storage, stored } = device()
    await appOf(service, { tokens: storage() }).client.logIn(logIn).then(unwrap)
    const client = createTokensClient({ baseUrl: service.url })
    const { tokens } = await client.refreshTokens({ refresh_token: stored()?.refresh ?? '' }).then(unwrap)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
    expect(await client.revokeToken({ token: tokens.refresh_token })).toMatchObject({ status: 200, data: {} })
    expect(await client.refreshTokens({ refresh_token: tokens.refresh_token })).toMatchObject(loginRequired)
  })
})

describe('a platform with fetch and timers alone', () => {
  /** As React Native's engine: neither the DOM nor Node.js, and URL and AbortSignal only in part. */
  const engine = (globals: object) => {
    const { outputFiles } = buildSync({
      stdin: {
        contents: "export * from './index.js'; export * from './users.js'",
        resolveDir: fileURLToPath(new URL('../src/', import.meta.url)),
      },
      bundle: true,
      format: 'iife',
      globalName: 'client',
      write: false,
    })
    const context = createContext({ Date, Headers, setTimeout, clearTimeout, ...globals })
    return runInContext(`${outputFiles[0]?.text}; client`, context) as typeof import('../src/index.js') &
      typeof import('../src/users.js')
  }

  it('is enough', async () => {
    const service = await startServiceWith((app) => {
      app.get('/orders', { onRequest: app.accounts.requireUser }, async () => ['tea'])
    })
    const { accounts } = service.app
    for (const username of ['ada', 'bob', 'cleo'])
      await accounts.createUser({ username, password, isVerified: true })
    const { fetch, sent } = network()
    later(0)
    const { createAccountsClient, createUsersClient } = engine({ fetch })
    const options = { baseUrl: service.url, tokens: device().storage('Tablet') }
    const [client, users] = [createAccountsClient(options), createUsersClient(options)]
    await client.logIn(logIn)
    later(15 * minute)
    const names: unknown[] = []
    for await (const { username } of users.users({ limit: 2, order: '-created_at' })) names.push(username)
    expect(names).toEqual(['cleo', 'bob', 'ada'])
    expect(await (await client.fetch('/orders')).json()).toEqual(['tea'])
    expect(sent.map(({ route }) => route)).toEqual([
      'POST /login/',
      refresh,
      'GET /user/',
      'GET /user/',
      'GET /orders',
    ])
  })

  it('rejects an aborted call with an error, although its signals have no reason', async () => {
    const gone = Object.assign(new EventTarget(), { aborted: true }) as AbortSignal
    const fetch = async () => Promise.reject(new Error('aborted'))
    const { createAccountsClient } = engine({ fetch })
    for (const tokens of [undefined, device().storage()]) {
      const client = createAccountsClient({ baseUrl: 'http://x.test', ...(tokens && { tokens }) })
      const thrown = await client.showMe({ signal: gone }).catch((error) => error)
      expect(String(thrown)).toBe('Error: aborted')
    }
  })
})

const error = (status: number, code: string) => Response.json({ code, message: code }, { status })

/** Turns a second factor on. */
async function enroll(client: ReturnType<typeof appOf>['client']) {
  const { token, secret } = await client.startTotp().then(unwrap)
  return client.confirmTotp({ token, code: codeOf(secret) }).then(unwrap)
}
