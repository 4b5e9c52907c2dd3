import type { Client } from '../sessions/client.js'
import type { StoredUser } from '../user.js'
import type { Who } from './who.js'

/**
 * Proves identity at POST /confirm/, besides a password and the factors. Provided by a feature. It proves
 * nothing for an account with an active factor.
 */
export interface Confirmation {
  /** The field of the body that carries it: `email_code`. */
  readonly field: string
  /** JSON Schema of that field. */
  readonly schema: object
  /**
   * Checks a value of a logged-in user, and uses it up.
   * @returns the user as of then, and the proven methods
   * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is wrong
   */
  confirm(
    value: unknown,
    from: { who: Who; client: Client },
  ): Promise<{ user: StoredUser; methods: readonly string[] }>
}
