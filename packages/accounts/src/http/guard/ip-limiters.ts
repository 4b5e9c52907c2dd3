import fastifyRateLimit, { type CreateRateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ThrottleStore } from '../../seams/throttle-store.js'

/** Counts requests by client address. */
export interface IpLimiter {
  /** Counts a request, and says whether it is over the limit; `isAllowed` if the host exempts it. */
  count(
    request: FastifyRequest,
  ): Promise<
    | { isAllowed: true }
    | { isAllowed: false; max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean }
  >
  /** Uncounts it. Not in a store of the host's @fastify/rate-limit, which can't. */
  giveBack(request: FastifyRequest): Promise<void>
}

/** A limit, with its window in milliseconds, and what a request is counted by. */
interface IpLimit {
  max: number
  timeWindow: number
  keyGenerator: (request: FastifyRequest) => string
}

/**
 * Makes limiters of @fastify/rate-limit: the host's if it has registered it with a store of its own, such as
 * Redis, otherwise on the throttle store.
 */
export async function createIpLimiters(
  scope: FastifyInstance,
  store: ThrottleStore,
): Promise<(limit: IpLimit) => IpLimiter> {
  const isHosts = scope.hasDecorator('createRateLimit')
  if (isHosts && forgetsInFloods(scope)) return (limit) => limiterOn(store, limit)
  if (!isHosts) await scope.register(fastifyRateLimit, { global: false, store: rateLimitStore(store) })
  return (limit) => ({
    // The host may let its own routes through while its store is down.
    count: scope.createRateLimit({ ...limit, skipOnError: false }),
    giveBack: isHosts ? async () => {} : (request) => store.decrement(ipKey(limit.keyGenerator(request))),
  })
}

/**
 * Whether the host's counters are in the memory of @fastify/rate-limit, where 5,000 other clients evict them.
 * Only that store takes a size, so only it rejects a wrong one.
 */
function forgetsInFloods(scope: FastifyInstance): boolean {
  try {
    scope.createRateLimit({ cache: -1 } as CreateRateLimitOptions)
    return false
  } catch {
    return true
  }
}

/** The same beside the host's @fastify/rate-limit, which can't be registered twice. */
function limiterOn(store: ThrottleStore, { max, timeWindow, keyGenerator }: IpLimit): IpLimiter {
  const keyOf = (request: FastifyRequest): string => ipKey(keyGenerator(request))
  return {
    async count(request) {
      const { count, resetMs } = await store.increment(keyOf(request), timeWindow)
      return {
        isAllowed: false,
        max,
        remaining: Math.max(0, max - count),
        ttlInSeconds: Math.ceil(resetMs / 1000),
        isExceeded: count > max,
      }
    },
    giveBack: (request) => store.decrement(keyOf(request)),
  }
}

type Callback = (error: Error | null, result?: { current: number; ttl: number }) => void

/** Adapts our throttle store to @fastify/rate-limit. */
function rateLimitStore(store: ThrottleStore) {
  return class {
    incr(key: string, callback: Callback, timeWindow: number): void {
      store
        .increment(ipKey(key), timeWindow)
        .then(({ count, resetMs }) => callback(null, { current: count, ttl: resetMs }), callback)
    }

    child(): this {
      return this
    }
  }
}

const ipKey = (key: string): string => `ip:${key}`
