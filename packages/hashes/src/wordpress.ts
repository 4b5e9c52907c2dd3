import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type BcryptOptions, bcryptKind } from './bcrypt.js'
import { checkCost, type ForeignHashes } from './foreign-hashes.js'

/** The cost of the most expensive stored hash. */
export interface PhpassCost {
  /** The binary logarithm of the rounds of MD5. */
  cost?: number | undefined
}

/** 0.2 seconds or so, during which other requests are served. A planted hash cannot make a login cost more. */
const highestCost = 17

/** The rounds between two turns of the event loop. */
const roundsPerTurn = 1024

/** phpass's digits, the lowest first: each is worth six bits. */
const digits = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// 16 bytes are 21 digits and two bits.
const pattern = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{21}[./01])$/

/**
 * WordPress before 6.8: phpass's portable hash, `$P$B…` or `$H$9…`, which is salted and iterated MD5.
 * @param cost `cost`: 13 by default, as in WordPress (`B`)
 * @throws RangeError with one line that names the option
 */
export function wordpressPhpass({ cost = 13 }: PhpassCost = {}): ForeignHashes {
  checkCost('wordpressPhpass', 'cost', cost, 7, 24)
  const ceiling = Math.max(highestCost, cost)
  return {
    open(hash) {
      const [, digit = '', salt = '', text = ''] = pattern.exec(hash) ?? []
      const own = digits.indexOf(digit)
      if (digit === '' || own < 7 || own > ceiling) return null
      const key = fromDigits(text)
      return {
        work: 2 ** own + 1,
        verify: async (password) => timingSafeEqual(await derive(asPosted(password), salt, 2 ** own), key),
      }
    },
    // The first one has the salt.
    usualWork: 2 ** cost + 1,
    async spend(work, password) {
      await derive(asPosted(password), '', work - 1)
    },
  }
}

/**
 * WordPress 6.8 and later: `$wp$2y$10$…`, which is bcrypt of a base64-encoded HMAC. Needs the package @node-rs/bcrypt.
 * @param cost `cost`: 12 by default, as in PHP 8.4
 * @throws RangeError with one line that names the option
 * @throws Error with one line if the package is not installed
 */
export function wordpressBcrypt({ cost = 12 }: Pick<BcryptOptions, 'cost'> = {}): ForeignHashes {
  return bcryptKind('wordpressBcrypt', cost, (hash) => {
    if (!hash.startsWith('$wp$2y$')) return null
    return {
      bcrypt: hash.slice(3),
      prepare: (password) => createHmac('sha384', 'wp-sha384').update(asPosted(password)).digest('base64'),
    }
  })
}

/**
 * A password as WordPress hashes it: what a form posted is escaped with backslashes ("magic quotes"), and a password is
 * the one field where they are never removed.
 */
function asPosted(password: string): string {
  const escaped = password.replace(/['"\\]/g, '\\$&')
  let [start, end] = [0, escaped.length]
  while (start < end && isSpace(escaped.charCodeAt(start))) start += 1
  while (end > start && isSpace(escaped.charCodeAt(end - 1))) end -= 1
  return escaped.slice(start, end)
}

/** What PHP's `trim` removes. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 12)
}

/** MD5 of salt and password, then of the result and the password as often as `rounds` says. */
async function derive(password: string, salt: string, rounds: number): Promise<Buffer> {
  let key = createHash('md5').update(salt).update(password).digest()
  for (let round = 1; round <= rounds; round += 1) {
    key = createHash('md5').update(key).update(password).digest()
    if (round % roundsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return key
}

/** Decodes phpass's base64, whose lowest bits come first. */
function fromDigits(text: string): Buffer {
  const bytes: number[] = []
  let [bits, count] = [0, 0]
  for (const digit of text) {
    bits += digits.indexOf(digit) << count
    count += 6
    if (count < 8) continue
    bytes.push(bits & 255)
    bits >>= 8
    count -= 8
  }
  return Buffer.from(bytes)
}
