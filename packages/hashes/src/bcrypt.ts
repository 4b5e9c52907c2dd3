import { checkCost, type ForeignHashes } from './foreign-hashes.js'
import { load } from './libraries.js'

/** Options of the bcrypt verifier. */
export interface BcryptOptions {
  /** What the costliest of the stored hashes asks for: the binary logarithm of the rounds. 12 by default. */
  cost?: number
  /** A secret that is put behind each password before hashing: Devise's `config.pepper`. None by default. */
  pepper?: string
}

/** A second or two. A hash that somebody planted cannot make a login cost more. */
const highestCost = 14

// The last character of the salt has two bits that count.
const pattern = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/**
 * bcrypt: `$2a$`, `$2b$` and `$2y$`, as bcrypt, bcryptjs, Devise, PHP and many more make them. Only the first 72 bytes
 * of a password count in such a hash, with the pepper. Needs the package @node-rs/bcrypt.
 * @throws RangeError of one line that names the option
 * @throws Error of one line where the package is not installed
 */
export function bcrypt({ cost = 12, pepper = '' }: BcryptOptions = {}): ForeignHashes {
  return bcryptKind('bcrypt', cost, (hash) => ({ bcrypt: hash, prepare: (password) => password + pepper }))
}

/**
 * @param name of the function that an error should name
 * @param read the bcrypt hash in a stored one, and what is made of a password before it is hashed
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
      // What is missing between two costs is a sum of powers of two.
      for (let cost = 31; cost >= 4; cost -= 1) {
        if (Math.floor(work / 2 ** cost) % 2 === 1) await library.hash('', { cost })
      }
    },
  }
}
