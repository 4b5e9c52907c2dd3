import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../../deps.js'
import type { Credential, StoredUser } from '../../../user.js'

/**
 * A store that drops unknown fields would silently turn a factor off.
 * @throws Error if the user store doesn't keep what it was given
 */
export async function assertKept(
  users: Deps['users'],
  changed: StoredUser,
  factor: string,
  added: readonly Credential[],
): Promise<void> {
  const isKept = (record: Partial<StoredUser> | null): boolean =>
    record?.factors?.includes(factor) === true &&
    added.every((each) => record.credentials?.some((kept) => isDeepStrictEqual(kept, each)))
  if (isKept(changed) && isKept(await users.findById(changed.id))) return
  throw new Error(
    'fastify-accounts: the user store changes or drops credentials and factors, so a second factor cannot be turned on: test it with userStoreCases from @fastify-accounts/testing',
  )
}
