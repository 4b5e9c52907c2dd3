import { pbkdf2 as callbackPbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { fromBase64, toCount } from './encoding.js'
import { checkCost, type ForeignHashes, type OpenedHash } from './foreign-hashes.js'

const derive = promisify(callbackPbkdf2)

/** The cost of the most expensive stored hash. */
export interface Pbkdf2Cost {
  /** HMAC rounds, times the key length in digest lengths. */
  iterations?: number | undefined
}

/** How many bytes one of its keys has. */
export const digestBytes = { sha1: 20, sha256: 32, sha512: 64 }
/** A hash function that PBKDF2 can use. */
export type Digest = keyof typeof digestBytes

/** Twice Django's setting in 2026. A planted hash cannot make a login cost more. */
const mostIterations = 2_400_000

/** Common to PBKDF2 in any format. The unit of work is one iteration with the digest. */
export function pbkdf2Kind(
  name: string,
  digest: Digest,
  usual: number,
  read: (hash: string) => Pbkdf2Settings | null,
): ForeignHashes {
  checkCost(name, 'iterations', usual, 1, 2 ** 31 - 1)
  const ceiling = Math.max(mostIterations, usual)
  return {
    open(hash): OpenedHash | null {
      const settings = read(hash)
      if (settings === null) return null
      const { iterations, salt, key } = settings
      const work = iterations * Math.ceil(key.length / digestBytes[digest])
      if (key.length < 16 || work > ceiling) return null
      return {
        work,
        verify: async (password) =>
          timingSafeEqual(await derive(password, salt, iterations, key.length, digest), key),
      }
    },
    usualWork: usual,
    async spend(work) {
      await derive('', '', work, digestBytes[digest], digest)
    },
  }
}

/** PBKDF2 with one of three digests. */
export interface DigestCost extends Pbkdf2Cost {
  digest?: Digest | undefined
}

/** @throws RangeError with one line that names the option */
export function checkDigest(name: string, digest: string): void {
  if (Object.hasOwn(digestBytes, digest)) return
  throw new RangeError(`${name}: digest must be sha1, sha256 or sha512, not ${digest}`)
}

export interface Pbkdf2Settings {
  iterations: number
  salt: string | Buffer
  key: Buffer
}

/**
 * PBKDF2 in PHC format: `$pbkdf2-sha256$i=310000$<salt>$<hash>`, salt and hash in base64 without padding. If a system
 * keeps hash and salt in separate columns, the import writes them like this. Each digest is a separate kind, since an
 * iteration of one takes three times as long as that of another.
 * @param cost `iterations`: 310,000 by default; `digest`: `sha256` by default, or `sha1` or `sha512`
 * @throws RangeError with one line that names the option
 */
export function pbkdf2({ iterations = 310_000, digest = 'sha256' }: DigestCost = {}): ForeignHashes {
  checkDigest('pbkdf2', digest)
  return pbkdf2Kind('pbkdf2', digest, iterations, (hash) => {
    const [, named, count, salt = '', key = ''] =
      /^\$pbkdf2-(sha\d+)\$i=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash) ?? []
    if (named !== digest) return null
    const rounds = toCount(count)
    const [saltBytes, keyBytes] = [fromBase64(salt, 'bare'), fromBase64(key, 'bare')]
    if (rounds === null || saltBytes === null || keyBytes === null) return null
    return { iterations: rounds, salt: saltBytes, key: keyBytes }
  })
}
