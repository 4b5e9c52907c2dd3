import type { ResolvedOptions } from '../../options/resolve.js'
import { deriveKeys } from '../../options/secret-keys.js'
import { hour } from '../../options/time.js'
import type { Client } from '../../sessions/client.js'
import type { NamedCookie } from '../../sessions/named-cookie.js'
import { openSealed, seal } from '../../tokens/seal.js'
import type { CodeKind } from '../awaiting-factor.js'
import { askedAt } from './mailed-code.js'

/** The codes that a browser has requested for an address: they work in that browser only. */
export interface RequestedCodes {
  emailKey: string
  /** What the codes are derived from, in the order in which they were requested. */
  seeds: readonly string[]
}

/** The requests for codes, kept in a cookie of the browser. */
export interface CodeRequests {
  readonly kind: CodeKind
  /** `null` if the browser has requested none here, in this realm, or too long ago. */
  read(client: Pick<Client, 'cookies'>): RequestedCodes | null
  /** Keeps a request; the first one for another address drops the earlier ones. */
  add(client: Client, emailKey: string, seed: string): void
  clear(client: Client): void
}

/** How long the browser keeps them, in milliseconds: the email may take a while, and the code's lifetime starts then. */
const lifetime = hour

/** The most requests that a browser keeps; the oldest are dropped. As many as are emailed in an hour by default. */
const mostRequests = 5

/** @param kind what is requested. Each has keys of its own, so a request for one is none for another. */
export function createCodeRequests(
  kind: CodeKind,
  { secret, session }: Pick<ResolvedOptions, 'secret' | 'session'>,
  cookie: NamedCookie,
): CodeRequests {
  const keys = deriveKeys(secret, `requested-${kind}:${session.cookieName}`)

  function read(client: Pick<Client, 'cookies'>): RequestedCodes | null {
    const opened = openSealed(keys, cookie.read(client) ?? '')
    if (opened === null) return null
    const [emailKey, ...all] = JSON.parse(opened) as [string, ...string[]]
    const seeds = all.filter((seed) => Date.now() < askedAt(seed) + lifetime)
    return seeds.length === 0 ? null : { emailKey, seeds }
  }

  return {
    kind,
    read,
    add(client, emailKey, seed) {
      const earlier = read(client)
      const seeds = earlier?.emailKey === emailKey ? earlier.seeds : []
      const text = JSON.stringify([emailKey, ...[...seeds, seed].slice(-mostRequests)])
      cookie.write(client, seal(keys[0], text), lifetime / 1000)
    },
    clear: cookie.clear,
  }
}
