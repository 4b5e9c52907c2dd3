import { randomBytes } from 'node:crypto'
import { fieldError, invalidInput } from '../errors.js'
import type { PasswordCheck } from '../seams/password-check.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import { type Caller, type Client, createHashQueue } from './hash-queue.js'
import { normalizePassword } from './password-policy.js'

export type { Caller } from './hash-queue.js'

/** Hashing, a few at a time: everything else that libuv's four threads do (files, DNS) must not wait behind it. */
export interface Passwords {
  /**
   * Hashes a password that somebody chose. The option `password.check` is asked first.
   * @param chosen which our own rules let pass; `field` is its name on the wire
   * @throws AccountsError ACCOUNTS_INVALID_INPUT where the check refuses it; ACCOUNTS_UNAVAILABLE when the check fails,
   * too many wait, or the hasher fails
   */
  hashNew(
    chosen: { password: string; field: string },
    owner: { username: string | null; email: string | null },
    caller: Caller,
  ): Promise<string>
  /** For a password that is kept already. @throws AccountsError ACCOUNTS_UNAVAILABLE when too many wait, or the hasher fails */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Whether the password made the hash. Without a hash that can be verified, a decoy takes its place and the
   * answer is no: one hashing, whatever the account.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE when too many wait, or the hasher fails
   */
  verify(password: string, hash: string | undefined, caller: Caller): Promise<boolean>
  needsRehash(hash: string): boolean
  /**
   * Refuses a caller who would get no hash now.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE when too many wait
   */
  admit(caller: Caller): void
  /**
   * The same for somebody who may go away.
   * @param client what was not begun by then is ACCOUNTS_UNAVAILABLE, and never begun
   */
  whileThere(client: Client): Passwords
  /** The process ends: what still waits for its turn after so many milliseconds is ACCOUNTS_UNAVAILABLE. */
  drain(timeout: number): void
  /** How many wait for their turn, and how long the one who waits longest has waited, in milliseconds. */
  waiting(): { waiting: number; waitMs: number }
}

/**
 * @param hasher with the deadline that every adapter has
 * @param concurrency hashes at a time
 * @param check with a deadline too
 */
export function createPasswords(
  hasher: PasswordHasher,
  concurrency: number,
  check?: PasswordCheck,
): Passwords {
  const queue = createHashQueue(concurrency)
  let decoy: Promise<string> | undefined

  async function decoyHash(): Promise<string> {
    // Made by the very hasher that is configured, so that its cost is the same; a failure is tried again.
    decoy ??= hasher.hash(randomBytes(18).toString('base64url'))
    try {
      return await decoy
    } catch (error) {
      decoy = undefined
      throw error
    }
  }
  // It also tells the queue what a hash takes, before anybody comes.
  queue.run(decoyHash, 'known').catch(() => {})

  const passwordsFor = (client?: Client): Passwords => ({
    async hashNew({ password, field }, { username, email }, caller) {
      const fault = (await check?.(normalizePassword(password), { username, email })) ?? null
      if (fault !== null) {
        const isOurs = typeof fault === 'string'
        throw invalidInput(isOurs ? fieldError(field, fault) : fieldError(field, 'invalid', fault))
      }
      return queue.run(() => hasher.hash(normalizePassword(password)), caller, client)
    },
    hash: (password, caller) => queue.run(() => hasher.hash(normalizePassword(password)), caller, client),
    async verify(password, known, caller) {
      const real = known !== undefined && hasher.canVerify(known)
      const work = async (): Promise<boolean> => {
        // Where the decoy has to be made again, that is done in this turn: nobody waits for two.
        const against = real ? known : await decoyHash()
        return hasher.verify(normalizePassword(password), against)
      }
      const matches = await queue.run(work, caller, client)
      return real && matches
    },
    needsRehash: (hash) => hasher.needsRehash(hash),
    admit: queue.admit,
    whileThere: passwordsFor,
    waiting: () => queue.waiting(),
    drain: queue.drain,
  })
  return passwordsFor()
}
