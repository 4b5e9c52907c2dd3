import type { Deps } from '../../deps.js'
import { mailedName } from '../../emails/harmless-text.js'
import type { PostOffice } from '../../emails/post-office.js'
import { AccountsError } from '../../errors.js'
import { type ApiKeyRules, apiKeysOf } from '../../tokens/api-key.js'
import type { StoredUser } from '../../user.js'
import { changeOwn } from '../../users/own-record.js'
import { type HostApiKeyInput, type NewApiKey, newApiKey, withApiKey } from './keys/new-key.js'

/**
 * Adds an API key to an account and emails its owner. Sessions, remembered devices and logins in progress continue.
 * @param user as they were when they were admitted: a key isn't created for somebody who is logged out meanwhile
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_DISABLED; ACCOUNTS_CONFLICT if the account has as many as it may
 */
export async function createApiKey(
  deps: Pick<Deps, 'users' | 'options'> & { postOffice: Pick<PostOffice, 'about'> },
  rules: ApiKeyRules,
  user: StoredUser,
  input: HostApiKeyInput,
): Promise<NewApiKey> {
  if (!user.isActive) throw new AccountsError('ACCOUNTS_DISABLED')
  const newKey = newApiKey(rules, deps.options.decorateAs.instance, input)
  const changesFor = (current: StoredUser) =>
    current.isActive ? withApiKey(current, newKey.key, rules) : null
  const changed = await changeOwn(deps, user, user, changesFor, {
    messages: (later) =>
      deps.postOffice.about('api-key-added', later, { label: mailedName(later, newKey.key.name) }),
  })
  // A store that drops it would hand out a key that never works.
  if (!apiKeysOf(changed).some(({ id }) => id === newKey.key.id))
    throw new Error('the user store does not keep credentials: see the laws of userStoreCases')
  return newKey
}
