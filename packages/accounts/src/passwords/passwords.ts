import { randomBytes } from 'node:crypto'
import type { OutageLog } from '../adapters/outages.js'
import { fieldError, invalidInput } from '../errors.js'
import type { PasswordCheck } from '../seams/password-check.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import { type Caller, createHashQueue, type Waiter } from './hash-queue.js'
import { normalizePassword } from './password-policy.js'

export type { Caller } from './hash-queue.js'

/** Hashes a few passwords at a time, so other work of libuv's four threads (files, DNS) doesn't wait for it. */
export interface Passwords {
  /**
   * Hashes a new password. The option `password.check` is called first.
   * @param chosen must have passed our own rules; `field` is its name over HTTP
   * @throws AccountsError ACCOUNTS_INVALID_INPUT if the check rejects it; ACCOUNTS_UNAVAILABLE if the check
   * fails, too many wait, or the hasher fails
   */
  hashNew(
    chosen: { password: string; field: string },
    owner: { username: string | null; email: string | null },
    caller: Caller,
  ): Promise<string>
  /** For a password already in use. @throws AccountsError ACCOUNTS_UNAVAILABLE if too many wait, or the hasher fails */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Whether the hash was made from the password. Without a verifiable hash, a decoy is verified and the
   * result is `false`: one hashing, whatever the account.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE if too many wait, or the hasher fails
   */
  verify(password: string, hash: string | undefined, caller: Caller): Promise<boolean>
  needsRehash(hash: string): boolean
  /**
   * Rejects a stranger who would get no hash now.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE if too many wait
   */
  admitStranger(): void
  /**
   * The same for somebody who may disconnect.
   * @param waiter what hasn't begun by then is ACCOUNTS_UNAVAILABLE, and never begins
   */
  whileThere(waiter: Waiter): Passwords
  /** For shutdown: what still waits after so many milliseconds is ACCOUNTS_UNAVAILABLE. */
  drain(timeout: number): void
  /** How many wait, and how long the longest has waited, in milliseconds. */
  waiting(): { waiting: number; waitMs: number }
}

/**
 * @param hasher with the deadline of every adapter
 * @param concurrency hashes at a time
 * @param log gets a line if too many wait
 * @param check also with a deadline
 */
export function createPasswords(
  hasher: PasswordHasher,
  concurrency: number,
  log: Pick<OutageLog, 'warn'>,
  check?: PasswordCheck,
): Passwords {
  const queue = createHashQueue(concurrency, log)
  let decoy: Promise<string> | undefined

  async function decoyHash(): Promise<string> {
    // Made by the configured hasher, so its cost is the same; retried after a failure.
    decoy ??= hasher.hash(randomBytes(18).toString('base64url'))
    try {
      return await decoy
    } catch (error) {
      decoy = undefined
      throw error
    }
  }
  // It also measures a hash for the queue before the first request.
  queue.run(decoyHash, 'known').catch(() => {})

  const passwordsFor = (waiter?: Waiter): Passwords => ({
    async hashNew({ password, field }, { username, email }, caller) {
      const fault = (await check?.(normalizePassword(password), { username, email })) ?? null
      if (fault !== null) {
        const isOurs = typeof fault === 'string'
        throw invalidInput(isOurs ? fieldError(field, fault) : fieldError(field, 'invalid', fault))
      }
      return queue.run(() => hasher.hash(normalizePassword(password)), caller, waiter)
    },
    hash: (password, caller) => queue.run(() => hasher.hash(normalizePassword(password)), caller, waiter),
    async verify(password, storedHash, caller) {
      const real = storedHash !== undefined && hasher.canVerify(storedHash)
      const work = async (): Promise<boolean> => {
        // If the decoy must be made again, this turn does it, so nobody waits for two.
        const against = real ? storedHash : await decoyHash()
        return hasher.verify(normalizePassword(password), against)
      }
      const matches = await queue.run(work, caller, waiter)
      return real && matches
    },
    needsRehash: (hash) => hasher.needsRehash(hash),
    admitStranger: queue.admitStranger,
    whileThere: passwordsFor,
    waiting: () => queue.waiting(),
    drain: queue.drain,
  })
  return passwordsFor()
}
