/**
 * Turns passwords into hashes. Passwords arrive well-formed and NFC-normalised.
 * The laws are in `fastify-accounts/testing` as `passwordHasherCases`.
 */
export interface PasswordHasher {
  /** A self-describing, salted hash. */
  hash(password: string): Promise<string>

  /**
   * Whether the password made this hash. A hash that is malformed, of another kind, or asks for more work than
   * the hasher allows is `false`, in an instant: the plugin hides the difference.
   */
  verify(password: string, hash: string): Promise<boolean>

  /** Whether `hash()` would make a stronger or newer one today; also for hashes of another kind. Costs no hashing. */
  needsRehash(hash: string): boolean
}
