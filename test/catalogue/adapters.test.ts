import { createRequire } from 'node:module'
import { goodPassword, linkPath, otherPassword } from '@fastify-accounts/test-support/app'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { SharedPlace } from '@fastify-accounts/test-support/shared-place'
import { read } from '@fastify-accounts/test-support/source'
import { intersects, satisfies, subset } from 'semver'
import { afterAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import type { tasks } from './processes.js'
import type { Service } from './service.js'

interface Response {
  status: number
  cookie: string
  body: Record<string, unknown>
}

/** One service, reachable at two ends. */
interface Ends {
  /** Sends a request to one of them. */
  ask(end: 0 | 1, request: string, body?: object, cookie?: string): Promise<Response>
  /** The path of the last link that this end emailed. */
  mailed(end: 0 | 1, kind: 'reset-password' | 'verify-email'): Promise<string>
}

/** One process as both ends. */
function alone(service: Service): Ends {
  return {
    async ask(_end, request, payload, cookie) {
      const [method, url] = request.split(' ') as ['GET', string]
      const response = await service.send(method, url, payload, { headers: cookie ? { cookie } : {} })
      const session = response.cookies.find(({ name, value }) => name === 'session' && value)
      return {
        status: response.statusCode,
        cookie: session ? `session=${encodeURIComponent(session.value)}` : '',
        body: response.body ? response.json() : {},
      }
    },
    mailed: async (_end, kind) => linkPath(await service.mail(kind)),
  }
}

/** Two processes, over HTTP. */
function apart(ports: readonly number[]): Ends {
  async function ask(end: 0 | 1, request: string, body?: object, cookie?: string): Promise<Response> {
    const [method = '', path] = request.split(' ')
    const response = await fetch(`http://127.0.0.1:${ports[end]}${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...(cookie && { cookie }) },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.text()
    const session = response.headers.getSetCookie().find((each) => /^session=[^;]/.test(each))
    return {
      status: response.status,
      cookie: session?.split(';')[0] ?? '',
      body: text ? JSON.parse(text) : {},
    }
  }
  return {
    ask,
    async mailed(end, kind) {
      await expect.poll(async () => (await ask(end, `GET /mailed/${kind}`)).body.path).toBeTruthy()
      return String((await ask(end, `GET /mailed/${kind}`)).body.path)
    },
  }
}

/** The lifecycle of an account, alternating between the ends; returns the status of each response. */
async function life({ ask, mailed }: Ends): Promise<[string, number][]> {
  const told: [string, number][] = []
  const tell = (what: string, response: Response): Response => {
    told.push([what, response.status])
    return response
  }
  const email = 'alice@example.org'
  const person = { username: 'alice', password: goodPassword }
  const third = 'yet another one'
  const form = { new_password: third, confirm_password: third }

  const creation = { ...person, confirm_password: goodPassword, email }
  const created = tell('creation', await ask(0, 'POST /user/', creation))
  tell('creation again', await ask(1, 'POST /user/', creation))
  const first = tell('login', await ask(1, 'POST /login/', person)).cookie
  tell('me', await ask(0, 'GET /me/', undefined, first))
  tell('show', await ask(1, `GET /user/${created.body.id}`, undefined, first))

  tell('resend', await ask(0, 'POST /user/v/', { email }))
  const verify = await mailed(0, 'verify-email')
  tell('verify', await ask(1, `POST ${verify}`))

  const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
  const second = tell('change', await ask(1, 'POST /change-password/', change, first)).cookie
  tell('old session', await ask(0, 'GET /me/', undefined, first))
  tell('renewed session', await ask(0, 'GET /me/', undefined, second))

  tell('forgot', await ask(1, 'POST /forgot/', { email }))
  const reset = await mailed(1, 'reset-password')
  const uses = await Promise.all([ask(0, `POST ${reset}`, form), ask(1, `POST ${reset}`, form)])
  for (const use of uses.sort((a, b) => a.status - b.status)) tell('concurrent reset at both ends', use)
  tell('renewed session', await ask(1, 'GET /me/', undefined, second))

  tell('login, old password', await ask(0, 'POST /login/', { ...person, password: otherPassword }))
  const last = tell(
    'login, new password',
    await ask(1, 'POST /login/', { ...person, password: third }),
  ).cookie
  const other = tell('login again', await ask(0, 'POST /login/', { ...person, password: third })).cookie
  tell('logout', await ask(0, 'POST /logout/', undefined, last))
  tell('after logout', await ask(1, 'GET /me/', undefined, last))
  tell('deletion', await ask(1, `DELETE /user/${created.body.id}`, undefined, other))
  tell('after deletion', await ask(0, 'GET /me/', undefined, other))
  tell('login after deletion', await ask(1, 'POST /login/', { ...person, password: third }))
  return told
}

const expectedLife = [
  201, 409, 200, 200, 200, 202, 200, 204, 401, 200, 202, 204, 400, 401, 401, 200, 200, 204,
]
const expectedEnd = [401, 204, 401, 401]

/** Started once and shared by all grounds. */
let processes: Promise<Processes<keyof typeof tasks, SharedPlace>> | undefined
afterAll(async () => (await processes)?.stop())

cases('Adapters', ({ rule, storage }) => {
  storage(
    'ADP-01',
    {
      tried:
        'the full lifecycle of an account across two processes that share the stores, each step on a different process from the one before; every other case on this page runs on every combination of stores, or says why not',
      expected: 'the same responses as from one process, and the same on all stores',
      on: ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'],
      because: 'in-memory data belongs to one process',
    },
    async ({ start, place, prefix }) => {
      if (!place) throw new Error('this ground has no place to share')
      processes ??= startProcesses(new URL('processes.ts', import.meta.url), 2)
      const ends = apart(await (await processes).race<number>('serve', { place, ...(prefix && { prefix }) }))
      const together = await life(ends)
      expect(together.map(([, status]) => status)).toEqual([...expectedLife, ...expectedEnd])
      expect(together).toEqual(await life(alone(await start())))
      if (!prefix) return
      // Failures at both ends count together.
      const wrong = { username: 'bob', password: otherPassword }
      for (const end of [0, 1, 0, 1, 0] as const) {
        expect((await ends.ask(end, 'POST /login/', wrong)).status).toBe(401)
      }
      for (const end of [0, 1] as const) {
        expect((await ends.ask(end, 'POST /login/', wrong)).status).toBe(429)
      }
    },
  )

  rule(
    'ADP-03',
    {
      tried:
        'kysely before 0.28.19 (a COMMIT to which the server responds with ROLLBACK counts as success), nodemailer before its current major version (line breaks that reach the server; older majors get no fixes)',
      expected: 'our packages’ version ranges exclude them, and the installed versions are within the ranges',
      on: 'memory',
      because: 'the range is checked before any store is created',
    },
    async () => {
      const requireFrom = (name: string) =>
        createRequire(new URL(`../../packages/${name}/package.json`, import.meta.url))
      const ranges = (name: string) => JSON.parse(read(`packages/${name}/package.json`))
      const kysely: string = ranges('kysely').peerDependencies.kysely
      const nodemailer: string = ranges('nodemailer').dependencies.nodemailer
      for (const [range, safe, bad, from, name] of [
        [kysely, '>=0.28.19', ['0.27.6', '0.28.18', '0.28.19-beta.1', '0.30.0'], 'kysely', 'kysely'],
        [nodemailer, '>=10.0.0 <11.0.0', ['6.9.16', '7.0.7', '8.0.4', '9.0.3'], 'nodemailer', 'nodemailer'],
      ] as const) {
        expect([range, subset(range, safe)]).toEqual([range, true])
        expect(intersects(range, safe)).toBe(true)
        for (const version of bad) expect([version, satisfies(version, range)]).toEqual([version, false])
        const { version } = JSON.parse(read(pathOf(requireFrom(from).resolve(name), name)))
        expect([version, satisfies(version, range)]).toEqual([version, true])
      }
    },
  )
})

/** The path of a package's package.json from the root of the project, given the path of its entry point. */
function pathOf(entry: string, name: string): string {
  const folder = entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`))
  return `${folder.slice(folder.indexOf('node_modules/'))}/node_modules/${name}/package.json`
}
