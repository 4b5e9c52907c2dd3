import {
  as,
  cookieOf,
  goodPassword,
  logIn,
  secret as older,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import type { AuditEvent, Session, SessionStore } from 'fastify-accounts'
import { afterAll, expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import type { RefreshErrand, RefreshOutcome } from './refresh-process.js'
import type { Scene, Service } from './service.js'
import { callsOf } from './store-calls.js'
import {
  type App,
  appAt,
  appOf,
  canRefresh,
  day,
  isIn,
  minute,
  password,
  patient,
  whoHas,
  withTokens,
} from './token-clients.js'

const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'
const second = 1000
const hour = 60 * minute

const databases = {
  on: ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'],
  because: 'another process needs a database',
} as const

let processes: Promise<Processes<'refresh', RefreshErrand>> | undefined
afterAll(async () => (await processes)?.stop())

/** What another process needs for refreshes with this token. */
function errand({ place, prefix }: Scene, { tokens }: App, count: number): RefreshErrand {
  if (place === undefined) throw new Error('another process needs a database')
  return { place, ...(prefix && { prefix }), token: tokens.refresh_token ?? '', count }
}

const start = (count: number) =>
  startProcesses<'refresh' | 'die', RefreshErrand>(new URL('refresh-process.ts', import.meta.url), count)

cases('Tokens', ({ rule, storage }) => {
  storage(
    'TOK-18',
    {
      tried: 'twenty refreshes with one token at once, from two processes',
      expected: 'one advances the session; all get the same refresh token, and access tokens that work',
      ...databases,
    },
    async (scene) => {
      const service = await scene.start(patient)
      processes ??= start(2)
      for (let round = 0; round < times({ quick: 2, full: 5 }); round += 1) {
        const user = await signUp(service, `alice-${round}`)
        const app = await appOf(service, `alice-${round}`)
        const race = (await processes).race<RefreshOutcome[]>('refresh', errand(scene, app, 10))
        const outcomes = (await race).flat()
        expect(outcomes.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
        expect(new Set(outcomes.map(({ tokens }) => tokens?.refresh_token)).size).toBe(1)
        const [row, ...others] = await scene.sessions.listByUser(user.id)
        expect([row?.generation, others]).toEqual([1, []])
        for (const { tokens } of outcomes.slice(0, 3)) {
          const client = appAt(service, { ...app, tokens })
          expect([await whoHas(client), await canRefresh(client)]).toEqual([`alice-${round}`, true])
        }
      }
    },
  )

  storage(
    'TOK-18',
    {
      tried:
        'twenty refreshes with one token at once, while others visit with its access token and its successor’s',
      expected: 'none is refused',
    },
    async ({ start: open }) => {
      const services = [await open(patient), await open(patient)]
      const [service] = services as [Service]
      await signUp(service)
      let app = await appOf(service)
      for (let round = 0; round < times({ quick: 3, full: 20 }); round += 1) {
        const all = await Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            const client = appAt(services[n % 2] as Service, app)
            const who = n % 3 === 0 ? await whoHas(client) : 'alice'
            const { statusCode } = await client.refresh()
            return [who, statusCode, await whoHas(client), client] as const
          }),
        )
        for (const [who, statusCode, after] of all)
          expect([who, statusCode, after]).toEqual(['alice', 200, 'alice'])
        app = all[round % 20]?.[3] ?? app
      }
    },
  )

  rule(
    'TOK-19',
    {
      tried:
        'a refresh whose response is lost, again after a second and an hour, three times in a row; a confirmation whose response is lost',
      expected:
        'the token from before works each time, and gets the same successor; of the confirmation, nothing',
    },
    async ({ start: open, wait }) => {
      const service = await open(withTokens)
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await wait(0)
      const app = await appOf(service)
      await wait(20 * minute)
      const lost: string[] = []
      for (const passed of [0, second, hour]) {
        await wait(passed)
        lost.push((await app.copy().refresh()).json().tokens.refresh_token)
      }
      await app.refresh()
      expect(new Set([...lost, app.tokens.refresh_token]).size).toBe(1)
      expect(await whoHas(app)).toBe('alice')

      expect((await app.copy().send('POST', '/confirm/', { password: goodPassword })).statusCode).toBe(200)
      await wait(hour)
      expect([await canRefresh(app), await whoHas(app)]).toEqual([true, 'alice'])
      const asked = await app.send('POST', '/change-email/', { email: 'new@example.org' })
      expect(asked.json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    },
  )

  rule(
    'TOK-20',
    {
      tried:
        'a second tab that refreshes with the same token up to 30 seconds after the first, which uses its new ones; and a phone that wakes up after an hour with a token that nobody else has used',
      expected: 'both get the successor, and stay logged in',
    },
    async ({ start: open, wait }) => {
      const service = await open(withTokens)
      await signUp(service)
      await wait(0)
      const first = await appOf(service)
      for (const passed of [0, 10 * second, 29 * second]) {
        const tab = first.copy()
        await first.refresh()
        expect(await whoHas(first)).toBe('alice')
        await wait(passed)
        expect([await canRefresh(tab), await whoHas(tab)]).toEqual([true, 'alice'])
        expect(tab.tokens?.refresh_token).toBe(first.tokens.refresh_token)
        await wait(hour)
        expect([await canRefresh(first), await whoHas(first)]).toEqual([true, 'alice'])
      }
    },
  )

  rule(
    'TOK-20',
    {
      tried:
        'two parts of an app: after two refreshes whose responses were lost; and one that is twelve seconds late, after two confirmations of the other, of which the first was lost',
      expected: 'both parts go on, and nobody is told of a reuse',
    },
    async ({ start: open, wait }) => {
      const service = await open(withTokens)
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await wait(0)
      const app = await appOf(service)
      const part = app.copy()
      for (let lost = 0; lost < 2; lost += 1) {
        await wait(20 * minute)
        await app.copy().refresh()
      }
      await wait(hour)
      for (const each of [app, part])
        expect([await canRefresh(each), await whoHas(each)]).toEqual([true, 'alice'])

      await wait(16 * minute)
      const tab = app.copy()
      expect(await canRefresh(app)).toBe(true)
      await wait(3 * second)
      expect(await whoHas(app)).toBe('alice')
      await app.copy().send('POST', '/confirm/', { password: goodPassword })
      await wait(5 * second)
      await app.send('POST', '/confirm/', { password: goodPassword })
      await wait(4 * second)
      expect([await canRefresh(tab), await whoHas(tab), await whoHas(app)]).toEqual([true, 'alice', 'alice'])
      await service.settle()
      expect(service.mails.filter(({ kind }) => kind === 'token-reused')).toEqual([])
    },
  )

  rule(
    'TOK-21',
    {
      tried:
        'a refresh token that was replaced ten minutes ago, sent within 30 seconds of the owner’s next refresh',
      expected: 'the session ends, and the owner is told',
    },
    async ({ start: open, wait }) => {
      const service = await open(withTokens)
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await wait(0)
      const owner = await appOf(service)
      const thief = owner.copy()
      for (const passed of [0, 10 * minute]) {
        await wait(passed)
        expect([await canRefresh(owner), await whoHas(owner)]).toEqual([true, 'alice'])
      }
      await wait(20 * second)
      expect([await canRefresh(thief), await isIn(owner)]).toEqual([false, false])
      await service.mail('token-reused')
    },
  )

  for (const first of ['thief', 'owner'] as const) {
    rule(
      'TOK-21',
      {
        tried: `a stolen refresh token, sent by the ${first} first and by the other more than 30 seconds later`,
        expected:
          'the session ends for both, the owner is told by email, the audit trail has TOKEN_REUSED; other sessions go on',
      },
      async ({ start: open, wait }) => {
        const service = await open(withTokens)
        const events: AuditEvent[] = []
        service.app.accounts.events.on('audit', (event) => events.push(event))
        const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
        await wait(0)
        const other = await appOf(service)
        const clients = { owner: await appOf(service, 'alice', 'Phone'), thief: tokenClient(service) }
        clients.thief.tokens = clients.owner.tokens
        const early = clients[first]
        const late = clients[first === 'thief' ? 'owner' : 'thief']
        for (let refreshes = 0; refreshes < 3; refreshes += 1) {
          expect([await canRefresh(early), await whoHas(early)]).toEqual([true, 'alice'])
          await wait(31 * second)
        }
        expect((await late.refresh()).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
        expect([await isIn(early), await isIn(late), await isIn(other)]).toEqual([false, false, true])
        expect((await service.mail('token-reused')).to.address).toBe('alice@example.org')
        await vi.waitFor(
          () => expect(events.filter(({ reason }) => reason === 'TOKEN_REUSED')).toHaveLength(1),
          60_000,
        )
        expect(events.find(({ reason }) => reason === 'TOKEN_REUSED')).toMatchObject({
          action: 'refresh-tokens',
          outcome: 'refused',
          userId: id,
        })
      },
    )
  }

  storage(
    'TOK-22',
    {
      tried: 'kill -9 between the store’s change and the response of a refresh',
      expected: 'the token from before gets the successor from another process',
      ...databases,
    },
    async (scene) => {
      const service = await scene.start(withTokens)
      const { id } = await signUp(service)
      const app = await appOf(service)
      const victim = await start(1)
      await expect(victim.race('die', errand(scene, app, 1))).rejects.toThrow('the process exited')
      await victim.stop()
      expect((await scene.sessions.listByUser(id)).map(({ generation }) => generation)).toEqual([1])
      expect([await whoHas(app), await canRefresh(app), await whoHas(app)]).toEqual(['alice', true, 'alice'])
    },
  )

  storage(
    'TOK-23',
    {
      tried:
        'a session’s row put back to an earlier state, as by a restored backup: the app’s newest tokens, a thief’s old ones, and a confirmation with the newest',
      expected:
        'the app goes on, and its next tokens are newer than all; the confirmation isn’t for those of before; the thief’s refresh ends the session once the app has gone on',
    },
    async ({ start: open, sessions, wait }) => {
      const service = await open(withTokens)
      const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
      await wait(0)
      const app = await appOf(service)
      const [backup] = await sessions.listByUser(id)
      const thief = app.copy()
      await wait(16 * minute)
      for (let refreshes = 0; refreshes < 3; refreshes += 1) await app.refresh()
      const stolen = app.copy()
      expect(await whoHas(app)).toBe('alice')
      await restore(sessions, backup)
      expect([await whoHas(app), await canRefresh(app.copy()), await whoHas(app)]).toEqual([
        'alice',
        true,
        'alice',
      ])
      await restore(sessions, backup)

      await app.send('POST', '/confirm/', { password: goodPassword })
      const asked = (client: TokenClient) =>
        client.send('POST', '/change-email/', { email: 'new@example.org' })
      expect([(await asked(app)).statusCode, (await asked(stolen)).statusCode]).toEqual([202, 403])
      await wait(minute)
      expect([await canRefresh(app), await whoHas(app)]).toEqual([true, 'alice'])
      expect([await canRefresh(thief), await isIn(app)]).toEqual([false, false])
    },
  )

  for (const behind of [2 * minute, -2 * minute]) {
    storage(
      'TOK-24',
      {
        tried: `two processes, the second with a clock two minutes ${behind > 0 ? 'behind' : 'ahead'}: logins, visits and refreshes in turn, a response lost at one and asked for again at the other, an old token`,
        expected:
          'nobody is logged out, an access token ends at most two minutes early or late, and the old token is reuse',
      },
      async ({ start: open, wait, sessions }) => {
        const [here, there] = [await open(withTokens), await open(withTokens)]
        await signUp(here)
        await wait(0)
        let now = Date.now()
        // That of a database is nobody's but its own.
        if (sessions.now) sessions.now = async () => new Date(now)
        /** The app at one of the two, at the time of its clock. */
        const at = (service: Service, client: App): App => {
          vi.setSystemTime(service === there ? now - behind : now)
          return appAt(service, client)
        }
        const visit = (service: Service, client: App) => whoHas(at(service, client))
        const refresh = async (service: Service, client: App): Promise<boolean> => {
          const copy = at(service, client)
          const isDone = await canRefresh(copy)
          client.tokens = copy.tokens
          return isDone
        }
        vi.setSystemTime(now)
        const app = await appOf(here)
        for (const service of [there, here, there, here]) {
          expect(await visit(service, app)).toBe('alice')
          expect(await refresh(service, app)).toBe(true)
          for (const each of [here, there]) expect(await visit(each, app)).toBe('alice')
          now += 12 * minute
        }
        // Lost at one, asked for at the other.
        for (const [one, other] of [
          [here, there],
          [there, here],
        ] as const) {
          expect(await refresh(one, appAt(one, app))).toBe(true)
          expect([await refresh(other, app), await visit(one, app)]).toEqual([true, 'alice'])
          now += hour
        }
        expect(await refresh(here, app)).toBe(true)
        now += 12 * minute
        expect([await visit(here, app), await visit(there, app)]).toEqual(['alice', 'alice'])
        now += 6 * minute
        expect([await visit(here, app), await visit(there, app)]).toEqual([null, null])

        const old = appAt(there, app)
        expect(await refresh(here, app)).toBe(true)
        expect(await visit(here, app)).toBe('alice')
        now += 5 * minute
        expect([await refresh(there, old), await visit(here, app)]).toEqual([false, null])
      },
    )
  }

  for (const ahead of [5 * minute, -5 * minute]) {
    storage(
      'TOK-24',
      {
        tried: `two processes on one database, the second with a clock five minutes ${ahead > 0 ? 'ahead' : 'behind'}: a token and a cookie that were replaced, sent to each a little before and after their time, and twenty refreshes at both at once`,
        expected:
          'the database’s clock decides: the token works for 30 seconds and then is reuse, the cookie for ten; all refreshes get the same token',
        on: databases.on,
        because: 'memory has no other clock than the process',
      },
      async ({ start: open, wait, sessions }) => {
        const [here, there] = [await open(withTokens), await open(withTokens)]
        await signUp(here)
        await wait(0)
        let now = Date.now()
        sessions.now = async () => new Date(now)
        const at = (service: Service): Service => {
          vi.setSystemTime(service === there ? now + ahead : now)
          return service
        }
        for (const [one, other] of [
          [here, there],
          [there, here],
        ] as const) {
          const app = await appOf(at(here))
          const [late, thief] = [app.copy().tokens, app.copy().tokens]
          const next = appAt(at(one), app)
          expect(await canRefresh(next)).toBe(true)
          expect(await whoHas(appAt(at(one), next))).toBe('alice')
          now += 29 * second
          expect(await canRefresh(appAt(at(other), { ...app, tokens: late }))).toBe(true)
          now += 2 * second
          expect(await canRefresh(appAt(at(other), { ...app, tokens: thief }))).toBe(false)
          expect(await whoHas(appAt(at(one), next))).toBeNull()

          const old = await logIn(at(here))
          const confirmed = cookieOf(
            await at(one).send('POST', '/confirm/', { password: goodPassword }, as(old)),
          )
          expect(await whoIs(at(one), confirmed)).toBe('alice')
          now += 9 * second
          expect(await whoIs(at(other), old)).toBe('alice')
          now += 2 * second
          expect([await whoIs(at(other), old), await whoIs(at(other), confirmed)]).toEqual([null, 'alice'])
        }
        const app = await appOf(at(here))
        const all = await Promise.all(
          Array.from({ length: 20 }, (_, n) => appAt(at([here, there][n % 2] ?? here), app).refresh()),
        )
        expect(new Set(all.map((response) => response.json().tokens.refresh_token)).size).toBe(1)
      },
    )
  }

  rule(
    'TOK-25',
    {
      tried:
        'a rotation of `secret`: tokens of the older one while both are listed, a retry of a refresh by a process that doesn’t know the newer one yet, and once the older one is gone',
      expected:
        'all go on while both are listed, and get tokens of the newer one; then tokens of the older one are 401',
    },
    async ({ start: open, wait }) => {
      const before = await open({ ...withTokens, secret: older })
      const during = await open({ ...withTokens, secret: [newer, older] })
      const after = await open({ ...withTokens, secret: newer })
      await signUp(before)
      await wait(0)
      const app = await appOf(before)
      const unused = await appOf(before)
      expect([await whoHas(appAt(during, app)), await whoHas(appAt(after, app))]).toEqual(['alice', null])

      const [old, next] = [appAt(before, app), appAt(during, app)]
      expect([await canRefresh(next), await canRefresh(old)]).toEqual([true, true])
      expect(old.tokens.refresh_token).not.toBe(next.tokens.refresh_token)
      for (const each of [old, next]) {
        expect(await whoHas(appAt(during, each))).toBe('alice')
        expect(await canRefresh(appAt(during, each))).toBe(true)
      }
      await wait(minute)
      expect([await whoHas(next), await canRefresh(next), await whoHas(next)]).toEqual([
        'alice',
        true,
        'alice',
      ])

      const last = appAt(after, next)
      expect([await whoHas(last), await canRefresh(last), await whoHas(last)]).toEqual([
        'alice',
        true,
        'alice',
      ])
      const gone = appAt(after, unused)
      expect([await whoHas(gone), await canRefresh(gone)]).toEqual([null, false])
      expect(await isIn(unused)).toBe(true)
    },
  )

  storage(
    'TOK-26',
    {
      tried: 'a logout, a revocation or a lock-down in one process while another refreshes the same session',
      expected: 'no token of the session works afterwards, not even one that the refresh got',
    },
    async ({ start: open }) => {
      const [here, there] = [await open(patient), await open(patient)]
      const ends = [
        (app: App) => app.send('POST', '/logout/'),
        (app: App) => here.send('POST', '/tokens/revoke/', { token: app.tokens.refresh_token }),
        async (_: App, id: string) => here.app.accounts.secureUser(id),
      ]
      for (let round = 0; round < times({ quick: 9, full: 60 }); round += 1) {
        const { id } = await signUp(here, `alice-${round}`)
        const app = await appOf(here, `alice-${round}`)
        const late = appAt(there, app)
        const refreshing = late.refresh()
        for (let turns = round % 7; turns > 0; turns -= 1) await new Promise(setImmediate)
        await ends[round % 3]?.(app, id)
        const { statusCode } = await refreshing
        expect(statusCode).toBeOneOf([200, 401])
        expect([round, await isIn(app), await isIn(late)]).toEqual([round, false, false])
      }
    },
  )

  storage(
    'TOK-26',
    {
      tried: 'a confirmation and refreshes with the same session’s tokens at once, in two processes',
      expected: 'all succeed, nobody is logged out, and no refresh gets tokens that count as confirmed',
    },
    async ({ start: open, wait }) => {
      const [here, there] = [await open(patient), await open(patient)]
      await signUp(here, 'alice', { email: 'alice@example.org' })
      await wait(0)
      for (let round = 0; round < times({ quick: 5, full: 30 }); round += 1) {
        const owner = await appOf(here)
        await wait(16 * minute)
        await owner.refresh()
        const others = [appAt(there, owner), appAt(here, owner), appAt(there, owner)]
        const confirmed = owner.send('POST', '/confirm/', { password: goodPassword })
        for (let turns = round * 3; turns > 0; turns -= 1) await new Promise(setImmediate)
        const refreshed = await Promise.all(others.map((each) => each.refresh()))
        const all = [await confirmed, ...refreshed].map(({ statusCode }) => statusCode)
        expect([round, all]).toEqual([round, [200, 200, 200, 200]])
        for (const each of others) {
          const asked = await each.send('POST', '/change-email/', { email: 'new@example.org' })
          expect(asked.json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
        }
        expect(await whoHas(owner)).toBe('alice')
      }
    },
  )

  rule(
    'TOK-27',
    {
      tried:
        'a thousand refreshes and revocations with made-up tokens, and sixty-one refreshes of one session within a minute',
      expected:
        'the first reach no store; of the second, the last is 429, and the session goes on a minute later',
    },
    async ({ start: open, sessions, users, throttle, wait }) => {
      const service = await open({ ...withTokens, throttle: {} })
      await signUp(service)
      await wait(0)
      const app = await appOf(service)
      const calls = [sessions, users, throttle].map(callsOf)
      for (let n = 0; n < 500; n += 1) {
        const token = `far_${String(n).repeat(20)}.0.0.0.0.${'A'.repeat(43)}`
        expect((await service.send('POST', '/tokens/refresh/', { refresh_token: token })).statusCode).toBe(
          401,
        )
        expect((await service.send('POST', '/tokens/revoke/', { token })).statusCode).toBe(200)
      }
      expect(calls.flat()).toEqual([])
      for (let n = 0; n < 60; n += 1) expect([n, await canRefresh(app)]).toEqual([n, true])
      const refused = await app.refresh()
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'ACCOUNTS_THROTTLED'])
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
      // Another session of the same user isn't counted with it.
      const other = tokenClient(service)
      await other.send('POST', '/login/', password())
      expect(await canRefresh(other)).toBe(true)
      await wait(minute)
      expect([await canRefresh(app), await whoHas(app)]).toEqual([true, 'alice'])
      await wait(day)
      expect(await canRefresh(app)).toBe(true)
    },
  )
})

/** Puts a session's row back. */
async function restore(sessions: SessionStore, row: Session | undefined): Promise<void> {
  if (row === undefined) throw new Error('there is no backup')
  await sessions.delete(row.id)
  await sessions.create(row)
}
