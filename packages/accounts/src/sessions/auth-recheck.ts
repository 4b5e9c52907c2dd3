import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AccountsError } from '../errors.js'
import { createRequestSlot } from '../request-slot.js'

/** What a look at a request has found. */
export interface FoundCredential {
  /** What lets it in: the id of a session or an API key, different from that of every other; `null` if nothing does. */
  readonly credential: string | null
  /** Why the credential that it brings doesn't count. Default: nobody is logged in. */
  readonly refusal?: AccountsError | null
}

/**
 * Repeats checks once the body has arrived, unless it had arrived when the check ended. Authorization runs before the
 * body is read; a client that withholds the body could otherwise act on a session, or as staff, long after that has
 * ended.
 */
export interface AuthRecheck {
  /**
   * Looks who sends a request. A repeated look must find the same credential: neither nobody, nor whom else the request
   * could stand for.
   * @param use what follows from it; throws if that isn't enough
   * @param before what an earlier look has found. Default: this one is the first
   * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, or the refusal, if it isn't found again; what `look` and `use` throw
   */
  look<T extends FoundCredential>(
    request: FastifyRequest,
    look: () => Promise<T>,
    use: (found: T) => Promise<void> | void,
    before?: string | null,
  ): Promise<void>
  /** Runs a check of what a look has found. */
  check(request: FastifyRequest, check: () => Promise<void> | void): Promise<void>
}

/**
 * For every route of the app. On HTTP/1, a request whose body comes with its headers, or that has none, costs nothing extra.
 * @param inLanguage puts an error into the language of the request
 */
export function createAuthRecheck(
  app: FastifyInstance,
  inLanguage: (error: unknown, request: FastifyRequest) => unknown,
): AuthRecheck {
  const waiting = createRequestSlot<(() => Promise<void> | void)[]>('recheck')

  async function all(checks: readonly (() => Promise<void> | void)[]): Promise<void> {
    for (const check of checks) await check()
  }

  app.addHook('preValidation', (request, _reply, done) => {
    const checks = waiting.get(request)
    if (checks === undefined) return done()
    waiting.set(request, undefined)
    all(checks).then(() => done(), done)
  })

  function repeat(request: FastifyRequest, check: () => Promise<void> | void): void {
    const checks = waiting.get(request)
    // An earlier check will run again and may find something else, so this one must follow it.
    if (checks) checks.push(check)
    else if (!request.raw.complete && mayBringBody(request)) waiting.set(request, [check])
  }

  return {
    async look(request, look, use, before = null) {
      let accepted = before
      async function check(): Promise<void> {
        try {
          const found = await look()
          demandSame(accepted, found)
          accepted = found.credential
          await use(found)
        } catch (error) {
          throw inLanguage(error, request)
        }
      }
      await check()
      // Of nobody, nothing can have ended.
      if (accepted !== null) repeat(request, check)
    },
    async check(request, condition) {
      async function check(): Promise<void> {
        try {
          await condition()
        } catch (error) {
          throw inLanguage(error, request)
        }
      }
      await check()
      repeat(request, check)
    },
  }
}

/** @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, or the refusal */
function demandSame(before: string | null, { credential, refusal }: FoundCredential): void {
  if (before === null || credential === before) return
  throw refusal ?? new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
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
