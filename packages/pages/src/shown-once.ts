import { type Client, deriveKeys, openSealed, type PageVisit, seal } from 'fastify-accounts/features'
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
  const cookie = core.cookie('once')
  // A login keeps when it began, whatever is confirmed or changed.
  const contextOf = ({ who }: PageVisit, page: string): string =>
    `${page} ${who?.user.id ?? ''} ${who?.login.createdAt.getTime() ?? ''}`
  return {
    write(visit, page, values) {
      const text = JSON.stringify([Date.now() + lifetime * 1000, ...values])
      cookie.write(visit.client, seal(keys[0], text, contextOf(visit, page)), lifetime)
    },
    read(visit, page) {
      const text = openSealed(keys, cookie.read(visit.client) ?? '', contextOf(visit, page))
      const [end, ...values]: [number, ...string[]] = JSON.parse(text ?? '[0]')
      return Date.now() < end ? values : []
    },
    clear: (client) => cookie.clear(client),
  }
}
