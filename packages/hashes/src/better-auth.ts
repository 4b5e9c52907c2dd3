import { timingSafeEqual } from 'node:crypto'
import type { ForeignHashes } from './foreign-hashes.js'
import { type ScryptCost, scrypt, scryptWork } from './scrypt.js'

/** better-auth has no setting for it. */
const cost: ScryptCost = { N: 2 ** 14, r: 16, p: 1 }

/** better-auth's scrypt: salt and key in hexadecimal, `<32 digits>:<128 digits>`. */
export function betterAuth(): ForeignHashes {
  const derive = (password: string, salt: string): Promise<Buffer> =>
    // The salt is its text, not its bytes; the password is in Unicode normalization form KC.
    scrypt(password.normalize('NFKC'), salt, cost, 64)
  return {
    open(hash) {
      const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(hash) ?? []
      if (salt === undefined || key === undefined) return null
      const bytes = Buffer.from(key, 'hex')
      return {
        work: scryptWork(cost),
        verify: async (password) => timingSafeEqual(await derive(password, salt), bytes),
      }
    },
    usualWork: scryptWork(cost),
    async spend() {
      await derive('', '')
    },
  }
}
