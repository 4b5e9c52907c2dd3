import { AccountsError } from 'fastify-accounts'
import type { Who } from 'fastify-accounts/features'
import type { Flow } from './flow.js'

/** The login that a flow belongs to, until it is confirmed: somebody with a copy of its cookie may have begun the flow. */
export function loginOf({ user, login: { epoch, createdAt, confirmation } }: Who): string {
  return JSON.stringify([user.id, epoch, createdAt.getTime(), confirmation])
}

/**
 * Whose flow it is, if it links or confirms: it belongs only to the login in which it began (GHSA-x445-f3h2-j279).
 * @returns `null` for a flow that logs in
 * @throws AccountsError ACCOUNTS_LOGIN_EXPIRED in any other login
 */
export function ownerOf({ login }: Flow, who: Who | null): Who | null {
  if (login === null) return null
  if (who === null || loginOf(who) !== login) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  return who
}
