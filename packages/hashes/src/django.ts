import { createHash, timingSafeEqual } from 'node:crypto'
import { type Argon2Cost, argon2Kind } from './argon2.js'
import { type BcryptOptions, bcryptKind } from './bcrypt.js'
import { fromBase64, toCount } from './encoding.js'
import type { ForeignHashes } from './foreign-hashes.js'
import { type Pbkdf2Cost, pbkdf2Kind } from './pbkdf2.js'
import { checkScryptCost, isBearable, type ScryptCost, scrypt, scryptWork, spendScrypt } from './scrypt.js'

/**
 * Django's default: `pbkdf2_sha256$1000000$…`.
 * @param cost `iterations`: 1,000,000 by default, as in Django 5.2
 * @throws RangeError with one line that names the option
 */
export function djangoPbkdf2({ iterations = 1_000_000 }: Pbkdf2Cost = {}): ForeignHashes {
  return pbkdf2Kind('djangoPbkdf2', 'sha256', iterations, (hash) => {
    const [, count, salt = '', text = ''] =
      /^pbkdf2_sha256\$(\d+)\$([^$\s]{1,128})\$([A-Za-z0-9+/=]+)$/.exec(hash) ?? []
    const rounds = toCount(count)
    const key = fromBase64(text, 'padded')
    if (rounds === null || key?.length !== 32) return null
    return { iterations: rounds, salt, key }
  })
}

/**
 * `argon2$argon2id$…`, also of older variants. Needs the package @node-rs/argon2.
 * @param cost by default `{ memory: 102400, passes: 2, lanes: 8 }`, as in Django
 * @throws RangeError with one line that names the option
 * @throws Error with one line if the package is not installed
 */
export function djangoArgon2({ memory = 102_400, passes = 2, lanes = 8 }: Argon2Cost = {}): ForeignHashes {
  const kind = argon2Kind('djangoArgon2', { memory, passes, lanes })
  return { ...kind, open: (hash) => (hash.startsWith('argon2$') ? kind.open(hash.slice(6)) : null) }
}

/**
 * `bcrypt_sha256$$2b$12$…` and `bcrypt$$2b$12$…`. Needs the package @node-rs/bcrypt.
 * @throws RangeError with one line that names the option
 * @throws Error with one line if the package is not installed
 */
export function djangoBcrypt({ cost = 12 }: Pick<BcryptOptions, 'cost'> = {}): ForeignHashes {
  return bcryptKind('djangoBcrypt', cost, (hash) => {
    const [, algorithm, bcrypt = ''] = /^(bcrypt|bcrypt_sha256)\$(\$.+)$/.exec(hash) ?? []
    if (algorithm === undefined) return null
    if (algorithm === 'bcrypt') return { bcrypt, prepare: (password) => password }
    return { bcrypt, prepare: (password) => createHash('sha256').update(password).digest('hex') }
  })
}

/**
 * `scrypt$16384$…`, introduced in Django 4.0.
 * @param cost by default `{ N: 2 ** 14, r: 8, p: 5 }`, as in Django 5.2
 * @throws RangeError with one line that names the option
 */
export function djangoScrypt(cost: { [Name in keyof ScryptCost]?: number | undefined } = {}): ForeignHashes {
  const { N = 2 ** 14, r = 8, p = 5 } = cost
  const usual: ScryptCost = { N, r, p }
  checkScryptCost('djangoScrypt', usual)
  return {
    open(hash) {
      const [, n, salt = '', blockSize, parallelism, text = ''] =
        /^scrypt\$(\d+)\$([^$\s]{1,128})\$(\d+)\$(\d+)\$([A-Za-z0-9+/=]+)$/.exec(hash) ?? []
      const [N, r, p] = [toCount(n), toCount(blockSize), toCount(parallelism)]
      const key = fromBase64(text, 'padded')
      if (N === null || r === null || p === null || key?.length !== 64) return null
      const own = { N, r, p }
      if (!isBearable(own, usual)) return null
      return {
        work: scryptWork(own),
        verify: async (password) => timingSafeEqual(await scrypt(password, salt, own, 64), key),
      }
    },
    usualWork: scryptWork(usual),
    spend: (work) => spendScrypt(work, usual),
  }
}
