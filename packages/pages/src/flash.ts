import { type Client, deriveKeys, type FeatureCore, openSealed, seal } from 'fastify-accounts/features'
import { pageCookie } from './cookie.js'

/** What the next page of a browser shows once: sealed, so nobody else can put words there. */
export interface Flash {
  /** A text that was made for this browser. */
  notice?: { tone: 'good' | 'info'; text: string }
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

/** What a browser keeps in a cookie, with its name and attributes; base64 makes a third more of it. */
const longest = 2800

export interface Flashes {
  write(client: Client, flash: Flash): void
  /** Shows it once. */
  take(client: Client): Flash
}

export function createFlashes(core: Pick<FeatureCore, 'cookie' | 'options'>): Flashes {
  const { options } = core
  const keys = deriveKeys(options.secret, `pages-flash:${options.session.cookieName}`)
  const flashCookie = pageCookie(core, 'flash')
  return {
    write(client, flash) {
      const text = JSON.stringify([Date.now() + lifetime * 1000, flash])
      // What doesn't fit is lost rather than the response refused: a message, never a change.
      if (Buffer.byteLength(text) > longest) return
      flashCookie.write(client, seal(keys[0], text), lifetime)
    },
    take(client) {
      const sealed = flashCookie.read(client)
      if (sealed === undefined) return {}
      flashCookie.clear(client)
      const text = openSealed(keys, sealed)
      const [until, flash] = text === null ? [0, {}] : (JSON.parse(text) as [number, Flash])
      // A browser may keep it longer, or somebody may put back an old one.
      return Date.now() < until ? flash : {}
    },
  }
}
