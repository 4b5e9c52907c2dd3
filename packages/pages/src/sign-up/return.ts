import type { Client, FeatureCore } from 'fastify-accounts/features'
import { pageCookie } from '../cookie.js'
import { sealedFor } from '../sealed.js'

/** Seconds: a day at most. */
const longest = 24 * 3600

/** Seconds for which the page that leads there may be reloaded. */
const reloadable = 10 * 60

/** Where somebody wanted to go before they read an email. */
export interface Returns {
  /** Keeps it; `null` forgets what was kept. */
  keep(client: Client, next: string | null): void
  /** The path that was kept, for a page that leads there, and for its reload; `null` if none was. */
  show(client: Client): string | null
  /** The same once, for a redirect. */
  take(client: Client): string | null
}

export function createReturns(core: FeatureCore, nextOf: (value: unknown) => string | null): Returns {
  const lifetime = Math.min(longest, Math.floor(core.options.links.verifyLifetime / 1000))
  const paths = sealedFor<string>(core, 'return', lifetime + reloadable)
  const cookie = pageCookie(core, 'return')
  return {
    keep(client, next) {
      if (next === null) cookie.clear(client)
      else cookie.write(client, paths.seal(next, ''), lifetime)
    },
    show(client) {
      const sealed = cookie.read(client)
      if (sealed === undefined) return null
      cookie.write(client, sealed, reloadable)
      return nextOf(paths.open(sealed, ''))
    },
    take(client) {
      const sealed = cookie.read(client)
      cookie.clear(client)
      return nextOf(paths.open(sealed, ''))
    },
  }
}
