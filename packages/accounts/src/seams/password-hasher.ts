/**
 * Turns passwords into hashes. Passwords arrive well-formed and NFC-normalized.
 * The laws are in `fastify-accounts/testing` as `passwordHasherCases`.
 */
export interface PasswordHasher {
  /** A self-describing, salted hash. */
  hash(password: string): Promise<string>

  /**
   * Whether `verify` would do its full work on this hash. `false` for one that is malformed, of another kind, or
   * asks for more work than the hasher allows; the plugin then verifies a decoy, so that time tells nothing.
   * Costs no hashing, never throws.
   */
  canVerify(hash: string): boolean

  /**
   * Whether the password made this hash. `false`, without work, where `canVerify` is `false`. To say no to a hash that
   * was cheaper to make should take as long as for one of today: else time tells old accounts from unknown names.
   */
  verify(password: string, hash: string): Promise<boolean>

  /** Whether `hash()` would make a stronger or newer one today; also for hashes of another kind. Costs no hashing. */
  needsRehash(hash: string): boolean
}
