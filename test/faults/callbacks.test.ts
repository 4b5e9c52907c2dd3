import { goodPassword, logIn, signUp, testApp } from '@fastify-accounts/test-support/app'
import {
  type Accounts,
  type AccountsOptions,
  type Authorize,
  apiKeys,
  type BeforeRules,
  InvalidArgumentError,
  invitations,
  type MailKind,
  secondFactor,
} from 'fastify-accounts'
import type { Feature, FeatureCore } from 'fastify-accounts/features'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/** What a function of the host or of a feature can do instead of returning. */
const failures: Record<string, () => unknown> = {
  throws() {
    throw new Error('table tenants_17 is locked')
  },
  'throws what a store may throw': () => Promise.reject(new InvalidArgumentError('no such tenant')),
  rejects: () => Promise.reject(new Error('table tenants_17 is locked')),
  'never responds': () => new Promise(() => {}),
  'responds too late': () => new Promise((resolve) => setTimeout(resolve, 6000, true)),
}

const unavailable = [503, 'ACCOUNTS_UNAVAILABLE']

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => void vi.useRealTimers())

/** Lets everything happen that waits for no timer. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}

/** Advances the clock second by second. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    await turns()
  }
}

type Response = Awaited<ReturnType<Awaited<ReturnType<typeof testApp>>['send']>>

/** Sends a request that ends at a deadline at the latest. */
async function outcomeOf(request: PromiseLike<Response>): Promise<Response> {
  let response: Response | undefined
  void request.then((given) => {
    response = given
  })
  await turns()
  if (response === undefined) await pass(5)
  return response ?? expect.fail('no response at the deadline')
}

type Rule = readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object]

describe('a rule of authorize', () => {
  const rules: Record<keyof Authorize, Rule> = {
    createUser: [
      'POST',
      '/user/',
      { username: 'carol', password: goodPassword, confirm_password: goodPassword },
    ],
    listUsers: ['GET', '/user/?limit=5'],
    showUser: ['GET', '/user/?limit=5'],
    searchEmails: ['GET', '/user/?limit=5&search=bob'],
    searchFields: ['GET', '/user/?limit=5&search=bob&search_in=fields'],
    listDetails: ['GET', '/user/?limit=5&view=own'],
    showDetails: ['GET', '/user/{bob}'],
    manageUser: ['PATCH', '/user/{bob}', { is_active: false }],
    editUser: ['PATCH', '/user/{bob}', { username: 'carol' }],
    resetFactors: ['POST', '/user/{bob}/second-factor/reset/'],
    grantRights: ['PATCH', '/user/{bob}', { is_staff: true }],
    invite: ['GET', '/invitations/'],
    manageServices: ['GET', '/service/'],
    deleteUser: ['DELETE', '/user/{bob}'],
  }

  test.each(Object.entries(failures))(
    'FLT-19 that %s is a 503, never a yes or a no, and does nothing',
    async (_, fails) => {
      let broken: string | undefined
      const authorize = Object.fromEntries(
        Object.keys(rules).map((name) => [name, () => (name === broken ? fails() : true)]),
      ) as Partial<Authorize>
      const fields = { type: 'object', properties: { company: { type: 'string' } } } as const
      const users = { fields, searchFields: ['company'] }
      const features = [secondFactor(), apiKeys({ scopes: ['orders:read'] }), invitations()]
      const service = await testApp({ users, authorize, features })
      await signUp(service, 'alice')
      const bob = await signUp(service, 'bob')
      const headers = { cookie: await logIn(service) }
      for (const [name, [method, path, body]] of Object.entries(rules) as [
        string,
        [string, string, object?],
      ][]) {
        const send = () =>
          service.send(method, path.replace('{bob}', bob.id), body, {
            headers,
            remoteAddress: '192.0.2.1',
          })
        broken = name
        const response = await outcomeOf(send())
        expect([name, response.statusCode, response.json().code]).toEqual([name, ...unavailable])
        expect([response.headers['retry-after'], response.body.includes('tenant')]).toEqual(['5', false])
        await pass(2)
        expect(await service.users.findById(bob.id)).toMatchObject({ username: 'bob', isActive: true })
        expect(await service.users.findByUsername('carol')).toBeNull()
      }
      broken = undefined
      for (const [name, [method, path]] of Object.entries<Rule>(rules)) {
        if (method !== 'GET') continue
        const url = path.replace('{bob}', bob.id)
        const { statusCode } = await service.send(method, url, undefined, { headers })
        expect([name, statusCode]).toEqual([name, 200])
      }
    },
  )
})

describe('a rule of before', () => {
  const requests: Record<keyof BeforeRules, Rule> = {
    signUp: ['POST', '/user/', { username: 'carol', password: goodPassword, confirm_password: goodPassword }],
    logIn: ['POST', '/login/', { username: 'alice', password: goodPassword }],
    changeEmail: ['POST', '/change-email/', { email: 'alicia@example.org' }],
  }

  test.each(Object.entries(failures))(
    'FLT-19 that %s is a 503, never a yes or a no, and does nothing',
    async (_, fails) => {
      let broken: string | undefined
      let calls = 0
      const ask = (name: string) => {
        if (name !== broken) return undefined
        calls += 1
        return fails() as undefined
      }
      const before = {
        signUp: () => ask('signUp'),
        logIn: () => ask('logIn'),
        changeEmail: () => ask('changeEmail'),
      }
      const service = await testApp({ before })
      await signUp(service, 'alice', { email: 'alice@example.org' })
      const headers = { cookie: await logIn(service) }
      const lastLoginAt = (await service.users.findByUsername('alice'))?.lastLoginAt
      service.mails.length = 0
      const sessions = service.sessions.rows.size
      for (const [name, [method, path, body]] of Object.entries(requests)) {
        broken = name
        const earlier = calls
        const sent = service
          .send(method, path, body, name === 'logIn' ? {} : { headers })
          .then((each) => each)
        // A password is verified first, which waits for no timer.
        while (calls === earlier) await turns()
        const response = await outcomeOf(sent)
        expect([name, response.statusCode, response.json().code]).toEqual([name, ...unavailable])
        expect([response.headers['retry-after'], response.body.includes('tenant')]).toEqual(['5', false])
        await pass(2)
      }
      expect(await service.users.findByUsername('carol')).toBeNull()
      expect(await service.users.findByUsername('alice')).toMatchObject({ lastLoginAt })
      expect([service.sessions.rows.size, service.mails]).toEqual([sessions, []])
      broken = undefined
      for (const [name, [method, path, body]] of Object.entries(requests)) {
        const { statusCode } = await service.send(method, path, body, name === 'logIn' ? {} : { headers })
        expect([name, statusCode < 300]).toEqual([name, true])
      }
    },
  )
})

describe('who must have a second factor', () => {
  test.each(Object.entries(failures))(
    'FLT-21 if the rule %s, every route that asks it is a 503',
    async (_, fails) => {
      let broken = false
      const service = await testApp(
        { features: [secondFactor({ requiredFor: () => (broken ? (fails() as boolean) : false) })] },
        {
          before: (app) => {
            const onRequest: Accounts['requireUser'] = (request, reply) =>
              app.accounts.requireUser(request, reply)
            app.get('/own', { onRequest }, async () => ({}))
          },
        },
      )
      await signUp(service)
      const headers = { cookie: await logIn(service) }
      const get = (url: string) => service.send('GET', url, undefined, { headers })
      for (const url of ['/user/?limit=1', '/second-factor/', '/own']) {
        broken = true
        const response = await outcomeOf(get(url))
        expect([url, response.statusCode, response.json().code]).toEqual([url, ...unavailable])
        broken = false
        expect([url, (await get(url)).statusCode]).toEqual([url, 200])
      }
    },
  )
})

describe('an email', () => {
  const texts = { subject: 'Odd', preheader: '', before: ['Odd.'], reason: 'Odd.' }
  const emails = { 'odd-wanted': texts, 'odd-facts': texts }

  /** An app with two more kinds of email, whose functions call `ask`. */
  async function start(ask: () => unknown, more: Partial<AccountsOptions> = {}) {
    let core: FeatureCore | undefined
    const odd = {
      name: 'odd',
      texts: { en: { emails }, de: { emails }, fr: { emails } },
      mails: {
        'odd-wanted': { isWanted: ask },
        'odd-facts': {
          facts: async (_: unknown, { user }: { user: unknown }) =>
            (await ask()) === true ? { user, facts: {} } : null,
        },
      },
      routes(given: FeatureCore) {
        core = given
        return {}
      },
    } as unknown as Feature
    const service = await testApp({ features: [odd], ...more })
    await service.app.accounts.createUser({
      username: 'ada',
      password: goodPassword,
      email: 'ada@example.org',
    })
    const failed: string[] = []
    service.app.accounts.events.on('mail-failed', ({ kind }) => failed.push(kind))
    const post = (kind: string) => {
      const office = core?.postOffice ?? expect.fail('no routes were made')
      return office.post(office.toOwner(kind as MailKind, 'ada@example.org'))
    }
    const kinds = () => service.mails.map(({ kind }) => kind as string)
    return {
      ...service,
      failed,
      post,
      kinds,
      forgot: () => service.send('POST', '/forgot/', { email: 'ada@example.org' }),
    }
  }

  test.each(Object.entries(failures))(
    'FLT-20 whose function %s is postponed, and sent once',
    async (_, fails) => {
      for (const kind of Object.keys(emails)) {
        let calls = 0
        const { post, kinds, failed } = await start(() => {
          calls += 1
          return calls === 1 ? fails() : true
        })
        await post(kind)
        await pass(40)
        expect([kind, calls, kinds(), failed]).toEqual([kind, 2, [kind], []])
      }
    },
  )

  test.each(Object.entries(failures))(
    'FLT-20 whose own template %s is postponed, and sent once',
    async (_, fails) => {
      let calls = 0
      const { forgot, kinds, failed } = await start(() => true, {
        emails: {
          'reset-password': (facts, shipped) => {
            calls += 1
            return calls === 1 ? (fails() as never) : shipped(facts)
          },
        },
      })
      await forgot()
      await pass(40)
      expect([calls, kinds(), failed]).toEqual([2, ['reset-password'], []])
    },
  )

  test.each(Object.entries(failures))(
    'FLT-20 of the app’s own, whose template %s, is postponed, and sent once',
    async (_, fails) => {
      let calls = 0
      const { app, users, kinds, failed } = await start(() => true, {
        ownEmails: {
          welcome: () => {
            calls += 1
            return calls === 1 ? (fails() as never) : { subject: 'x', text: 'x', html: 'x' }
          },
        },
      })
      const ada = await users.findByEmail('ada@example.org')
      expect(await app.accounts.mail('welcome', ada?.id ?? '')).toBe(true)
      await pass(40)
      expect([calls, kinds(), failed]).toEqual([2, ['welcome'], []])
    },
  )

  test('FLT-20 that no function ever resolves for is given up like any other, and holds up others for one deadline', async () => {
    let asked = 0
    const { app, post, kinds, failed, forgot } = await start(() => {
      asked += 1
      return new Promise(() => {})
    })
    for (let count = 0; count < 5; count += 1) await post(count % 2 === 0 ? 'odd-wanted' : 'odd-facts')
    await turns()
    expect(asked).toBe(5)
    await pass(2)
    expect((await app.accounts.check()).outbox).toMatchObject({ state: 'ok', underWay: 5, oldestMs: 2000 })
    await forgot()
    await pass(2)
    expect(kinds()).toEqual([])
    await pass(1)
    expect(kinds()).toEqual(['reset-password'])
    await pass(40)
    expect(failed.toSorted()).toEqual(['odd-facts', 'odd-facts', 'odd-wanted', 'odd-wanted', 'odd-wanted'])
    expect((await app.accounts.check()).outbox).toMatchObject({ waiting: 0, underWay: 0, oldestMs: 0 })
  })
})
