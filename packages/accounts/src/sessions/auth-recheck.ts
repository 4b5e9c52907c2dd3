import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRequestSlot } from '../request-slot.js'

/**
 * Repeats a check once the body has arrived, unless it had arrived when the check ended. Authorization runs before the
 * body is read; a client that withholds the body could otherwise act on a session, or as staff, long after that has
 * ended.
 */
export type AuthRecheck = (request: FastifyRequest, check: () => Promise<void>) => void

/** For every route of the app. On HTTP/1, a request whose body comes with its headers, or that has none, costs nothing extra. */
export function createAuthRecheck(app: FastifyInstance): AuthRecheck {
  const waiting = createRequestSlot<(() => Promise<void>)[]>('recheck')

  async function all(checks: readonly (() => Promise<void>)[]): Promise<void> {
    for (const check of checks) await check()
  }

  app.addHook('preHandler', (request, _reply, done) => {
    const checks = waiting.get(request)
    if (checks === undefined) return done()
    waiting.set(request, undefined)
    all(checks).then(() => done(), done)
  })

  return (request, check) => {
    const checks = waiting.get(request)
    // An earlier check will run again and may find something else, so this one must follow it.
    if (checks) checks.push(check)
    else if (!request.raw.complete && mayBringBody(request)) waiting.set(request, [check])
  }
}

/** HTTP/2 has no header for it, and requests by `inject` have no `complete`. */
function mayBringBody({ method, headers, raw }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = headers
  return raw.httpVersionMajor > 1 || encoding !== undefined || length !== '0'
}

/** Whether the `onRequest` hooks of a request are over. What they found may be outdated since: a body is read, a socket stays open. */
export type IsUnderWay = (request: FastifyRequest) => boolean

/** For every route of the app. */
export function createIsUnderWay(app: FastifyInstance): IsUnderWay {
  const underWay = createRequestSlot<true>('under-way')
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    underWay.set(request, true)
    done()
  })
  return (request) => underWay.get(request) === true
}
