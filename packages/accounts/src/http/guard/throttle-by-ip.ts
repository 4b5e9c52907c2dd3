import fastifyRateLimit, { type CreateRateLimitOptions, normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../../errors.js'
import type { IpBudget, Limits } from '../../options/limits.js'
import { createRequestSlot } from '../../request-slot.js'
import type { ThrottleStore } from '../../seams/throttle-store.js'
import { addressOf } from '../../sessions/describe-client.js'
import { setRateLimitHeaders } from './security-headers.js'

/** How many times a client's budget all clients of an IPv6 /48 have together; docs/options/limits.md says why. */
const clientsPerNetwork = 10

export interface ThrottleByIp {
  /**
   * Spends one of the client's attempts; all routes with the same budget share it.
   * @param reply says what is left, in its headers; without one nothing does
   */
  spend(budget: IpBudget, request: FastifyRequest, reply?: FastifyReply): Promise<void>
  /** Gives back what the request has spent. Its headers stay, so they tell nothing. */
  giveBack(request: FastifyRequest): Promise<void>
}

/**
 * What a request is counted by. An IPv6 client is its /64, one customer's share, in the network that is its /48,
 * because one customer may have all of that. An IPv4 address mapped into IPv6 counts as itself.
 */
interface Keys {
  client: string
  network?: string
}

const spent = createRequestSlot<IpLimiter[]>('ipSpent')
const keys = createRequestSlot<Keys>('ipKeys')
const keysOf = (request: FastifyRequest): Keys =>
  keys.getOrCreate(request, () => keysOfAddress(addressOf(request)))

function keysOfAddress(address: string | null): Keys {
  // Without an address, as over a Unix socket: one bucket for all, never none.
  if (address === null) return { client: 'unknown' }
  const client = normalizeIP(address, 64)
  return client.includes(':') ? { client, network: `${normalizeIP(address, 48)}/48` } : { client }
}

/** Limits by client IP. */
export async function createThrottleByIp(
  scope: FastifyInstance,
  limits: Readonly<Limits> | false,
  store: ThrottleStore,
  realm: string,
): Promise<ThrottleByIp> {
  if (limits === false) return { spend: async () => {}, giveBack: async () => {} }
  const createLimiter = await createIpLimiters(scope, store)
  const limiters = new Map<IpBudget, Record<keyof Keys, IpLimiter>>()

  function limitersOf(budget: IpBudget, { max, window }: Limits[IpBudget]): Record<keyof Keys, IpLimiter> {
    const limiterBy = (by: keyof Keys, share: number): IpLimiter =>
      createLimiter({
        max: max * share,
        timeWindow: window,
        keyGenerator: (request) => `${realm}:${budget}:${keysOf(request)[by]}`,
      })
    const created = { client: limiterBy('client', 1), network: limiterBy('network', clientsPerNetwork) }
    limiters.set(budget, created)
    return created
  }

  const spend: ThrottleByIp['spend'] = async (budget, request, reply) => {
    const { client, network } = limiters.get(budget) ?? limitersOf(budget, limits[budget])
    // The client first: one that is over its limit doesn't use up that of its neighbors.
    for (const limiter of keysOf(request).network === undefined ? [client] : [client, network]) {
      const result = await limiter.count(request).catch((cause: unknown) => {
        // Without a count, nobody knows whether this is the first attempt or the millionth.
        throw new AccountsError('ACCOUNTS_UNAVAILABLE', { cause, retryAfter: 5 })
      })
      if (result.isAllowed) return
      spent.getOrCreate(request, () => []).push(limiter)
      const retryAfter = Math.max(1, result.ttlInSeconds)
      if (result.isExceeded) throw new AccountsError('ACCOUNTS_THROTTLED', { limit: result.max, retryAfter })
      if (limiter === client && reply !== undefined)
        setRateLimitHeaders(reply, { limit: result.max, remaining: result.remaining, reset: retryAfter })
    }
  }

  return {
    spend,
    async giveBack(request) {
      const limiters = spent.get(request) ?? []
      spent.set(request, undefined)
      await Promise.all(limiters.map((limiter) => limiter.giveBack(request)))
    },
  }
}

/** Counts requests by client address. */
interface IpLimiter {
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
async function createIpLimiters(
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
