import type { FastifyRequest } from 'fastify'
import type { StoredUser, User } from '../user.js'

/**
 * What proves at POST /confirm/ who somebody is, beside a password and the factors. A feature brings it. It proves
 * nothing for an account that has a factor on.
 */
export interface Confirmation {
  /** The field of the body that carries it: `email_code`. */
  readonly field: string
  /** JSON Schema of that field. */
  readonly schema: object
  /**
   * Checks a value, and uses it up.
   * @returns the user as they are then, and by what they have proved themselves
   * @throws AccountsError ACCOUNTS_INVALID_INPUT where it is wrong
   */
  confirm(
    request: FastifyRequest,
    owner: User,
    value: unknown,
  ): Promise<{ user: StoredUser; methods: readonly string[] }>
}
