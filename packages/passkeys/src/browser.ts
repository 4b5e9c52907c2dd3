import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf, type FactorSource } from 'fastify-accounts/features'
import { challengeLifetime } from './challenge.js'
import type { PasskeyDeps } from './deps.js'

type Deps = Pick<PasskeyDeps, 'browser'>
type Request = FactorSource['request']

/** Identifies the browser while it answers a challenge: random, the same for all its tabs. */
export function markBrowser({ browser }: Deps, request: Request, reply: FastifyReply): string {
  const known = browserOf({ browser }, request)
  const mark = known === '' ? randomBytes(32).toString('base64url') : known
  // For twice the lifetime of a challenge, so no tab loses it while another one requests one.
  browser.write(reply, mark, (2 * challengeLifetime) / 1000)
  return mark
}

/** `''` if it has no mark: no challenge matches that. */
export function browserOf({ browser }: Deps, request: Request): string {
  const mark = browser.read(request) ?? ''
  return /^[\w-]{43}$/.test(mark) ? mark : ''
}

/** The default name of a passkey: where it was created. */
export function deviceName(request: FastifyRequest, { options }: Pick<PasskeyDeps, 'options'>): string {
  const { browser, system } = clientOf(request, options.session)
  return [browser, system].filter((word) => word !== null).join(', ') || 'Passkey'
}
