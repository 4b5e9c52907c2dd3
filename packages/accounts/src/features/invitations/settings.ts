import { fail } from '../../options/checks.js'
import { day, hour } from '../../options/time.js'

/** How long an invitation may last at most, in milliseconds. */
const longestLifetime = 30 * day

/** Options of `invitations()`. */
export interface InvitationsOptions {
  /** How long an invitation can be accepted, in milliseconds, whole seconds: 1 hour to 30 days. Default 7 days. */
  lifetime?: number | undefined
}

/** @throws Error with one line that names the option */
export function resolveLifetime(options: InvitationsOptions = {}): number {
  const { lifetime = 7 * day, ...unknown } = options
  const [name] = Object.keys(unknown)
  if (name !== undefined) fail(`invitations.${name}`, 'is not an option')
  // Tokens have whole seconds.
  if (
    !Number.isSafeInteger(lifetime) ||
    lifetime % 1000 !== 0 ||
    lifetime < hour ||
    lifetime > longestLifetime
  )
    fail(
      'invitations.lifetime',
      `must be milliseconds, whole seconds from 1 hour to 30 days, got ${String(lifetime)}`,
    )
  return lifetime
}
