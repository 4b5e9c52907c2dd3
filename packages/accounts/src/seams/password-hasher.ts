/**
 * Turns passwords into hashes. Passwords arrive well-formed and NFC-normalized.
 * Its conformance suite is `passwordHasherCases` of `@fastify-accounts/testing`.
 */
export interface PasswordHasher {
  /** A self-describing, salted hash. */
  hash(password: string): Promise<string>

  /**
   * Whether `verify` would do its full work on this hash. `false` if it is malformed, of another kind, or asks for more
   * work than the hasher allows; the plugin then verifies a decoy, so response times reveal nothing.
   * Doesn't hash, never throws.
   */
  canVerify(hash: string): boolean

  /**
   * Whether the hash is of this password. `false`, without work, if `canVerify` is `false`. A wrong password should take
   * as long for a cheaper hash as for a current one; otherwise response times tell old accounts from unknown names.
   */
  verify(password: string, hash: string): Promise<boolean>

  /** Whether `hash()` would make a stronger or newer hash today, also for hashes of another kind. Doesn't hash. */
  needsRehash(hash: string): boolean
}
