import { runInNewContext } from 'node:vm'
import { goodPassword, testApp } from '@fastify-accounts/test-support/app'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'

const hostile = (part: string, base: object = {}) =>
  Object.defineProperty(base, part, {
    enumerable: true,
    get() {
      throw new Error('a getter of tenants_17')
    },
  })

/** As Node.js's own errors are where Jest runs the app. */
const ofOtherRealm = (parts: { message: string; [part: string]: unknown }): unknown =>
  Object.assign(runInNewContext('new Error()'), parts)

/** What a hook of the app throws, and the status and body of the response. */
const thrown: Record<string, [value: () => unknown, status: number, body?: object]> = {
  'an error': [() => new Error('table tenants_17 is locked'), 500],
  'an error with a status': [
    () => Object.assign(new Error('Slow down'), { statusCode: 429, code: 'SLOW', retry: 1 }),
    429,
    { statusCode: 429, code: 'SLOW', error: 'Too Many Requests', message: 'Slow down' },
  ],
  'a frozen error': [
    () => Object.freeze(Object.assign(new Error('No'), { statusCode: 403 })),
    403,
    { statusCode: 403, error: 'Forbidden', message: 'No' },
  ],
  'an error with the status of a success': [
    () => Object.assign(new Error('tenants_17'), { statusCode: 200 }),
    500,
  ],
  'an error whose status is text': [() => Object.assign(new Error('tenants_17'), { statusCode: '429' }), 500],
  'an error whose status is a fraction': [
    () => Object.assign(new Error('tenants_17'), { statusCode: 429.5 }),
    500,
  ],
  'an error whose status is NaN': [
    () => Object.assign(new Error('tenants_17'), { statusCode: Number.NaN }),
    500,
  ],
  'an error of a driver': [() => Object.assign(new Error('tenants_17'), { code: 11000, errno: -5 }), 500],
  'an error whose message is an object': [
    () => Object.assign(new Error(), { message: { tenants_17: true }, statusCode: 500 }),
    500,
  ],
  'an error whose cause is text': [() => new Error('tenants_17', { cause: 'text' }), 500],
  'an error with a getter that throws': [() => hostile('statusCode', new Error('tenants_17')), 500],
  'an error with a cause that throws': [
    () => new Error('x', { cause: hostile('stack', new Error('tenants_17')) }),
    500,
  ],
  'an error of another realm': [
    () => ofOtherRealm({ message: 'Slow down', statusCode: 429, code: 'SLOW', part: 'tenants_17' }),
    429,
    { statusCode: 429, code: 'SLOW', error: 'Too Many Requests', message: 'Slow down' },
  ],
  'an error of another realm without a status': [() => ofOtherRealm({ message: 'tenants_17' }), 500],
  'an object': [() => ({ tenants_17: true }), 500],
  'an object with a status': [
    () => ({ statusCode: 429, ok: false, retry: '1 minute' }),
    429,
    { statusCode: 429, ok: false, retry: '1 minute' },
  ],
  'an object with a message': [
    () => Object.freeze({ statusCode: 400, message: 'Ask again', details: [1] }),
    400,
    { statusCode: 400, message: 'Ask again', details: [1] },
  ],
  'an object with the status 503': [() => ({ statusCode: 503, message: 'tenants_17' }), 503],
  'an object with the status of a redirect': [() => ({ statusCode: 302, location: 'tenants_17' }), 500],
  'an object without a prototype': [
    () => Object.assign(Object.create(null), { statusCode: 418 }),
    418,
    { statusCode: 418 },
  ],
  'an object with a getter that throws': [() => hostile('message', { statusCode: 429 }), 500],
  'a circle': [
    () => {
      const circle: Record<string, unknown> = { statusCode: 429 }
      circle.self = circle
      return circle
    },
    500,
  ],
  'a proxy that throws': [
    () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('tenants_17')
          },
          getPrototypeOf: () => {
            throw new Error('tenants_17')
          },
        },
      ),
    500,
  ],
  'a list': [() => ['tenants_17'], 500],
  text: [() => 'tenants_17', 500],
  'empty text': [() => '', 500],
  'a number': [() => 404, 500],
  zero: [() => 0, 500],
  null: [() => null, 500],
  undefined: [() => undefined, 500],
  'a symbol': [() => Symbol('tenants_17'), 500],
  'a function': [() => () => 'tenants_17', 500],
}

const asks = { json: 'application/json', page: 'text/html' }

/** What the hooks throw next. */
let next: { hook: 'onRequest' | 'preHandler'; value(): unknown } | null = null

const throwing = (app: FastifyInstance) => {
  for (const hook of ['onRequest', 'preHandler'] as const)
    app.addHook(hook, async () => {
      if (next?.hook === hook) throw next.value()
    })
}

let plain: FastifyInstance
let handled: FastifyInstance

beforeAll(async () => {
  plain = (await testApp({}, { before: throwing })).app
  const before = (app: FastifyInstance) => {
    app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
      // As most are written.
      const code = error.statusCode ?? 500
      return reply.code(code >= 400 && code <= 599 ? code : 500).send({ handled: true })
    })
    throwing(app)
  }
  handled = (await testApp({ errorResponses: 'host' }, { before })).app
})

describe.each(Object.entries(thrown))(
  'FLT-38 a hook of the app that throws %s',
  (_name, [value, status, body]) => {
    test.each(['onRequest', 'preHandler'] as const)(
      'in %s gets the response it asks for, and shows nothing else',
      async (hook) => {
        next = { hook, value }
        const json = await plain.inject({ url: '/reset/d/', headers: { accept: asks.json } })
        expect([json.statusCode, json.headers['content-type']]).toEqual([
          status,
          'application/json; charset=utf-8',
        ])
        if (body) expect(json.json()).toEqual(body)
        else expect(json.json()).toMatchObject({ statusCode: status, message: 'Something went wrong.' })
        const page = await plain.inject({ url: '/reset/d/', headers: { accept: asks.page } })
        expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
        expect(page.body).toContain('</html>')
        for (const each of [json, page])
          expect(each.body).not.toMatch(/tenants_17|Cannot read|isn't an error|undefined/)
      },
    )

    test('reaches an error handler of the app as something it can read', async () => {
      next = { hook: 'onRequest', value }
      const response = await handled.inject({ method: 'POST', url: '/login/', payload: {} })
      expect(response.json()).toEqual({ handled: true })
    })
  },
)

test('FLT-38 a thrown error passes on when to ask again, and no other header', async () => {
  const headers = {
    'retry-after': '7',
    'set-cookie': 'session=x',
    'content-length': '3',
    'X-RateLimit-Reset': 7,
  }
  for (const value of [
    () => Object.assign(new Error('x'), { statusCode: 429, headers }),
    () => ({ statusCode: 429, headers }),
  ]) {
    next = { hook: 'onRequest', value }
    const response = await plain.inject({ method: 'POST', url: '/login/' })
    expect(response.headers).toMatchObject({ 'retry-after': '7', 'x-ratelimit-reset': '7' })
    expect(response.headers).not.toHaveProperty('set-cookie')
    expect(response.json()).toMatchObject({ statusCode: 429 })
  }
})

describe('FLT-38 the log', () => {
  const logged: string[] = []
  const server = { logger: { stream: { write: (line: string) => void logged.push(line) } } }

  test.each([429, 500])(
    'has of a thrown object with status %s what it says, and no more',
    async (statusCode) => {
      const { app } = await testApp({}, { before: throwing, server })
      const request = { headers: { authorization: 'Bearer tenants_17' } }
      for (const [message, line] of [
        ['The issuer is down', 'The issuer is down'],
        [undefined, 'an object with statusCode,request,headers'],
      ]) {
        logged.length = 0
        next = {
          hook: 'onRequest',
          value: () => ({ message, statusCode, request, headers: request.headers }),
        }
        expect((await app.inject({ method: 'POST', url: '/login/' })).statusCode).toBe(statusCode)
        expect(logged.join('')).not.toContain('tenants_17')
        if (statusCode === 500) expect(logged.join('')).toContain(line)
      }
    },
  )

  test('has what an error of another realm says, thrown by a hook or an adapter', async () => {
    const lost = () => ofOtherRealm({ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' })
    const createUser = async () => {
      throw lost()
    }
    const { app } = await testApp({ authorize: { createUser } }, { before: throwing, server })
    for (const [url, value, status] of [
      ['/login/', lost, 500],
      ['/user/', undefined, 503],
    ] as const) {
      logged.length = 0
      next = value ? { hook: 'onRequest', value } : null
      const payload = { username: 'alice', password: goodPassword, confirm_password: goodPassword }
      expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(status)
      expect(logged.join('')).toContain('connect ECONNREFUSED')
    }
  })
})
