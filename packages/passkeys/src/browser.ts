import { randomBytes } from 'node:crypto'
import type { Client } from 'fastify-accounts/features'
import { challengeLifetime } from './challenge.js'
import type { PasskeyDeps } from './deps.js'

type Deps = Pick<PasskeyDeps, 'browser'>

/** Identifies the browser while it responds to a challenge: random, the same for all its tabs. */
export function markBrowser({ browser }: Deps, client: Client): string {
  const currentMark = browserOf({ browser }, client)
  const mark = currentMark === '' ? randomBytes(32).toString('base64url') : currentMark
  // For twice the lifetime of a challenge, so no tab loses it while another one requests one.
  browser.write(client, mark, (2 * challengeLifetime) / 1000)
  return mark
}

/** `''` if it has no mark: no challenge matches that. */
export function browserOf({ browser }: Deps, client: Client): string {
  const mark = browser.read(client) ?? ''
  return /^[\w-]{43}$/.test(mark) ? mark : ''
}

/** The default name of a passkey: where it was created. */
export function deviceName({ details: { browser, system } }: Client): string {
  return [browser, system].filter((word) => word !== null).join(', ') || 'Passkey'
}
