import { passkeys } from '@fastify-accounts/passkeys'
import { cookieOf, goodPassword, logIn, otherPassword, whoIs } from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { confirm, turn } from '@fastify-accounts/test-support/passkeys/second-step'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { as, codeOf } from '@fastify-accounts/test-support/second-factor'
import type { LightMyRequestResponse as Response } from 'fastify'
import { secondFactor } from 'fastify-accounts'
import { afterAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { change, choice } from './passwords.js'
import type { SharedPlace, tasks } from './processes.js'
import type { Scene, Service } from './service.js'
import { holdNext } from './store-calls.js'

const options = {
  users: { variant: 'both' },
  login: { emailCode: true },
  features: [passkeys(), secondFactor()],
} as const

/** A logged-in session, and the request after which it continues under a new id. */
interface Continuing {
  cookie: string
  send(): Promise<Response>
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
    return { cookie, send: () => service.send('POST', '/confirm/', { password: goodPassword }, as(cookie)) }
  },
}

async function begin(service: Service, username: string): Promise<string> {
  const email = `${username}@example.org`
  await service.app.accounts.createUser({ username, email, password: goodPassword, isVerified: true })
  return logIn(service, username)
}

/** Whose session the response has the cookie of, and whose the old cookie still is. */
async function after(service: Service, answer: Response, { cookie }: Continuing) {
  if (![200, 204].includes(answer.statusCode)) throw new Error(answer.body)
  const next = answer.cookies.find(({ name, value }) => name === 'session' && value !== '')
  return { next: next ? await whoIs(service, cookieOf(answer)) : null, old: await whoIs(service, cookie) }
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

cases('Sessions that continue', (attempt) => {
  for (const [what, prepare] of Object.entries(continuing)) {
    attempt(
      'CTN-01',
      {
        tried: `${what}, with requests of the same session after the change and before its new session is stored`,
        expected: 'the session continues under a new id; the old id is logged out',
      },
      async ({ start, sessions }) => {
        const service = await start(options)
        const continued = await prepare(service, 'alice')
        // Where the change and the new session are one write, nothing comes between.
        const isOneWrite = sessions.withUsers?.update !== undefined && what !== 'confirming the login'
        const held = isOneWrite ? null : holdNext(sessions, 'create')
        const answer = continued.send()
        if (held !== null) {
          await held.reached
          for (let visits = 0; visits < 3; visits += 1) await whoIs(service, continued.cookie)
          held.release()
        }
        expect(await after(service, await answer, continued)).toEqual({ next: 'alice', old: null })
      },
    )
  }

  attempt(
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
          const answer = await continued.send()
          over.abort()
          expect(await Promise.all(tabs)).not.toContain(0)
          const { next, old } = await after(service, answer, continued)
          expect(old).toBeNull()
          if (next !== username) lost[what] = (lost[what] ?? 0) + 1
        }
      }
      expect(lost).toEqual(Object.fromEntries(Object.keys(continuing).map((what) => [what, 0])))
    },
  )
})

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
