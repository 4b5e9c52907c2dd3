import type { Deps } from '../../deps.js'
import { mailedName } from '../../emails/harmless-text.js'
import type { PostOffice } from '../../emails/post-office.js'
import { AccountsError } from '../../errors.js'
import { type ApiKey, apiKeysOf, withoutApiKeys } from '../../tokens/api-key.js'
import type { StoredUser } from '../../user.js'

/**
 * Ends an API key and emails the owner of its account.
 * @throws AccountsError ACCOUNTS_NOT_FOUND if the account has no such key
 */
export async function removeApiKey(
  { users, postOffice }: Pick<Deps, 'users'> & { postOffice: Pick<PostOffice, 'about'> },
  user: StoredUser,
  id: string,
): Promise<ApiKey> {
  let removed: ApiKey | undefined
  const changed = await users.change(
    user,
    (current) => {
      removed = apiKeysOf(current).find((key) => key.id === id)
      return removed === undefined ? null : withoutApiKeys(current, (key) => key.id === id)
    },
    {
      messages: (later) =>
        postOffice.about('api-key-removed', later, { label: mailedName(later, removed?.name ?? '') }),
    },
  )
  if (changed === null || removed === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return removed
}
