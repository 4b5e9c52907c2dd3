import { AccountsError } from 'fastify-accounts'
import type { PageVisit } from 'fastify-accounts/features'

type Who = NonNullable<PageVisit['who']>

/**
 * Who is logged in, on a page that asks for that.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED
 */
export function whoOf({ who }: PageVisit): Who {
  if (who === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return who
}

/** The same, as a user. */
export const visitorOf = (visit: PageVisit): Who['user'] => whoOf(visit).user
