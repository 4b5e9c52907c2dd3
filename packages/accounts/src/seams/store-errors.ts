/**
 * What the stores throw. Anything else that a store throws counts as `UnavailableError`.
 * Absence is never an error: it is `null` or `false`.
 */
export type StoreError = DuplicateError | InvalidArgumentError | UnavailableError

/** Another user has this name, address or identity. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError'
  /** Which of them; the first of these where several are taken. */
  readonly field: 'username' | 'email' | 'identity'

  constructor(field: 'username' | 'email' | 'identity', options?: ErrorOptions) {
    super(`${field} is taken`, options)
    this.field = field
  }
}

/** A value that an adapter cannot take as it is (a blank key, a NUL character, an unpaired surrogate). */
export class InvalidArgumentError extends Error {
  override readonly name = 'InvalidArgumentError'
}

/** The database cannot be reached, did not answer in time, or gave up after bounded retries. Its text holds no SQL and no secret. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/**
 * For stores, in front of each look-up and write: a key that is no string, is blank, holds a NUL or is not
 * well-formed Unicode never reaches the engine.
 * @throws InvalidArgumentError
 */
export function assertText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') throw new InvalidArgumentError(`${name} must be a text`)
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new InvalidArgumentError(`${name} contains a character that cannot be stored`)
  }
}
