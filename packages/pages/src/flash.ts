import type { Client, FeatureCore, PageVisit } from 'fastify-accounts/features'
import { pageCookie } from './cookie.js'
import { sealedFor } from './sealed.js'

/** What the next page of a browser shows once: sealed, so nobody else can put words there. */
export interface Flash {
  /** A text that was made for this browser. */
  notice?: { tone: 'good' | 'info'; text: string }
  /** The id of the user for whom `notice` is: nobody else reads it in this browser. Default: for anybody. */
  noticeFor?: string
  /** What was typed into a form that somebody has to log in or to confirm for first. Never a secret. */
  draft?: Draft
  /** The page after a form of a link: HTML that was made here. `isBeside`: somebody else was logged in there. */
  done?: { heading: string; main: string; logIn?: boolean; isBeside?: boolean }
}

/** Only for who has typed it. */
interface Draft {
  /** The path of the form's page, as browsers see it. */
  path: string
  /** The id of the user whose page it was. */
  by: string
  values: Readonly<Record<string, string>>
}

/** Seconds: as long as somebody needs to log in again. */
const lifetime = 15 * 60

/** Characters that a browser keeps in a cookie, with its name and attributes. */
const longest = 3800

export interface Flashes {
  write(client: Client, flash: Flash): void
  /** Shows it once: without a message that is for somebody else. */
  take(visit: Pick<PageVisit, 'client' | 'who'>): Flash
}

export function createFlashes(core: FeatureCore): Flashes {
  const flashes = sealedFor<Flash>(core, 'flash', lifetime)
  const cookie = pageCookie(core, 'flash')
  return {
    write(client, { draft, ...rest }) {
      // What doesn't fit is lost rather than the response refused: first what was typed, then a message, never a change.
      const fitting = [{ ...rest, ...(draft && { draft }) }, rest]
        .map((flash) => flashes.seal(flash, ''))
        .find((sealed) => sealed.length <= longest)
      if (fitting !== undefined) cookie.write(client, fitting, lifetime)
    },
    take({ client, who }) {
      const sealed = cookie.read(client)
      if (sealed !== undefined) cookie.clear(client)
      const { notice, noticeFor, ...flash } = flashes.open(sealed, '') ?? {}
      const isTheirs = noticeFor === undefined || noticeFor === who?.user.id
      return { ...flash, ...(notice && isTheirs && { notice }) }
    },
  }
}
