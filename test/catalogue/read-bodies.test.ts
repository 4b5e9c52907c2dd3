import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { goodPassword, type Host, signUp } from '@fastify-accounts/test-support/app'
import type { preParsingHookHandler } from 'fastify'
import { expect, onTestFinished, vi } from 'vitest'
import { cases } from './catalogue.js'
import { postPaths } from './routes.js'
import type { Service } from './service.js'

const credentials = { username: 'alice', password: goodPassword }
const json = ['Content-Type: application/json']
const form = ['Content-Type: application/x-www-form-urlencoded']

/** Each with its headers. */
const bodies: Record<string, [headers: string[], body: string]> = {
  JSON: [json, JSON.stringify(credentials)],
  form: [form, `${new URLSearchParams(credentials)}`],
  'an empty body': [json, ''],
  'no body': [[], ''],
}

/** Sends a body over a socket, in chunks if its headers say so. */
function post(service: Service, path: string, [headers, body]: [string[], string]) {
  const isChunked = headers.some((each) => /^transfer-encoding/i.test(each))
  const framing = isChunked || headers.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const head = [`POST ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, ...framing, '', ''].join(
    '\r\n',
  )
  return service.raw(head + (isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body))
}

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

/** A platform that reads each body before Fastify sees the request. */
function platform(keep: (request: IncomingMessage, bytes: Buffer) => void = () => {}): Host {
  const serve =
    (handler: RequestListener): RequestListener =>
    async (request, response) => {
      keep(request, await bytesOf(request))
      handler(request, response)
    }
  return {
    server: { serverFactory: (handler) => createServer(serve(handler as RequestListener)) } as NonNullable<
      Host['server']
    >,
  }
}

const preParsing = (hook: preParsingHookHandler): Host => ({
  before: (app) => app.addHook('preParsing', hook),
})

/** Runs after every hook of the plugin. */
const lastPreParsing = (hook: preParsingHookHandler): Host => ({
  before: (app) =>
    app.addHook('onRoute', (route) => {
      route.preParsing = [route.preParsing ?? [], hook].flat()
    }),
})

const onRequest = (read: (request: IncomingMessage) => unknown): Host => ({
  before: (app) => app.addHook('onRequest', async ({ raw }) => void (await read(raw))),
})

const rawBody = (request: IncomingMessage, bytes: Uint8Array) =>
  void Object.assign(request, { rawBody: bytes })

/** Who reads a body before the plugin does, and leaves it. */
const leaveIt: Record<string, Host> = {
  nobody: {},
  'the platform, which leaves rawBody': platform(rawBody),
  'the same as a Uint8Array': platform((request, bytes) => rawBody(request, new Uint8Array(bytes))),
  'a hook that keeps the bytes and passes them on': preParsing(async (_request, _reply, payload) =>
    Readable.from([await bytesOf(payload)]),
  ),
  'the same, after those of the plugin': lastPreParsing(async (_request, _reply, payload) =>
    Readable.from([await bytesOf(payload)]),
  ),
  'a hook that listens as well': lastPreParsing((_request, _reply, payload, done) => {
    payload.on('data', () => {})
    done(null, payload)
  }),
  'a hook that pauses the stream': onRequest((raw) => raw.pause()),
  'a hook that returns none': preParsing((_request, _reply, payload, done) => done(null, payload)),
}

/** Who reads it and leaves nothing. */
const takeIt: Record<string, Host> = {
  'the platform, which leaves nothing': platform(),
  'the platform, which leaves what it parsed': platform((request, bytes) =>
    Object.assign(request, { body: `${bytes}`, rawBody: `${bytes}` }),
  ),
  middleware: onRequest(bytesOf),
  'middleware that reads a part': onRequest(async (raw) => {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }))
      return raw.unshift(`${chunk}`.slice(3))
  }),
  'a hook that reads it': preParsing(async (_request, _reply, payload) => void (await bytesOf(payload))),
  'the same, after those of the plugin': lastPreParsing(
    async (_request, _reply, payload) => void (await bytesOf(payload)),
  ),
  'a hook that returns a destroyed stream': lastPreParsing((_request, _reply, _payload, done) =>
    done(null, new PassThrough().destroy()),
  ),
  'a hook that returns a stream which breaks off': lastPreParsing((_request, _reply, _payload, done) => {
    const stream = new PassThrough()
    stream.once('resume', () => stream.destroy())
    done(null, stream)
  }),
  'a hook that returns a stream of objects': lastPreParsing((_request, _reply, _payload, done) =>
    done(null, Readable.from([{ username: 'alice' }])),
  ),
  'a hook that returns what it parsed': lastPreParsing((_request, _reply, _payload, done) =>
    done(null, {} as Readable),
  ),
}

/** Who never passes it on. */
const holdIt: Record<string, Host> = {
  'a hook that never calls back': preParsing(() => {}),
  'the same, after those of the plugin': lastPreParsing(() => {}),
  'a hook that returns a stream which never begins': lastPreParsing((_request, _reply, _payload, done) =>
    done(null, new PassThrough()),
  ),
  'a hook that waits for a stream which never begins': preParsing(
    async () => void (await bytesOf(new PassThrough())),
  ),
  'somebody who waits for the stream to be readable': onRequest((raw) => raw.on('readable', () => {})),
}

const fault = /the body of POST \/login\/ [^"]+; check the hooks and middleware of the app, and the platform/

/** Runs the event loop until the condition is met; `expect.poll` would advance the frozen clock. */
async function turns(until: () => boolean): Promise<void> {
  while (!until()) await new Promise(setImmediate)
}

/** Counts requests whose `onRequest` hooks are over, so the plugin's timer runs, and keeps what is logged. */
function watched(host: Host) {
  const seen = { arrived: 0, log: '' }
  const stream = {
    write(line: string) {
      seen.log += line
    },
  }
  const watching: Host = {
    server: { ...host.server, logger: { stream } },
    before(app) {
      app.addHook('preParsing', (_request, _reply, _payload, done) => {
        seen.arrived += 1
        done()
      })
      return host.before?.(app)
    },
  }
  return { seen, host: watching }
}

const once = { on: 'memory', because: 'no store is involved' } as const

cases('Denial of service', ({ rule }) => {
  rule(
    'DOS-16',
    {
      tried:
        'a POST as JSON, as a form and empty, whose body somebody has read before and left, in every way there is',
      expected: 'the same response as if nobody had; 413 above 16 KiB',
      ...once,
    },
    async ({ start }) => {
      await signUp(await start())
      for (const [reader, host] of Object.entries(leaveIt)) {
        const service = await start({}, host)
        const statuses = async (path: string) => {
          const all = []
          for (const body of Object.values(bodies)) all.push((await post(service, path, body)).statusCode)
          return all
        }
        expect([reader, await statuses('/login/')]).toEqual([reader, [200, 200, 400, 400]])
        expect([reader, await statuses('/logout/')]).toEqual([reader, [400, 400, 204, 204]])
        const large = JSON.stringify({ ...credentials, password: 'x'.repeat(17_000) })
        for (const headers of [json, [...json, 'Transfer-Encoding: chunked']]) {
          const { statusCode, body } = await post(service, '/login/', [headers, large])
          expect([reader, statusCode, JSON.parse(body).code]).toEqual([
            reader,
            413,
            'FST_ERR_CTP_BODY_TOO_LARGE',
          ])
        }
      }
    },
  )

  rule(
    'DOS-16',
    {
      tried: 'the same where nothing is left of it, at every route',
      expected: '500 at once, and the log says why; what needs no body works',
      ...once,
    },
    async ({ start }) => {
      for (const [reader, host] of Object.entries(takeIt)) {
        const { seen, host: own } = watched(host)
        const service = await start({}, own)
        for (const name of ['JSON', 'form'] as const) {
          const response = await post(service, '/login/', bodies[name] ?? [[], ''])
          expect([reader, response.statusCode]).toEqual([reader, 500])
          expect(response.body).not.toContain('middleware')
        }
        expect([reader, seen.log.match(fault)?.length]).toEqual([reader, 1])
        // At once, and not when the time of a body is over.
        expect([reader, seen.log.includes('is held back')]).toEqual([reader, false])
        const { statusCode } = await post(service, '/logout/', [[], ''])
        expect([reader, statusCode]).toEqual([reader, 204])
      }
      const service = await start({}, platform())
      expect((await post(service, '/logout/', [json, ''])).statusCode).toBe(204)
      for (const path of await postPaths(service)) {
        const { statusCode } = await post(service, path, [json, '{"x":1}'])
        expect([path, statusCode]).toEqual([path, expect.toSatisfy((each) => [500, 401].includes(each))])
      }
    },
  )

  rule(
    'DOS-16',
    {
      tried:
        'the same where it is held for good; and bodies that stop arriving while a hook of the app collects them',
      expected:
        'after ten seconds 500, and the log says why; 408 ACCOUNTS_REQUEST_TIMEOUT for what never arrives',
      ...once,
    },
    async ({ start }) => {
      onTestFinished(() => void vi.useRealTimers())
      for (const [reader, host] of Object.entries(holdIt)) {
        const { seen, host: own } = watched(host)
        const service = await start({}, own)
        await service.listen()
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
        const response = post(service, '/login/', bodies.JSON ?? [[], ''])
        await turns(() => seen.arrived === 1)
        vi.advanceTimersByTime(10_000)
        expect([reader, (await response).statusCode]).toEqual([reader, 500])
        vi.useRealTimers()
        expect(seen.log).toMatch(fault)
      }
      for (const [reader, host] of Object.entries({ ...leaveIt, ...takeIt })) {
        // What reads before the request is admitted has its own limits, and what replaces the body doesn't wait for it.
        if (host.server !== undefined || /^middleware|returns a|what it parsed/.test(reader)) continue
        const { seen, host: own } = watched(host)
        const service = await start({}, own)
        await service.listen()
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
        const head = ['POST /login/ HTTP/1.1', 'Host: a', 'Connection: close', ...json, 'Content-Length: 99']
        const response = service.raw(`${head.join('\r\n')}\r\n\r\n{"username":`)
        await turns(() => seen.arrived === 1)
        vi.advanceTimersByTime(10_000)
        const { statusCode, body } = await response
        expect([reader, statusCode]).toEqual([reader, 408])
        expect(JSON.parse(body).code).toBe('ACCOUNTS_REQUEST_TIMEOUT')
        vi.useRealTimers()
      }
    },
  )
})
