import { DuplicateError } from 'fastify-accounts'
import { failureOf } from '../base/errors.js'
import { fromText } from '../base/values.js'
import type { UserRow } from '../columns/user-row.js'
import type { Identities } from './identities.js'
import type { UserStatements } from './user-statements.js'

/** Turns the engine's "duplicate" error into the seam's; username first, if both are taken. */
export function duplicateGuard(sql: Pick<UserStatements, 'holders'>, { holder }: Identities) {
  async function holdersOf({ username_key = '', email_key }: Partial<UserRow>) {
    return (await sql.holders({ username_key, email_key: email_key ?? '' })).rows
  }

  return async <T>(
    id: string,
    keys: Partial<UserRow>,
    identityKeys: readonly string[],
    write: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await write()
    } catch (error) {
      if (failureOf(error) !== 'duplicate') throw error
      const others = (await holdersOf(keys)).filter((row) => fromText(row.id) !== id)
      if (others.length === 0) {
        const holders = await Promise.all(identityKeys.map((key) => holder(key)))
        if (holders.some((held) => held !== null && held !== id)) {
          throw new DuplicateError('identity', { cause: error })
        }
        throw error // the key's holder is gone: the next attempt may succeed
      }
      const isUsername = others.some(({ username_key }) => fromText(username_key) === keys.username_key)
      throw new DuplicateError(isUsername ? 'username' : 'email', { cause: error })
    }
  }
}
