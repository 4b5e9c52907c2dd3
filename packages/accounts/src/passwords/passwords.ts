import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import { AccountsError } from '../errors.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import { normalizePassword } from './password-policy.js'

/** Hashing, a few at a time: everything else that libuv's four threads do (files, DNS) must not wait behind it. */
export interface Passwords {
  /** @throws AccountsError ACCOUNTS_UNAVAILABLE when too many wait, or the hasher fails */
  hash(password: string): Promise<string>
  /**
   * Whether the password made the hash. Without a hash that can be verified, a decoy takes its place and the
   * answer is no: one hashing, whatever the account.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE when too many wait, or the hasher fails
   */
  verify(password: string, hash: string | undefined): Promise<boolean>
  needsRehash(hash: string): boolean
}

/** How many may wait; at two a second that is half a minute, longer than people wait. */
const maxWaiting = 64

export function createPasswords(hasher: PasswordHasher): Passwords {
  const queue = new PQueue({ concurrency: Math.max(1, availableParallelism() - 1) })
  let decoy: Promise<string> | undefined

  async function enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (queue.size >= maxWaiting) throw new AccountsError('ACCOUNTS_UNAVAILABLE', { retryAfter: 5 })
    try {
      return await queue.add(work)
    } catch (cause) {
      throw new AccountsError('ACCOUNTS_UNAVAILABLE', { retryAfter: 5, cause })
    }
  }

  async function decoyHash(): Promise<string> {
    // Made by the very hasher that is configured, so that its cost is the same; a failure is tried again.
    decoy ??= enqueue(() => hasher.hash(randomBytes(18).toString('base64url')))
    try {
      return await decoy
    } catch (error) {
      decoy = undefined
      throw error
    }
  }
  decoyHash().catch(() => {})

  return {
    hash: (password) => enqueue(() => hasher.hash(normalizePassword(password))),
    async verify(password, hash) {
      const real = hash !== undefined && hasher.canVerify(hash)
      const against = real ? hash : await decoyHash()
      const matches = await enqueue(() => hasher.verify(normalizePassword(password), against))
      return real && matches
    },
    needsRehash: (hash) => hasher.needsRehash(hash),
  }
}
