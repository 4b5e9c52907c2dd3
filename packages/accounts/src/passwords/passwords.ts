import { randomBytes } from 'node:crypto'
import PQueue from 'p-queue'
import { AccountsError } from '../errors.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import { normalizePassword } from './password-policy.js'

/** Hashing, a few at a time: everything else that libuv's four threads do (files, DNS) must not wait behind it. */
export interface Passwords {
  /** @throws AccountsError ACCOUNTS_UNAVAILABLE when too many wait, or the hasher fails */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Whether the password made the hash. Without a hash that can be verified, a decoy takes its place and the
   * answer is no: one hashing, whatever the account.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE when too many wait, or the hasher fails
   */
  verify(password: string, hash: string | undefined, caller: Caller): Promise<boolean>
  needsRehash(hash: string): boolean
}

/**
 * For whom a password is hashed. Who is `known` has a session, a live link or a known device, and goes first: the
 * guesses of strangers, however many, starve nobody who belongs.
 */
export type Caller = 'stranger' | 'known'

const priorities: Record<Caller, number> = { stranger: 0, known: 1 }

/** How many of either kind may wait at the most. */
const maxWaiting = 64
/**
 * How long one who comes last may have to wait, in milliseconds: whoever would wait longer is told so at once. People
 * and proxies give up not long after, and a hash for somebody who has gone is lost for those who are there.
 */
const maxWait = 8_000
/**
 * Of so many of the last hashings the quickest says what one takes: in the others something else may have been slow, a
 * start above all. Before there are as many, nothing is said.
 */
const samples = 4

/**
 * @param hasher with the deadline that every adapter has
 * @param concurrency hashes at a time
 */
export function createPasswords(hasher: PasswordHasher, concurrency: number): Passwords {
  const queue = new PQueue({ concurrency })
  let decoy: Promise<string> | undefined
  /** What the last hashings took, in milliseconds. */
  const times: number[] = []

  async function enqueue<T>(work: () => Promise<T>, caller: Caller): Promise<T> {
    const priority = priorities[caller]
    const waiting = queue.sizeBy({ priority })
    const wait = times.length < samples ? 0 : (waiting * Math.min(...times)) / concurrency
    if (waiting >= maxWaiting || wait >= maxWait) {
      throw new AccountsError('ACCOUNTS_UNAVAILABLE', { retryAfter: 5 })
    }
    return queue.add(() => timed(work), { priority })
  }

  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await work()
    // A hasher that fails says nothing of what it takes.
    times.push(performance.now() - start)
    if (times.length > samples) times.shift()
    return result
  }

  async function decoyHash(): Promise<string> {
    // Made by the very hasher that is configured, so that its cost is the same; a failure is tried again.
    decoy ??= enqueue(() => hasher.hash(randomBytes(18).toString('base64url')), 'known')
    try {
      return await decoy
    } catch (error) {
      decoy = undefined
      throw error
    }
  }
  decoyHash().catch(() => {})

  return {
    hash: (password, caller) => enqueue(() => hasher.hash(normalizePassword(password)), caller),
    async verify(password, known, caller) {
      const real = known !== undefined && hasher.canVerify(known)
      const against = real ? known : await decoyHash()
      const matches = await enqueue(() => hasher.verify(normalizePassword(password), against), caller)
      return real && matches
    },
    needsRehash: (hash) => hasher.needsRehash(hash),
  }
}
