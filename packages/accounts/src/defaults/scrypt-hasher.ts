import { createHash } from 'node:crypto'
import type { PasswordHasher } from '../seams/password-hasher.js'
import { scrypt } from './scrypt-kdf.js'

/** Settings of scrypt (RFC 7914): N = 2^logN, memory 128·N·r bytes, work N·r·p. */
export interface ScryptOptions {
  /** Binary logarithm of N; 1 to 24, 15 by default. */
  logN?: number | undefined
  /** Block size; 8 by default. */
  r?: number | undefined
  /** Parallelization; 3 by default. */
  p?: number | undefined
  /** The most memory in bytes that a stored hash may ask for. 128 MiB by default, or what logN and r need if more. */
  maxMemory?: number | undefined
  /** The most work N·r·p that a stored hash may ask for. 2^20 by default, or what logN, r and p ask if more. */
  maxWork?: number | undefined
}

type Cost = Record<'logN' | 'r' | 'p', number>

/**
 * Hashes passwords with scrypt, in scrypt-kdf's format: 96 bytes as 128 characters of base64, which hold the
 * settings, a random salt and a checksum.
 *
 * The defaults N=2^15, r=8, p=3 are one of the settings of equal strength in OWASP's Password Storage Cheat Sheet
 * (also in ASVS 5.0, appendix C), with 32 MiB a hash. The ceilings are those of its largest, N=2^17, r=8, p=1: a
 * hash that somebody planted in the database cannot make a login cost more.
 *
 * A wrong password costs the same work for a hash from before the cost was raised: the hasher spends the difference.
 *
 * @throws RangeError with one line that names the option. `hash` and `verify` reject when the system fails, for lack
 * of memory for example
 */
export function createScryptHasher(options: ScryptOptions = {}): PasswordHasher {
  const { logN = 15, r = 8, p = 3 } = options
  const cost: Cost = { logN, r, p }
  assertWhole('logN', logN, 1, 24)
  assertWhole('r', r, 1, 2 ** 20)
  assertWhole('p', p, 1, 2 ** 20)
  if (logN >= 16 * r) throw new RangeError('createScryptHasher: logN must be below 16·r')
  // scrypt-kdf limits itself to this much, so more could never be hashed.
  if (memory(cost) >= 2 ** 31) throw new RangeError('createScryptHasher: logN and r need 2 GiB or more')
  const { maxMemory = Math.max(2 ** 27, memory(cost)), maxWork = Math.max(2 ** 20, work(cost)) } = options
  assertWhole('maxMemory', maxMemory, memory(cost), 2 ** 31 - 1)
  assertWhole('maxWork', maxWork, work(cost), Number.MAX_SAFE_INTEGER)

  // N·r·p omits the work of PBKDF2 on r·p blocks. Only a forged hash has many; OWASP's have up to 80.
  const maxBlocks = Math.max(1024, r * p)

  function open(hash: unknown): { bytes: Uint8Array; cost: Cost } | null {
    const bytes = typeof hash === 'string' && hash.length === 128 ? Buffer.from(hash, 'base64') : null
    // The decoder skips unknown characters: only the canonical spelling is a hash.
    if (bytes?.length !== 96 || bytes.toString('base64') !== hash) return null
    if (bytes.toString('latin1', 0, 6) !== 'scrypt' || bytes[6] !== 0) return null
    const stored: Cost = { logN: bytes.readUInt8(7), r: bytes.readUInt32BE(8), p: bytes.readUInt32BE(12) }
    // RFC 7914 section 2; OpenSSL would throw.
    if (stored.logN < 1 || stored.r < 1 || stored.p < 1 || stored.logN >= 16 * stored.r) return null
    // scrypt-kdf would reject a wrong checksum at once, and the time would tell.
    const checksum = createHash('sha256').update(bytes.subarray(0, 48)).digest().subarray(0, 16)
    if (!checksum.equals(bytes.subarray(48, 64))) return null
    if (memory(stored) > maxMemory || work(stored) > maxWork) return null
    if (stored.r * stored.p > maxBlocks) return null
    return { bytes, cost: stored }
  }

  return {
    async hash(password) {
      return Buffer.from(await scrypt.kdf(password, cost)).toString('base64')
    },

    canVerify(hash) {
      return open(hash) !== null
    },

    async verify(password, hash) {
      const opened = open(hash)
      if (opened === null) return false
      if (await scrypt.verify(opened.bytes, password)) return true
      // Otherwise a wrong password would be rejected sooner for a hash from before the cost was raised.
      const missing = costOf(work(cost) - work(opened.cost), cost)
      if (missing !== null) await scrypt.kdf(password, missing)
      return false
    },

    needsRehash(hash) {
      const opened = open(hash)
      return opened === null || memory(opened.cost) < memory(cost) || work(opened.cost) < work(cost)
    },
  }
}

/** Settings that cost so much work, with no more memory than `most`; `null` if there is none to do. */
function costOf(missing: number, most: Cost): Cost | null {
  if (missing <= 0) return null
  const { r } = most
  // The largest N that divides it; if none does, one so small that the remainder is negligible.
  let { logN } = most
  while (logN > 1 && missing % (2 ** logN * r) !== 0 && 2 ** logN * r > missing / 64) logN -= 1
  return { logN, r, p: Math.max(1, Math.round(missing / (2 ** logN * r))) }
}

function memory({ logN, r }: Cost): number {
  return 128 * 2 ** logN * r
}

function work({ logN, r, p }: Cost): number {
  return 2 ** logN * r * p
}

function assertWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return
  throw new RangeError(
    `createScryptHasher: ${name} must be a whole number from ${min} to ${max}, not ${value}`,
  )
}
