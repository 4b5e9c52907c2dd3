import { timingSafeEqual } from 'node:crypto'
import { toCount } from './encoding.js'
import type { ForeignHashes } from './foreign-hashes.js'
import { checkDigest, type DigestCost, digestBytes, pbkdf2Kind } from './pbkdf2.js'
import { checkScryptCost, isBearable, type ScryptCost, scrypt, scryptWork, spendScrypt } from './scrypt.js'

/**
 * Flask's PBKDF2, from Werkzeug: `pbkdf2:sha256:1000000$<salt>$<hash>`. Each digest is a separate kind.
 * @param cost `iterations`: 1,000,000 by default, as in Werkzeug 3.1; `digest`: `sha256` by default
 * @throws RangeError with one line that names the option
 */
export function werkzeugPbkdf2({
  iterations = 1_000_000,
  digest = 'sha256',
}: DigestCost = {}): ForeignHashes {
  checkDigest('werkzeugPbkdf2', digest)
  return pbkdf2Kind('werkzeugPbkdf2', digest, iterations, (hash) => {
    const [, named, count, salt = '', key = ''] =
      /^pbkdf2:(sha\d+):(\d+)\$([^$\s]{1,128})\$([0-9a-f]+)$/.exec(hash) ?? []
    const rounds = toCount(count)
    if (named !== digest || rounds === null || key.length !== 2 * digestBytes[digest]) return null
    return { iterations: rounds, salt, key: Buffer.from(key, 'hex') }
  })
}

/**
 * Flask's scrypt, from Werkzeug 2.3 and later: `scrypt:32768:8:1$<salt>$<hash>`.
 * @param cost by default `{ N: 2 ** 15, r: 8, p: 1 }`, as in Werkzeug
 * @throws RangeError with one line that names the option
 */
export function werkzeugScrypt(
  cost: { [Name in keyof ScryptCost]?: number | undefined } = {},
): ForeignHashes {
  const { N = 2 ** 15, r = 8, p = 1 } = cost
  const usual: ScryptCost = { N, r, p }
  checkScryptCost('werkzeugScrypt', usual)
  return {
    open(hash) {
      const [, n, blockSize, parallelism, salt = '', text = ''] =
        /^scrypt:(\d+):(\d+):(\d+)\$([^$\s]{1,128})\$([0-9a-f]{128})$/.exec(hash) ?? []
      const [N, r, p] = [toCount(n), toCount(blockSize), toCount(parallelism)]
      if (N === null || r === null || p === null) return null
      const own = { N, r, p }
      if (!isBearable(own, usual)) return null
      const key = Buffer.from(text, 'hex')
      return {
        work: scryptWork(own),
        verify: async (password) => timingSafeEqual(await scrypt(password, salt, own, 64), key),
      }
    },
    usualWork: scryptWork(usual),
    spend: (work) => spendScrypt(work, usual),
  }
}
