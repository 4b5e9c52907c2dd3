import { createCipheriv, timingSafeEqual } from 'node:crypto'
import { fromBase64 } from './encoding.js'
import { checkCost, type ForeignHashes } from './foreign-hashes.js'
import { isBearable, type ScryptCost, scrypt, scryptWork } from './scrypt.js'

/** What the Firebase console shows under Authentication, Users, Password hash parameters. */
export interface FirebaseProject {
  /** `base64_signer_key`. It is a secret: anyone with it and the hashes can guess passwords. */
  signerKey: string
  /** `base64_salt_separator`. */
  saltSeparator: string
  /** `rounds`. */
  rounds: number
  /** `mem_cost`. */
  memCost: number
}

/**
 * Firebase's own scrypt: the derived key encrypts the project's signer key. `auth:export` gives salt and hash of a user
 * in two fields; the import writes them as `firebase:<salt>:<hash>`.
 * @throws RangeError or TypeError with one line that names the option
 */
export function firebase({ signerKey, saltSeparator, rounds, memCost }: FirebaseProject): ForeignHashes {
  checkCost('firebase', 'rounds', rounds, 1, 64)
  checkCost('firebase', 'memCost', memCost, 1, 20)
  const signer = fromBase64(signerKey, 'padded')
  const separator = fromBase64(saltSeparator, 'padded')
  if (signer === null || signer.length < 16)
    throw new TypeError('firebase: signerKey must be a key in base64')
  if (separator === null) throw new TypeError('firebase: saltSeparator must be bytes in base64')
  const cost: ScryptCost = { N: 2 ** memCost, r: rounds, p: 1 }
  if (!isBearable(cost, cost)) throw new RangeError('firebase: memCost is too high for so few rounds')

  async function derive(password: string, salt: Buffer): Promise<Buffer> {
    const key = await scrypt(password, Buffer.concat([salt, separator as Buffer]), cost, 64)
    // The first half of the 64 bytes is the key; the counter starts at zero.
    return createCipheriv('aes-256-ctr', key.subarray(0, 32), Buffer.alloc(16)).update(signer as Buffer)
  }

  return {
    open(hash) {
      const [, salt = '', text = ''] =
        /^firebase:([A-Za-z0-9+/=_-]{1,128}):([A-Za-z0-9+/=_-]+)$/.exec(hash) ?? []
      const saltBytes = fromBase64(toStandard(salt), 'padded')
      const encrypted = fromBase64(toStandard(text), 'padded')
      if (saltBytes === null || encrypted?.length !== signer.length) return null
      return {
        work: scryptWork(cost),
        verify: async (password) => timingSafeEqual(await derive(password, saltBytes), encrypted),
      }
    },
    usualWork: scryptWork(cost),
    async spend() {
      await derive('', Buffer.alloc(8))
    },
  }
}

/** `auth:export` writes base64 or base64url, depending on its version. */
function toStandard(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/')
}
