import type { Client, FeatureCore, NamedCookie } from 'fastify-accounts/features'

/**
 * A cookie of the pages. A request that only looks ahead, for a person who may never see the page, leaves it as it is: HEAD,
 * and what a browser prefetches.
 */
export function pageCookie({ cookie }: Pick<FeatureCore, 'cookie'>, name: string): NamedCookie {
  const { read, write, clear } = cookie(name)
  return {
    read,
    write(client, value, maxAge) {
      if (!looksAhead(client)) write(client, value, maxAge)
    },
    clear(client) {
      if (!looksAhead(client)) clear(client)
    },
  }
}

const looksAhead = ({ isHead, isPrefetch }: Client): boolean => isHead || isPrefetch
