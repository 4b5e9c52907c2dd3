import { type Client, deriveKeys, openSealed, seal } from 'fastify-accounts/features'
import { pageCookie } from '../cookie.js'
import type { Site } from '../site.js'

/** Seconds: a day at most. */
const longest = 24 * 3600

/** Seconds for which the page that leads there may be reloaded. */
const reloadable = 10 * 60

/** Keeps where somebody wanted to go, until they have read an email. */
export function keepReturn(site: Site, client: Client, next: string | null): void {
  const kept = pageCookie(site.core, 'return')
  if (next === null) {
    kept.clear(client)
    return
  }
  const lifetime = Math.min(longest, Math.floor(site.core.options.links.verifyLifetime / 1000))
  kept.write(client, seal(keysOf(site)[0], next), lifetime)
}

/** The path that was kept, for a page that leads there, and for its reload; `null` if none was. */
export function showReturn(site: Site, client: Client): string | null {
  const kept = pageCookie(site.core, 'return')
  const sealed = kept.read(client)
  if (sealed === undefined) return null
  kept.write(client, sealed, reloadable)
  return opened(site, sealed)
}

/** The same once, for a redirect. */
export function takeReturn(site: Site, client: Client): string | null {
  const kept = pageCookie(site.core, 'return')
  const sealed = kept.read(client)
  kept.clear(client)
  return sealed === undefined ? null : opened(site, sealed)
}

const opened = (site: Site, sealed: string): string | null => site.nextOf(openSealed(keysOf(site), sealed))

const keysOf = ({ core: { options } }: Site): ReturnType<typeof deriveKeys> =>
  deriveKeys(options.secret, `pages-return:${options.session.cookieName}`)
