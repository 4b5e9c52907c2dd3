import { type Client, deriveKeys, openSealed, type PageVisit, seal } from 'fastify-accounts/features'
import { pageCookie } from './cookie.js'
import type { Site } from './site.js'

/** Seconds that somebody has to keep what a page shows once, such as recovery codes. */
const lifetime = 15 * 60

/**
 * Secrets that a form has made, for the page after it: sealed in a cookie of this browser, and only for the login that made them.
 * A reload shows them again, until they are kept.
 */
export interface ShownOnce {
  write(visit: PageVisit, page: string, values: readonly string[]): void
  /** Nothing if there is nothing for this page and login. */
  read(visit: PageVisit, page: string): readonly string[]
  clear(client: Client): void
}

export function createShownOnce({ core }: Pick<Site, 'core'>): ShownOnce {
  const { secret, session } = core.options
  const keys = deriveKeys(secret, `pages-shown-once:${session.cookieName}`)
  const cookie = pageCookie(core, 'once')
  const contextOf = ({ who }: PageVisit, page: string): string => `${page} ${who?.user.id ?? ''}`
  return {
    write(visit, page, values) {
      const now = Date.now()
      // What has made them may have begun the login anew, as sessions of the app do; a later one begins later.
      const latest = Math.max(now, beginningOf(visit))
      const text = JSON.stringify([now + lifetime * 1000, latest, ...values])
      cookie.write(visit.client, seal(keys[0], text, contextOf(visit, page)), lifetime)
    },
    read(visit, page) {
      const text = openSealed(keys, cookie.read(visit.client) ?? '', contextOf(visit, page))
      const [end, latest, ...values]: [number, number, ...string[]] = JSON.parse(text ?? '[0,0]')
      return Date.now() < end && beginningOf(visit) <= latest ? values : []
    },
    clear: (client) => cookie.clear(client),
  }
}

const beginningOf = ({ who }: PageVisit): number => who?.login.createdAt.getTime() ?? Number.POSITIVE_INFINITY
