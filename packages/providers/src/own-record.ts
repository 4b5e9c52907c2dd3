import type { FastifyRequest } from 'fastify'
import { AccountsError, type StoredUser } from 'fastify-accounts'
import { loggedInUser } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'

/** The user with credentials and identities, which a request's user lacks. */
export async function ownRecord(
  { users }: Pick<ProviderDeps, 'users'>,
  request: FastifyRequest,
): Promise<StoredUser> {
  const { id, sessionEpoch } = loggedInUser(request)
  const record = await users.findById(id)
  if (record?.sessionEpoch !== sessionEpoch) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return record
}
