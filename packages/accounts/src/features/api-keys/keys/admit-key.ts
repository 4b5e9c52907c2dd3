import { AccountsError } from '../../../errors.js'
import type { MountCore } from '../../../http/feature-core.js'
import { factorMissing } from '../../../logins/enrollment.js'
import { type Client, requestOf } from '../../../sessions/client.js'
import type { ApiKeyRules } from '../../../tokens/api-key.js'
import { type FoundKey, findByForeignKey, findByKey } from './find-by-key.js'
import { foreignKeyIn } from './foreign-key-in.js'
import { noteUse } from './note-use.js'

/**
 * The key of a request, if it may do what the scope names; `null` if the request has none, so somebody must be logged in.
 * A key that fails never falls back to a session.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_FORBIDDEN, ACCOUNTS_ENROLLMENT_REQUIRED, ACCOUNTS_UNAVAILABLE
 */
export async function admitKey(
  core: MountCore,
  { imported }: Pick<ApiKeyRules, 'imported'>,
  scope: string,
  client: Client,
): Promise<FoundKey | null> {
  const found = await findKey(core, imported, client)
  if (found === undefined) return null
  if (found === null) {
    client.challenge('invalid_token')
    throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED', { reason: 'invalid_api_key' })
  }
  const { user, key } = found
  const missing = await factorMissing(user, core)
  if (missing !== null) throw missing
  if (!key.scopes.includes(scope)) {
    client.challenge('insufficient_scope', scope)
    throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_scope', userId: user.id })
  }
  noteUse(core, found, client.log)
  return found
}

/** `undefined` without a key, `null` for one that doesn't work. */
async function findKey(
  core: MountCore,
  imported: ApiKeyRules['imported'],
  client: Client,
): Promise<FoundKey | null | undefined> {
  const { bearer } = client
  if (bearer?.kind === 'key') return findByKey(core.users, core.options.decorateAs.instance, bearer.text)
  // A token is of somebody who is logged in.
  if (bearer !== null) return undefined
  const foreign = foreignKeyIn(client[requestOf].headers, imported)
  return foreign === null ? undefined : findByForeignKey(core.users, foreign)
}
