import { markError } from '../copies.js'

/**
 * What stores throw. Any other error counts as `UnavailableError`.
 * A missing record is never an error, but `null` or `false`.
 */
export type StoreError = DuplicateError | InvalidArgumentError | RefusedError | UnavailableError

/** Another user has this name, address or identity. */
export class DuplicateError extends Error {
  static {
    markError(DuplicateError, 'DuplicateError')
  }

  override readonly name = 'DuplicateError'
  /** Which one; the first of these if several are taken. */
  readonly field: 'username' | 'email' | 'identity'

  constructor(field: 'username' | 'email' | 'identity', options?: ErrorOptions) {
    super(`${field} is taken`, options)
    this.field = field
  }
}

/** Whether a store rejected a user because another user has the same key. */
export function isDuplicate(error: unknown, field: DuplicateError['field']): boolean {
  return error instanceof DuplicateError && error.field === field
}

/** A value that an adapter can't store unchanged, such as an empty key, a NUL or an unpaired surrogate. */
export class InvalidArgumentError extends Error {
  static {
    markError(InvalidArgumentError, 'InvalidArgumentError')
  }

  override readonly name = 'InvalidArgumentError'
}

/**
 * A rule that you gave the database refuses the change, of which it kept nothing: a constraint, a trigger, a foreign key
 * from one of your tables. Over HTTP it is 409 `ACCOUNTS_CONFLICT`, and no outage. A mailer throws it for an address that
 * the mail server doesn't accept now.
 */
export class RefusedError extends Error {
  static {
    markError(RefusedError, 'RefusedError')
  }

  override readonly name = 'RefusedError'
}

/** The database is unreachable, too slow, or failed after several attempts. The message contains no SQL and no secret. */
export class UnavailableError extends Error {
  static {
    markError(UnavailableError, 'UnavailableError')
  }

  override readonly name = 'UnavailableError'
}

/**
 * The database kept rolling the call back, or kept it waiting, because of others at the same rows, until its deadline: a
 * serialization failure, a deadlock, a lock. Nothing was kept. Over HTTP it is 503 and a line of its own in the log, but no
 * outage.
 */
export class ContendedError extends UnavailableError {
  static {
    markError(ContendedError, 'ContendedError')
  }
}

/**
 * For stores, before each lookup and write: rejects a key that isn't a string, is empty, contains a NUL or isn't
 * well-formed Unicode, so it never reaches the database.
 * @throws InvalidArgumentError
 */
export function assertText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') throw new InvalidArgumentError(`${name} must be a text`)
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new InvalidArgumentError(`${name} contains a character that cannot be stored`)
  }
}
