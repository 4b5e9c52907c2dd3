import type { CreateRateLimitOptions } from '@fastify/rate-limit'
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
 * Makes limiters on the throttle store, or of the host's @fastify/rate-limit if that has a store of its own, such as
 * Redis.
 */
export function createIpLimiters(
  scope: FastifyInstance,
  store: ThrottleStore,
): (limit: IpLimit) => IpLimiter {
  const isHosts = scope.hasDecorator('createRateLimit') && !forgetsInFloods(scope)
  if (!isHosts) return (limit) => limiterOn(store, limit)
  return (limit) => ({
    // The host may let its own routes through while its store is down.
    count: scope.createRateLimit({ ...limit, skipOnError: false }),
    giveBack: async () => {},
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

function limiterOn(store: ThrottleStore, { max, timeWindow, keyGenerator }: IpLimit): IpLimiter {
  const keyOf = (request: FastifyRequest): string => `ip:${keyGenerator(request)}`
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
