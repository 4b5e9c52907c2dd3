import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../../errors.js'
import type { IpBudget, Limits } from '../../options/limits.js'
import { createRequestSlot } from '../../request-slot.js'
import type { ThrottleStore } from '../../seams/throttle-store.js'
import { addressOf } from '../../sessions/describe-client.js'
import { createIpLimiters, type IpLimiter } from './ip-limiters.js'
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
export function createThrottleByIp(
  scope: FastifyInstance,
  limits: Readonly<Limits> | false,
  store: ThrottleStore,
  realm: string,
): ThrottleByIp {
  if (limits === false) return { spend: async () => {}, giveBack: async () => {} }
  const createLimiter = createIpLimiters(scope, store)
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
