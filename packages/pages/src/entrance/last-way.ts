import type { Client } from 'fastify-accounts/features'
import { pageCookie } from '../cookie.js'
import type { Site } from '../site.js'

/** A way to log in. */
export type Way = 'password' | 'passkey' | 'email-code' | `with-${string}`

/** Seconds: half a year. */
const lifetime = 180 * 24 * 3600

/** The way that was used last in this browser, as its cookie says; nothing about the account. */
export function lastWay({ core }: Site, client: Client): Way | null {
  return wayIn(pageCookie(core, 'way').read(client))
}

export function keepWay({ core }: Site, client: Client, way: unknown): void {
  const used = wayIn(way)
  if (used !== null) pageCookie(core, 'way').write(client, used, lifetime)
}

/** A way that a query or a cookie names. */
export function wayIn(text: unknown): Way | null {
  const isWay =
    typeof text === 'string' && /^(password|passkey|email-code|with-[a-z][a-z0-9-]{0,39})$/.test(text)
  return isWay ? (text as Way) : null
}
