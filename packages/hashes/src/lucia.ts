import type { ForeignHashes } from './foreign-hashes.js'
import type { ScryptCost } from './scrypt.js'
import { textSaltedScrypt } from './text-salted-scrypt.js'

const cost: ScryptCost = { N: 2 ** 14, r: 16, p: 1 }
/** Before version 1. */
const older: ScryptCost = { ...cost, r: 8 }

/**
 * Lucia's scrypt: `s2:<salt>:<128 digits>` of versions 1 and 2 and of `LegacyScrypt`; `<32 digits>:<128 digits>` of `Scrypt`
 * of version 3 and of Oslo; and the shorter salt without `s2` of the betas.
 */
export function lucia(): ForeignHashes {
  return textSaltedScrypt(cost, (hash) => {
    const [, version, salt = '', key] =
      /^(s2:)?([0-9A-Za-z]{16}|[0-9a-f]{32}):([0-9a-f]{128})$/.exec(hash) ?? []
    if (key === undefined) return null
    return { salt, key, cost: version === undefined && salt.length === 16 ? older : cost }
  })
}
