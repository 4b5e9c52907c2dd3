import { checkCost, type ForeignHashes } from './foreign-hashes.js'
import { load } from './libraries.js'

/** Options of the bcrypt verifier. */
export interface BcryptOptions {
  /** The cost of the most expensive stored hash: the binary logarithm of the rounds. 12 by default. */
  cost?: number | undefined
  /** A secret appended to each password before hashing: Devise's `config.pepper`. None by default. */
  pepper?: string | undefined
}

/** A second or two. A planted hash cannot make a login cost more. */
const highestCost = 14

// Only two bits of the salt's last character count.
const pattern = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/**
 * bcrypt: `$2a$`, `$2b$` and `$2y$`, as created by bcrypt, bcryptjs, Devise, PHP and others. Only the first 72 bytes
 * of a password count, including the pepper. Needs the package @node-rs/bcrypt.
 * @throws RangeError with one line that names the option
 * @throws Error with one line if the package is not installed
 */
export function bcrypt({ cost = 12, pepper = '' }: BcryptOptions = {}): ForeignHashes {
  return bcryptKind('bcrypt', cost, (hash) => ({ bcrypt: hash, prepare: (password) => password + pepper }))
}

/**
 * @param name the function name for error messages
 * @param read extracts the bcrypt hash from a stored one, and how to transform a password before hashing
 */
export function bcryptKind(
  name: string,
  usual: number,
  read: (hash: string) => { bcrypt: string; prepare(password: string): string } | null,
): ForeignHashes {
  checkCost(name, 'cost', usual, 4, 31)
  const library = load(name, '@node-rs/bcrypt')
  const ceiling = Math.max(highestCost, usual)
  return {
    open(hash) {
      const found = read(hash)
      const cost = Number(pattern.exec(found?.bcrypt ?? '')?.[1] ?? 0)
      if (found === null || cost < 4 || cost > ceiling) return null
      return {
        work: 2 ** cost,
        verify: (password) => library.verify(found.prepare(password), found.bcrypt),
      }
    },
    usualWork: 2 ** usual,
    async spend(work) {
      // The difference between two costs is a sum of powers of two.
      for (let cost = 31; cost >= 4; cost -= 1) {
        if (Math.floor(work / 2 ** cost) % 2 === 1) await library.hash('', { cost })
      }
    },
  }
}
