import { timingSafeEqual } from 'node:crypto'
import type { ForeignHashes } from './foreign-hashes.js'
import { type ScryptCost, scrypt, scryptWork } from './scrypt.js'

/** What a hash consists of; the key is in hexadecimal. */
interface TextSalted {
  salt: string
  key: string
  cost: ScryptCost
}

/**
 * scrypt as libraries in JavaScript have it: the salt is its text, not its bytes, and the password is in Unicode
 * normalization form KC. None has a setting for its cost.
 * @param usual the cost of the most expensive hash
 * @param parse `null` for a hash of another kind
 */
export function textSaltedScrypt(
  usual: ScryptCost,
  parse: (hash: string) => TextSalted | null,
): ForeignHashes {
  const derive = (password: string, { salt, cost }: Omit<TextSalted, 'key'>): Promise<Buffer> =>
    scrypt(password.normalize('NFKC'), salt, cost, 64)
  return {
    open(hash) {
      const parsed = parse(hash)
      if (parsed === null) return null
      const key = Buffer.from(parsed.key, 'hex')
      return {
        work: scryptWork(parsed.cost),
        verify: async (password) => timingSafeEqual(await derive(password, parsed), key),
      }
    },
    usualWork: scryptWork(usual),
    async spend(work) {
      // What an older hash has cost less.
      await derive('', { salt: '', cost: { ...usual, r: work / (usual.N * usual.p) } })
    },
  }
}
