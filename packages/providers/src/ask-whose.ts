import type { StoredUser } from 'fastify-accounts'
import type { Client, Result } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'

/** Sends the browser to the page that asks whose an account is. */
export function askWhose(
  { claims, where }: Pick<ProviderDeps, 'claims' | 'where'>,
  client: Client,
  { claim, owner }: { claim: string; owner: StoredUser },
): Result {
  claims.keep(client, claim)
  client.note({ user: owner, reason: 'ACCOUNTS_NOT_VERIFIED' })
  return { status: 303, location: where.path('claim-account') }
}
