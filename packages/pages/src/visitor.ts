import { AccountsError } from 'fastify-accounts'
import type { PageVisit } from 'fastify-accounts/features'

type Visitor = NonNullable<PageVisit['who']>['user']

/**
 * Who is logged in, on a page that asks for that.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED
 */
export function visitorOf({ who }: PageVisit): Visitor {
  if (who === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return who.user
}
