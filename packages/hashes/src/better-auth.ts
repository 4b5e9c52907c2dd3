import type { ForeignHashes } from './foreign-hashes.js'
import type { ScryptCost } from './scrypt.js'
import { textSaltedScrypt } from './text-salted-scrypt.js'

const cost: ScryptCost = { N: 2 ** 14, r: 16, p: 1 }

/** better-auth's scrypt: salt and key in hexadecimal, `<32 digits>:<128 digits>`. */
export function betterAuth(): ForeignHashes {
  return textSaltedScrypt(cost, (hash) => {
    const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(hash) ?? []
    return salt === undefined || key === undefined ? null : { salt, key, cost }
  })
}
