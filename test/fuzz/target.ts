import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import {
  baseUrl,
  cheapHasher,
  goodPassword,
  linkPath,
  outbox,
  secret,
} from '@fastify-accounts/test-support/app'
import { connect, type DriverName, makeDatabase } from '@fastify-accounts/test-support/databases'
import Fastify from 'fastify'
import accounts, { type Mail } from 'fastify-accounts'

/** A request as sent over the wire. */
export interface Shot {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

export interface Response {
  status: number
  headers: IncomingHttpHeaders
  body: string
  milliseconds: number
}

export interface Target {
  send(shot: Shot): Promise<Response>
  /** The routes listed in /api-root/, with parameters as `{name}`. */
  routes: { method: string; path: string }[]
  /** The fields of each body, by path, from the mounted schemas. */
  bodies: Record<string, string[]>
  /** Valid parts of requests: a session cookie, links, the id of another user. */
  live: { cookie: string; reset: string; verify: string; id: string }
  /** What no response may contain. */
  secrets: string[]
  /** Logged errors. */
  errors: string[]
  close(): Promise<void>
}

/** The whole service on a database, behind a socket. Without rate limits; only the size of bodies is limited. */
export async function openTarget(driver: DriverName): Promise<Target> {
  const { place, drop } = await makeDatabase(driver)
  const db = await connect(place)
  await migrate(db)
  const users = createKyselyUserStore({ db })
  const { mails, send: keep } = outbox()
  const errors: string[] = []
  const app = Fastify({
    logger: {
      level: 'warn',
      stream: { write: (line: string) => void (JSON.parse(line).level >= 50 && errors.push(line)) },
    },
  })
  const bodies: Target['bodies'] = {}
  app.addHook('onRoute', ({ url, schema }) => {
    const { properties } = (schema?.body ?? {}) as { properties?: object }
    if (properties) bodies[url.replaceAll(/:(\w+)/g, '{$1}')] = Object.keys(properties)
  })
  await app.register(accounts, {
    secret,
    baseUrl,
    users: true,
    userStore: users,
    sessionStore: createKyselySessionStore({ db }),
    passwordHasher: cheapHasher(),
    // Keeps only the last mails, so they don't count as a leak.
    mailer: {
      async send(mail) {
        await keep(mail)
        if (mails.length > 10) mails.splice(0, 1)
      },
    },
    throttle: false,
    // The logged-in user must not be deleted.
    authorize: { deleteUser: () => false },
    requireEmailConfirmation: true,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  async function send(shot: Shot): Promise<Response> {
    const { method, path, body } = shot
    // Node sets Content-Length only for methods that usually have a body. Without it, the server would read the body
    // as the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const headers = { ...shot.headers, ...length }
    const start = performance.now()
    const request = httpRequest({ agent, port, host: '127.0.0.1', method, path, headers })
    request.end(body)
    let response: IncomingMessage
    try {
      ;[response] = (await once(request, 'response')) as [IncomingMessage]
    } catch (error) {
      // The server closes a connection if it didn't read the last request to the end. Node's docs say to retry.
      if (request.reusedSocket) return send(shot)
      throw error
    }
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: Buffer.concat(chunks).toString(),
      milliseconds: performance.now() - start,
    }
  }

  async function mailOf(kind: Mail['kind']): Promise<Mail> {
    for (;;) {
      const found = mails.findLast((mail) => mail.kind === kind)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  const json = { 'content-type': 'application/json' }
  const post = (path: string, fields: object) =>
    send({ method: 'POST', path, headers: json, body: JSON.stringify(fields) })
  const email = 'alice@example.org'
  const account = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
  await post('/signup/', account)
  const verify = linkPath(await mailOf('verify-email'))
  await post(verify, {})
  const login = await post('/login/', { username: 'alice', password: goodPassword })
  const cookie = login.headers['set-cookie']?.map((each) => each.split(';', 1)).join('; ') ?? ''
  await post('/forgot/', { email })
  const reset = linkPath(await mailOf('reset-password'))
  const { id } = await app.accounts.createUser({ username: 'bob', password: goodPassword })
  const user = await users.findByUsername('alice')
  if (user === null || login.status !== 200) throw new Error('the setup failed')

  const index: Record<string, { methods: string[]; href: string }> = JSON.parse(
    (await send({ method: 'GET', path: '/api-root/', headers: {} })).body,
  )
  const routes = Object.values(index).flatMap(({ methods, href }) =>
    methods.map((method) => ({ method, path: href.slice(baseUrl.length) })),
  )

  return {
    send,
    routes,
    // Leaves out the second spelling of a path, which is the same route.
    bodies: Object.fromEntries(
      Object.entries(bodies).filter(([path]) => routes.some((each) => each.path === path)),
    ),
    live: { cookie, reset, verify, id },
    secrets: [user.passwordHash, goodPassword, secret],
    errors,
    async close() {
      agent.destroy()
      await app.close()
      await db.destroy()
      await drop()
    },
  }
}
