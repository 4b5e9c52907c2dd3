import type { Deps } from '../../deps.js'
import { invalidInput } from '../../errors.js'
import { addressNameFaults } from '../../identifiers/address-name.js'
import { checkUsername, usernameKey } from '../../identifiers/username.js'
import { freshUser, type StoredUser } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { storeUser } from '../../users/create.js'
import { checkManagesServices } from './keys/with-service.js'

/**
 * Creates a service account: nobody logs in to it, it has no address, and no list of people has it.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN
 */
export async function createService(
  deps: Pick<Deps, 'users' | 'options'>,
  actor: Actor,
  username: string,
): Promise<StoredUser> {
  await checkManagesServices(deps, actor)
  const fault = checkUsername(username)
  const faults = fault === null ? addressNameFaults(username, null) : [fault]
  if (faults.length > 0) throw invalidInput(...faults)
  const service = freshUser({
    kind: 'service',
    origin: actor === 'host' ? 'host' : 'staff',
    username,
    usernameKey: usernameKey(username),
  })
  return storeUser(deps, service, [])
}
