import type { ResolvedOptions } from '../../options/resolve.js'
import { deriveKeys } from '../../options/secret-keys.js'
import { hour } from '../../options/time.js'
import type { Client } from '../../sessions/client.js'
import type { NamedCookie } from '../../sessions/named-cookie.js'
import { openSealed, seal } from '../../tokens/seal.js'
import { newSeed } from './mailed-code.js'

/** A browser's request for a code: the code works in that browser only. */
export interface AskedCode {
  /** What the code is derived from. */
  seed: string
  emailKey: string
}

/** How long the browser keeps it, in milliseconds: the email may take a while, and the code's lifetime starts then. */
export const askedLifetime = hour

/** Seals a browser's request into a text for its cookie. */
export interface AskedCodes {
  make(emailKey: string): AskedCode & { text: string }
  /** `null` if it wasn't made here, in this realm, or has expired. */
  open(text: string): AskedCode | null
}

/** The requests for codes, kept in a cookie of the browser. */
export interface CodeRequests {
  codes: AskedCodes
  cookie: NamedCookie
}

/** What the browser has requested; `null` if nothing, or too long ago. */
export function askedBy(client: Client, { codes, cookie }: CodeRequests): AskedCode | null {
  return codes.open(cookie.read(client) ?? '')
}

/** What a browser can request. Each has keys of its own, so a request for one is none for another. */
type AskedKind = 'login-code' | 'reset-code'

/** Those of login codes keep their first name, or codes requested before an update would stop working. */
const keyLabels: Readonly<Record<AskedKind, string>> = {
  'login-code': 'asked-code',
  'reset-code': 'asked-reset-code',
}

export function createAskedCodes(
  kind: AskedKind,
  { secret, session }: Pick<ResolvedOptions, 'secret' | 'session'>,
): AskedCodes {
  const keys = deriveKeys(secret, `${keyLabels[kind]}:${session.cookieName}`)
  return {
    make(emailKey) {
      const seed = newSeed()
      const text = seal(keys[0], JSON.stringify([seed, emailKey, Date.now() + askedLifetime]))
      return { seed, emailKey, text }
    },
    open(text) {
      const opened = openSealed(keys, text)
      if (opened === null) return null
      const [seed, emailKey, end] = JSON.parse(opened) as [string, string, number]
      return Date.now() < end ? { seed, emailKey } : null
    },
  }
}
