import fastifyRateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError, refusal } from '../errors.js'
import type { IpBudget, Limits } from '../options/limits.js'
import type { ThrottleStore } from '../seams/throttle-store.js'
import { addressOf } from '../sessions/client.js'
import { setRateLimitHeaders } from './security-headers.js'
import type { WarmUp } from './warm-up.js'

/** A documentation address (RFC 3849). */
const someAddress = '2001:db8::1'

/** Spends one of the client's attempts; all routes with the same budget share it. */
export type ThrottleByIp = (budget: IpBudget, request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** An IPv6 client counts by its /64, one customer's share; an IPv4 address mapped into IPv6 counts as itself. */
function clientKey(request: FastifyRequest): string {
  const address = addressOf(request)
  // Without an address, as over a Unix socket: one bucket for all, never none.
  return address === null ? 'unknown' : normalizeIP(address, 64)
}

/**
 * Limits by client IP through @fastify/rate-limit: the host's if registered (with its Redis), otherwise our
 * own on the throttle store.
 */
export async function createThrottleByIp(
  scope: FastifyInstance,
  limits: Readonly<Limits> | false,
  store: ThrottleStore,
  realm: string,
  warmUp: WarmUp,
): Promise<ThrottleByIp> {
  if (limits === false) return async () => {}
  // Node.js 20 parses addresses by a regular expression that takes milliseconds to compile on its second use.
  warmUp(() => normalizeIP(someAddress, 64))
  warmUp(() => normalizeIP(someAddress, 64))
  if (!scope.hasDecorator('createRateLimit')) {
    await scope.register(fastifyRateLimit, { global: false, store: rateLimitStore(store) })
  }
  const limiters = new Map<IpBudget, ReturnType<FastifyInstance['createRateLimit']>>()

  return async (budget, request, reply) => {
    const { max, window } = limits[budget]
    let limiter = limiters.get(budget)
    if (limiter === undefined) {
      const keyGenerator = (each: FastifyRequest): string => `${realm}:${budget}:${clientKey(each)}`
      // The host may let its own routes through while its store is down.
      limiter = scope.createRateLimit({ max, timeWindow: window, keyGenerator, skipOnError: false })
      limiters.set(budget, limiter)
    }
    const result = await limiter(request).catch((cause: unknown) => {
      // Without a count, nobody knows whether this is the first attempt or the millionth.
      throw new AccountsError('ACCOUNTS_UNAVAILABLE', { cause, retryAfter: 5 })
    })
    if (result.isAllowed) return
    const retryAfter = Math.max(1, result.ttlInSeconds)
    if (result.isExceeded) throw refusal('ACCOUNTS_THROTTLED', { limit: result.max, retryAfter })
    setRateLimitHeaders(reply, { limit: result.max, remaining: result.remaining, reset: retryAfter })
  }
}

type Callback = (error: Error | null, result?: { current: number; ttl: number }) => void

/** Adapts our throttle store to @fastify/rate-limit, whose own in-memory store evicts under a flood of keys. */
function rateLimitStore(store: ThrottleStore) {
  return class {
    incr(key: string, callback: Callback, timeWindow: number): void {
      store
        .increment(`ip:${key}`, timeWindow)
        .then(({ count, resetMs }) => callback(null, { current: count, ttl: resetMs }), callback)
    }

    child(): this {
      return this
    }
  }
}
