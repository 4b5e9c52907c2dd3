import type { Client, FeatureCore, PageVisit } from 'fastify-accounts/features'
import { pageCookie } from './cookie.js'
import { sealedFor } from './sealed.js'
import { visitorOf, whoOf } from './visitor.js'

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

export function createShownOnce(core: FeatureCore): ShownOnce {
  type Kept = readonly [latest: number, ...values: string[]]
  const secrets = sealedFor<Kept, string>(core, 'shown-once', lifetime)
  const cookie = pageCookie(core, 'once')
  const contextOf = (visit: PageVisit, page: string): string => `${page} ${visitorOf(visit).id}`
  return {
    write(visit, page, values) {
      // What has made them may have begun the login anew, as sessions of the app do; a later one begins later.
      const latest = Math.max(Date.now(), beginningOf(visit))
      cookie.write(visit.client, secrets.seal([latest, ...values], contextOf(visit, page)), lifetime)
    },
    read(visit, page) {
      const [latest, ...values] = secrets.open(cookie.read(visit.client), contextOf(visit, page)) ?? [0]
      return beginningOf(visit) <= latest ? values : []
    },
    clear: (client) => cookie.clear(client),
  }
}

const beginningOf = (visit: PageVisit): number => whoOf(visit).login.createdAt.getTime()
