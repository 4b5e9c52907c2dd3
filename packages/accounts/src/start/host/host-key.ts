import { AccountsError } from '../../errors.js'
import { type FoundKey, findByForeignKey, findByKey } from '../../features/api-keys/keys/find-by-key.js'
import { foreignKeyIn } from '../../features/api-keys/keys/foreign-key-in.js'
import { noteUse } from '../../features/api-keys/keys/note-use.js'
import type { MountCore } from '../../http/feature-core.js'
import { factorMissing } from '../../logins/enrollment.js'
import { type Client, requestOf } from '../../sessions/client.js'
import { rulesOf } from './host-api-keys.js'

/**
 * The key of a request, if it may do what the scope names; `null` if the request has none, so somebody must be logged in.
 * A key that fails never falls back to a session.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_FORBIDDEN, ACCOUNTS_ENROLLMENT_REQUIRED, ACCOUNTS_UNAVAILABLE
 */
export async function admitKey(core: MountCore, scope: string, client: Client): Promise<FoundKey | null> {
  const found = await findKey(core, client)
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
async function findKey(core: MountCore, client: Client): Promise<FoundKey | null | undefined> {
  const { bearer } = client
  if (bearer?.kind === 'key') return findByKey(core.users, core.options.decorateAs.instance, bearer.text)
  // A token is of somebody who is logged in.
  if (bearer !== null) return undefined
  const foreign = foreignKeyIn(client[requestOf].headers, rulesOf(core).imported)
  return foreign === null ? undefined : findByForeignKey(core.users, foreign)
}
