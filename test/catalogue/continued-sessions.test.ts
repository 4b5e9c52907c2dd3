import { passkeys } from '@fastify-accounts/passkeys'
import { as, cookieOf, goodPassword, logIn, otherPassword, whoIs } from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { confirm, turn } from '@fastify-accounts/test-support/passkeys/second-step'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import type { SharedPlace } from '@fastify-accounts/test-support/shared-place'
import type { LightMyRequestResponse as Response } from 'fastify'
import { secondFactor } from 'fastify-accounts'
import { afterAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { change, choice } from './passwords.js'
import type { tasks } from './processes.js'
import type { Scene, Service } from './service.js'
import { holdNext } from './store-calls.js'

const options = {
  users: { variant: 'both' },
  login: { emailCode: true },
  features: [passkeys(), secondFactor()],
} as const

const databases = ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'] as const

/** A logged-in session, and the request after which it continues with a new cookie. */
interface Continuing {
  cookie: string
  send(): Promise<Response>
  /** Whether it ends nothing: then the old cookie stays for a while. */
  endsNothing?: true
}

/** Every kind of request after which a session continues. */
const continuing: Record<string, (service: Service, username: string) => Promise<Continuing>> = {
  async 'changing the password'(service, username) {
    const cookie = await begin(service, username)
    return { cookie, send: () => change(service, cookie, otherPassword) }
  },
  async 'removing the password'(service, username) {
    const cookie = await begin(service, username)
    return { cookie, send: () => service.send('DELETE', '/password/', undefined, as(cookie)) }
  },
  async 'setting a first password'(service, username) {
    const cookie = cookieOf(
      await service.send('DELETE', '/password/', undefined, as(await begin(service, username))),
    )
    return {
      cookie,
      send: () => service.send('POST', '/change-password/', choice(otherPassword), as(cookie)),
    }
  },
  async 'turning on an authenticator app'(service, username) {
    const cookie = await begin(service, username)
    const { secret, token } = (
      await service.send('POST', '/second-factor/totp/', undefined, as(cookie))
    ).json()
    return {
      cookie,
      send: () =>
        service.send('POST', '/second-factor/totp/confirm/', { code: codeOf(secret), token }, as(cookie)),
    }
  },
  async 'turning on passkeys as a second factor'(service, username) {
    await begin(service, username)
    const owner = visitor(service)
    await owner.logIn(username)
    const { passkey } = await owner.add()
    await confirm(owner, passkey)
    return { cookie: `session=${owner.cookies.get('session')}`, send: () => turn(owner, true) }
  },
  async 'confirming the login'(service, username) {
    const cookie = await begin(service, username)
    return {
      cookie,
      send: () => service.send('POST', '/confirm/', { password: goodPassword }, as(cookie)),
      endsNothing: true,
    }
  },
}

async function begin(service: Service, username: string): Promise<string> {
  const email = `${username}@example.org`
  await service.app.accounts.createUser({ username, email, password: goodPassword, isVerified: true })
  return logIn(service, username)
}

/** What a process that dies needs. */
type Dying = SharedPlace & { cookie: string }

/** Whose session the response has the cookie of, and whose the old cookie still is. */
async function after(service: Service, response: Response, { cookie }: Continuing) {
  if (![200, 204].includes(response.statusCode)) throw new Error(response.body)
  const next = response.cookies.find(({ name, value }) => name === 'session' && value !== '')
  return { next: next ? await whoIs(service, cookieOf(response)) : null, old: await whoIs(service, cookie) }
}

let processes: Promise<Processes<keyof typeof tasks, SharedPlace>> | undefined
afterAll(async () => (await processes)?.stop())

/** The address of an app in another process, on the same stores. */
async function elsewhere({ place, prefix }: Scene): Promise<string> {
  if (place === undefined) throw new Error('another process needs a database')
  processes ??= startProcesses(new URL('processes.ts', import.meta.url), 1)
  const [port] = await (await processes).race<number>('serve', { place, ...(prefix && { prefix }) })
  return `http://127.0.0.1:${port}`
}

cases('Sessions that continue', ({ rule, storage }) => {
  for (const [what, prepare] of Object.entries(continuing)) {
    rule(
      'CTN-01',
      {
        tried: `${what}, with requests of the same session between the change of the account and that of the session`,
        expected:
          'the session continues with a new cookie; the old cookie is logged out, or after a mere confirmation still logged in for a while',
      },
      async ({ start, sessions }) => {
        const service = await start(options)
        const continued = await prepare(service, 'alice')
        // Its first use is a change of the row as well.
        await whoIs(service, continued.cookie)
        // Where the change and the session are one write, nothing comes between.
        const isOneWrite = sessions.withUsers?.update !== undefined && what !== 'confirming the login'
        const held = isOneWrite ? null : holdNext(sessions, 'change')
        const response = continued.send()
        if (held !== null) {
          await held.reached
          for (let visits = 0; visits < 3; visits += 1) await whoIs(service, continued.cookie)
          held.release()
        }
        const old = continued.endsNothing ? 'alice' : null
        expect(await after(service, await response, continued)).toEqual({ next: 'alice', old })
      },
    )
  }

  storage(
    'CTN-02',
    {
      tried: 'every such request while four tabs of the same session poll another process',
      expected: 'the session continues each time',
      on: ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'],
      because: 'another process needs a database',
    },
    async (scene) => {
      const service = await scene.start(options)
      const origin = await elsewhere(scene)
      const rounds = times({ quick: 2, full: 10 })
      const lost = Object.fromEntries(Object.keys(continuing).map((what) => [what, 0]))
      for (const [what, prepare] of Object.entries(continuing)) {
        for (let round = 0; round < rounds; round += 1) {
          const username = `alice-${Object.keys(lost).indexOf(what)}-${round}`
          const continued = await prepare(service, username)
          const over = new AbortController()
          const tabs = Array.from({ length: 4 }, () => poll(origin, continued.cookie, over.signal))
          const response = await continued.send()
          over.abort()
          expect(await Promise.all(tabs)).not.toContain(0)
          const { next, old } = await after(service, response, continued)
          expect(old).toBe(continued.endsNothing ? username : null)
          if (next !== username) lost[what] = (lost[what] ?? 0) + 1
        }
      }
      expect(lost).toEqual(Object.fromEntries(Object.keys(continuing).map((what) => [what, 0])))
    },
  )

  storage(
    'CTN-03',
    {
      tried:
        'sixty confirmations in a row while four tabs of the browser, with its cookies, poll this and another process',
      expected: 'no poll is 401, and there is one session in the end',
      on: databases,
      because: 'another process needs a database',
    },
    async (scene) => {
      const service = await scene.start(options)
      const url = `http://127.0.0.1:${await service.listen()}`
      const origins = [url, await elsewhere(scene)]
      const browser = { cookie: await begin(service, 'alice') }
      const over = new AbortController()
      const tabs = Array.from({ length: 4 }, (_, tab) =>
        pollAs(browser, origins[tab % 2] ?? url, over.signal),
      )
      for (let round = 0; round < times({ quick: 20, full: 60 }); round += 1) {
        const response = await service.send(
          'POST',
          '/confirm/',
          { password: goodPassword },
          as(browser.cookie),
        )
        expect(response.statusCode).toBe(204)
        browser.cookie = cookieOf(response)
        // So that each new cookie is used before the next one comes.
        expect(await whoIs(service, browser.cookie)).toBe('alice')
      }
      over.abort()
      const polls = await Promise.all(tabs)
      expect(polls.map(({ refused }) => refused)).toEqual([0, 0, 0, 0])
      expect(Math.min(...polls.map(({ visits }) => visits))).toBeGreaterThan(0)
      expect(await listed(service, browser.cookie)).toHaveLength(1)
    },
  )

  storage(
    'CTN-04',
    {
      tried: 'two confirmations of one session at the same time, from two processes',
      expected:
        'both succeed, there is one session, both new cookies prove a recent login and the old one none, and each can log out',
      on: databases,
      because: 'another process needs a database',
    },
    async (scene) => {
      const service = await scene.start(options)
      const origin = await elsewhere(scene)
      for (let round = 0; round < times({ quick: 5, full: 25 }); round += 1) {
        const username = `alice-${round}`
        const cookie = await begin(service, username)
        const [here, there] = await Promise.all([
          service.send('POST', '/confirm/', { password: goodPassword }, as(cookie)),
          confirmAt(origin, cookie),
        ])
        expect([here.statusCode, there.status]).toEqual([204, 204])
        const cookies = [cookie, cookieOf(here), cookieIn(there)]
        const users = () => Promise.all(cookies.map((each) => whoIs(service, each)))
        expect(await users()).toEqual(Array(3).fill(username))
        expect(await Promise.all(cookies.map((each) => isRecent(service, each)))).toEqual([false, true, true])
        expect(await listed(service, cookieOf(here))).toHaveLength(1)
        await service.send('POST', '/logout/', undefined, as(cookies[round % 3] ?? ''))
        expect(await users()).toEqual([null, null, null])
      }
    },
  )

  storage(
    'CTN-05',
    {
      tried: 'a logout in one process while another confirms the same session',
      expected: 'no cookie of the session is logged in afterwards',
      on: databases,
      because: 'another process needs a database',
    },
    async (scene) => {
      const service = await scene.start(options)
      const origin = await elsewhere(scene)
      for (let round = 0; round < times({ quick: 5, full: 25 }); round += 1) {
        const cookie = await begin(service, `alice-${round}`)
        // The password takes about a tenth of a second: the logout comes before, during or after it.
        const confirmed = confirmAt(origin, cookie)
        await new Promise((resolve) => setTimeout(resolve, (round * 11) % 125))
        const gone = await service.send('POST', '/logout/', undefined, as(cookie))
        expect(gone.statusCode).toBe(204)
        const next = cookieIn(await confirmed)
        expect([await whoIs(service, cookie), await whoIs(service, next)]).toEqual([null, null])
      }
    },
  )

  rule(
    'CTN-06',
    {
      tried:
        'a thief with the cookie from before its owner has confirmed: to read, to act where a recent login is required, and to confirm with a wrong password',
      expected:
        'is logged in for ten seconds from the first use of the new cookie, and no longer, however often it is used; what needs a recent login is refused; then it is 401 even with the password, which clears no cookie, and the owner goes on',
    },
    async ({ start, wait }) => {
      const service = await start(options)
      await wait(0)
      const stolen = await begin(service, 'alice')
      await wait(16 * 60_000)
      const owner = cookieOf(await service.send('POST', '/confirm/', { password: goodPassword }, as(stolen)))
      await wait(60_000)
      const form = { email: 'thief@example.org' }
      const refused = [
        await service.send('POST', '/change-email/', form, as(stolen)),
        await service.send('DELETE', '/me/', undefined, as(stolen)),
      ]
      expect(refused.map((response) => response.json().code)).toEqual(
        Array(2).fill('ACCOUNTS_CONFIRMATION_REQUIRED'),
      )
      const guess = await service.send('POST', '/confirm/', { password: otherPassword }, as(stolen))
      expect([guess.statusCode, guess.cookies]).toEqual([400, []])
      for (const passed of [0, 5000, 4000]) {
        await wait(passed)
        expect([await whoIs(service, owner), await whoIs(service, stolen)]).toEqual(['alice', 'alice'])
      }
      await wait(2000)
      const over = [
        await service.send('GET', '/me/', undefined, as(stolen)),
        await service.send('POST', '/confirm/', { password: goodPassword }, as(stolen)),
      ]
      expect(over.map(({ statusCode, cookies }) => [statusCode, cookies])).toEqual([
        [401, []],
        [401, []],
      ])
      expect(service.mails).toEqual([])
      expect([await whoIs(service, owner), await isRecent(service, owner)]).toEqual(['alice', true])
    },
  )

  rule(
    'CTN-07',
    {
      tried:
        'cookies of a session that has been confirmed three times: a logout with the first, once it is no longer good',
      expected: 'ends the session for all of them: everybody who has had it may end it; nobody is told',
    },
    async ({ start, wait, sessionRows }) => {
      const service = await start(options)
      await wait(0)
      const cookies = [await begin(service, 'alice')]
      for (let round = 0; round < 3; round += 1) {
        const response = await service.send(
          'POST',
          '/confirm/',
          { password: goodPassword },
          as(cookies[round] ?? ''),
        )
        cookies.push(cookieOf(response))
        expect(await whoIs(service, cookies.at(-1) ?? '')).toBe('alice')
        await wait(11_000)
      }
      const users = () => Promise.all(cookies.map((each) => whoIs(service, each)))
      expect(await users()).toEqual([null, null, null, 'alice'])
      expect((await service.send('POST', '/logout/', undefined, as(cookies[0] ?? ''))).statusCode).toBe(204)
      expect([await users(), await sessionRows(), service.mails]).toEqual([Array(4).fill(null), 0, []])
    },
  )

  storage(
    'CTN-08',
    {
      tried:
        'the first uses of two cookies of a session at the same moment, where the one of the older cookie is written last',
      expected: 'the older one ends ten seconds later all the same: nothing is seen less than it was',
    },
    async ({ start, sessions, wait }) => {
      const service = await start(options)
      await wait(0)
      const first = await begin(service, 'alice')
      // The response with the older one was late.
      const confirm = () => service.send('POST', '/confirm/', { password: goodPassword }, as(first))
      const [older, newer] = [cookieOf(await confirm()), cookieOf(await confirm())]
      const { reached, release } = holdNext(sessions, 'change')
      const late = whoIs(service, older)
      await reached
      expect(await whoIs(service, newer)).toBe('alice')
      release()
      expect(await late).toBe('alice')
      await wait(11_000)
      expect(await Promise.all([first, older, newer].map((each) => whoIs(service, each)))).toEqual([
        null,
        null,
        'alice',
      ])
    },
  )

  storage(
    'CTN-09',
    {
      tried: 'kill -9 between the store’s change and the response of a confirmation',
      expected:
        'the cookie from before is logged in and confirms again, in one session; once the new one is used, it ends',
      on: databases,
      because: 'another process needs a database',
    },
    async (scene) => {
      const service = await scene.start(options)
      const before = await begin(service, 'alice')
      const victim = await startProcesses<'confirm', Dying>(new URL('refresh-process.ts', import.meta.url), 1)
      const { place, prefix } = scene
      if (place === undefined) throw new Error('another process needs a database')
      const dying = victim.race('confirm', { place, ...(prefix && { prefix }), cookie: before })
      await expect(dying).rejects.toThrow('the process exited')
      await victim.stop()
      await scene.wait(60_000)
      expect(await whoIs(service, before)).toBe('alice')
      const response = await service.send('POST', '/confirm/', { password: goodPassword }, as(before))
      const cookie = cookieOf(response)
      expect([response.statusCode, await isRecent(service, cookie)]).toEqual([204, true])
      expect(await listed(service, cookie)).toHaveLength(1)
      await scene.wait(11_000)
      expect([await whoIs(service, before), await whoIs(service, cookie)]).toEqual([null, 'alice'])
    },
  )
})

/** Asks who is logged in with whatever cookie the browser has by then; returns how often, and how often it was refused. */
async function pollAs(browser: { cookie: string }, origin: string, signal: AbortSignal) {
  const seen = { visits: 0, refused: 0 }
  do {
    const { status } = await fetch(`${origin}/me/`, { headers: { cookie: browser.cookie } })
    seen.visits += 1
    if (status !== 200) seen.refused += 1
  } while (!signal.aborted)
  return seen
}

function confirmAt(origin: string, cookie: string): ReturnType<typeof fetch> {
  const headers = { cookie, 'content-type': 'application/json' }
  return fetch(`${origin}/confirm/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ password: goodPassword }),
  })
}

/** The session cookie of a response; `''` if it sets none. */
function cookieIn({ headers }: Awaited<ReturnType<typeof fetch>>): string {
  const found = headers.getSetCookie().find((header) => header.startsWith('session='))
  return found?.split(';')[0] ?? ''
}

/** Whether it proves a recent login: an invalid address is rejected after this check. */
async function isRecent(service: Service, cookie: string): Promise<boolean> {
  const response = await service.send('POST', '/change-email/', { email: 'nobody' }, as(cookie))
  return response.json().code !== 'ACCOUNTS_CONFIRMATION_REQUIRED'
}

async function listed(service: Service, cookie: string): Promise<unknown[]> {
  return (await service.send('GET', '/sessions/', undefined, as(cookie))).json().results
}

/** Asks who is logged in until told to stop; returns how often. */
async function poll(origin: string, cookie: string, signal: AbortSignal): Promise<number> {
  let visits = 0
  do {
    const { status } = await fetch(`${origin}/me/`, { headers: { cookie } })
    if (status !== 200 && status !== 401) throw new Error(`unexpected status: ${status}`)
    visits += 1
  } while (!signal.aborted)
  return visits
}
