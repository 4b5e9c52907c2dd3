import { type BinaryLike, scrypt as callbackScrypt } from 'node:crypto'
import { checkCost } from './foreign-hashes.js'

/** Settings of scrypt (RFC 7914): memory is 128·N·r bytes, work is N·r·p. */
export interface ScryptCost {
  /** A power of two. */
  N: number
  r: number
  p: number
}

/** The largest of OWASP's settings, N=2^17, r=8, p=1, as in `createScryptHasher`. */
const most = { memory: 2 ** 27, work: 2 ** 20, blocks: 1024 }

export function scryptWork({ N, r, p }: ScryptCost): number {
  return N * r * p
}

/** Whether a stored hash may have this cost; the cost of your own most expensive hash is allowed. */
export function isBearable(cost: ScryptCost, usual: ScryptCost): boolean {
  const { N, r, p } = cost
  if (N < 2 || !Number.isInteger(Math.log2(N)) || r < 1 || p < 1) return false
  // RFC 7914 section 2; OpenSSL would throw.
  if (Math.log2(N) >= 16 * r || r * p > Math.max(most.blocks, usual.r * usual.p)) return false
  return memory(cost) <= Math.max(most.memory, memory(usual)) && scryptWork(cost) <= ceiling(usual)
}

/** @throws RangeError with one line that names the option */
export function checkScryptCost(name: string, usual: ScryptCost): void {
  checkCost(name, 'N', usual.N, 2, 2 ** 24)
  checkCost(name, 'r', usual.r, 1, 2 ** 10)
  checkCost(name, 'p', usual.p, 1, 2 ** 10)
  if (!isBearable(usual, usual)) throw new RangeError(`${name}: N must be a power of two, below 2^(16·r)`)
}

/** Rejects on a system failure, for example when out of memory. */
export function scrypt(
  password: string,
  salt: BinaryLike,
  { N, r, p }: ScryptCost,
  bytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // OpenSSL counts the blocks as well.
    const maxmem = 128 * N * r + 128 * r * p + 2 ** 20
    callbackScrypt(password, salt, bytes, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** That much work, with no more memory than `usual` takes. */
export async function spendScrypt(work: number, { N: most, r }: ScryptCost): Promise<void> {
  let N = most
  while (N > 2 && work % (N * r) !== 0 && N * r > work / 64) N /= 2
  await scrypt('', '', { N, r, p: Math.max(1, Math.round(work / (N * r))) }, 64)
}

function memory({ N, r }: ScryptCost): number {
  return 128 * N * r
}

function ceiling(usual: ScryptCost): number {
  return Math.max(most.work, scryptWork(usual))
}
