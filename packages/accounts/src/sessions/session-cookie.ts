import { Signer } from '@fastify/cookie'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { Session } from '../seams/session-store.js'
import { type BroughtClaim, type Claim, readClaim, spellClaim } from './claim.js'
import type { Client, CookieLife } from './client.js'

/** The cookie that carries a claim: its name, its signature. */
export interface SessionCookie {
  name: string
  signer: CookieSigner
  /** The client's claim if its signature is valid, or `null`. */
  read(client: Pick<Client, 'cookies'>): BroughtClaim | null
  /** Sends the claim, signed, for the session that it is to. */
  write(client: Client, claim: Claim, session: Pick<Session, 'createdAt' | 'details'>): void
  /** Deletes it in the browser. */
  clear(client: Client): void
}

/** As in @fastify/cookie, whose types declare decorators that an app may not have. */
interface CookieSigner {
  sign(value: string): string
  unsign(
    value: string,
  ): { valid: true; renew: boolean; value: string } | { valid: false; renew: false; value: null }
}

/** How many cookies with a valid signature are cached; about 300 bytes each. */
const remembered = 10_000

/** For this host only, invisible to scripts, and not sent with other sites' forms. */
export function cookieAttributes({ secure }: Pick<ResolvedOptions, 'secure'>) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
}

/** RFC 6265bis section 4.1.3.2: browsers accept a cookie with this prefix only over HTTPS, from this exact host. */
export function cookieName(name: string, { secure }: Pick<ResolvedOptions, 'secure'>): string {
  return secure ? `__Host-${name}` : name
}

/**
 * Reads and writes cookie headers with the functions of the @fastify/cookie registered in our scope, which
 * may be the host's copy. The package's static exports work only once that copy was registered.
 */
export interface CookieCodec {
  parse(header: string): Record<string, string | undefined>
  serialize(name: string, value: string, attributes: ReturnType<typeof cookieAttributes> & CookieLife): string
}

export function createSessionCookie(
  options: Pick<ResolvedOptions, 'secret' | 'secure' | 'session'>,
  codec: CookieCodec,
): SessionCookie {
  const name = cookieName(options.session.cookieName, options)
  // Bound to the name: two realms in one app share a secret, and perhaps a session store, but no session.
  const signer = new Signer(deriveKeys(options.secret, `session-cookie:${options.session.cookieName}`))
  // A signature stays valid as long as its keys, and checking it costs as much as the rest of a request.
  // Whether the session is still valid isn't cached: the store is queried each time.
  const verified = new Map<string, BroughtClaim>()

  function verify(value: string): BroughtClaim | null {
    const result = verified.get(value)
    if (result !== undefined) return result
    // A copy, because a slice of the header would keep all of it in memory, and so would the claim, which has slices of it.
    const copy = Buffer.from(value).toString()
    const { valid, renew, value: text } = signer.unsign(copy)
    const claim = valid ? readClaim(text.split('.')) : null
    if (claim === null) return null
    const signed = { ...claim, isOld: renew }
    if (verified.size >= remembered) verified.delete(verified.keys().next().value as string)
    verified.set(copy, signed)
    return signed
  }

  return {
    name,
    signer,
    write(client, claim, { createdAt, details }) {
      const expires = new Date(createdAt.getTime() + options.session.absoluteTimeout)
      client.setCookie(name, signer.sign(spellClaim(claim)), details?.isPersistent ? { expires } : {})
    },
    clear(client) {
      client.setCookie(name, '', { maxAge: 0, expires: new Date(0) })
    },
    read({ cookies }) {
      if (cookies === undefined || !cookies.includes(`${name}=`)) return null
      const value = codec.parse(cookies)[name]
      return value === undefined ? null : verify(value)
    },
  }
}
