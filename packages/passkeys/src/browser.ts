import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf, type FactorSource } from 'fastify-accounts/features'
import { challengeLifetime } from './challenge.js'
import type { PasskeyDeps } from './deps.js'

type Deps = Pick<PasskeyDeps, 'browser'>
type Request = FactorSource['request']

/** What the browser is known by while it answers a challenge: random, the same for all its tabs. */
export function markBrowser({ browser }: Deps, request: Request, reply: FastifyReply): string {
  const known = browserOf({ browser }, request)
  const mark = known === '' ? randomBytes(32).toString('base64url') : known
  // For twice as long as a challenge lives, so that no tab loses it while another one asks.
  browser.write(reply, mark, (2 * challengeLifetime) / 1000)
  return mark
}

/** `''` where it has no mark: no challenge was made for that. */
export function browserOf({ browser }: Deps, request: Request): string {
  const mark = browser.read(request) ?? ''
  return /^[\w-]{43}$/.test(mark) ? mark : ''
}

/** What a passkey is called until its owner says: where it was made. */
export function deviceName(request: FastifyRequest, { options }: Pick<PasskeyDeps, 'options'>): string {
  const { browser, system } = clientOf(request, options.session)
  return [browser, system].filter((word) => word !== null).join(', ') || 'Passkey'
}
