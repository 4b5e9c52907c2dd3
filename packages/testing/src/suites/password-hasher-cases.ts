import type { PasswordHasher } from 'fastify-accounts'
import { raced } from './calls.js'
import { type ConformanceCase, casesOf, type Laws, notChecked } from './cases.js'
import { check, parallelCalls, race, range, same, scramble, show } from './checks.js'

/** Options of `passwordHasherCases`. What you omit isn't checked. */
export interface PasswordHasherCaseOptions {
  /**
   * Well-formed hashes that ask for more than the hasher allows, one for each setting that costs time or memory:
   * `{ memory: '…', passes: '…' }`. Keep all others of each at what is allowed, or one ceiling hides that another is
   * missing.
   */
  overCeiling?: Readonly<Record<string, string>> | undefined
  /** Well-formed hashes of `'correct horse'` that are weaker than those the hasher makes. */
  weaker?: readonly string[] | undefined
  /** Well-formed hashes of `'correct horse'` that cost more than the hasher's own, but not more than it allows. */
  stronger?: readonly string[] | undefined
  /**
   * Returns the work done so far by the hashers from `makeHasher`, in any unit, such as iterations. It is counted, not
   * timed, so a busy machine makes no difference.
   */
  work?: (() => number) | undefined
}

/**
 * The conformance suite of a `PasswordHasher`. It computes about 160 hashes, so give the hasher a low cost.
 *
 * Not included: normalizing passwords and rejecting ill-formed ones, which the plugin does; failures of the system, which
 * need tests of your own.
 *
 * @param makeHasher makes a hasher with the same settings at each call
 */
export function passwordHasherCases(
  makeHasher: () => Promise<PasswordHasher> | PasswordHasher,
  options: PasswordHasherCaseOptions = {},
): ConformanceCase[] {
  return casesOf({ ...hashLaws, ...costLaws(options) }, makeHasher)
}

/** Hashes of other kinds, and possible contents of a damaged row. */
const foreignHashes: unknown[] = [
  '',
  '!',
  ' ',
  'AAAA',
  'null',
  'é😀',
  '\0',
  '\ud800',
  'x'.repeat(96),
  'x'.repeat(128),
  'A'.repeat(128),
  'A'.repeat(1_000_000),
  '$',
  '$$$$$',
  'pbkdf2_sha256$600000$c2FsdA$aGFzaA==',
  '$1$salt$qJH7.N4xYta3aEG/dfqo/0',
  '$scrypt$ln=30,r=8,p=1$c2FsdA$aGFzaA',
  null,
  undefined,
  0,
  [],
  {},
]

const hashLaws: Laws<PasswordHasher> = {
  'a hash is text that verifies its password and no other': async (hasher) => {
    const hash = await hasher.hash('correct horse')
    check(typeof hash === 'string' && hash.length > 0, `the hash is ${show(hash)}`)
    check(hash.length <= 1024, `the hash has ${hash.length} characters, more than stores must keep`)
    check(!hash.includes('correct horse'), 'the hash holds the password')
    same(hasher.canVerify(hash), true, 'canVerify()')
    same(await hasher.verify('correct horse', hash), true, 'verify() of the password')
    // No NUL: HMAC pads its key with it, so PBKDF2 and scrypt ignore a trailing one. The plugin rejects it.
    for (const other of ['', 'correct hors', 'correct horse ', 'Correct horse']) {
      same(await hasher.verify(other, hash), false, `verify(${show(other)})`)
    }
  },

  'two hashes of one password differ: they are salted': async (hasher) => {
    const hashes = await Promise.all(range(3).map(() => hasher.hash('correct horse')))
    same(new Set(hashes).size, 3, 'the number of different hashes')
  },

  'fifty hashes of one password differ: a salt is long and random': async (hasher) => {
    const hashes = new Set<string>()
    for (const _ of range(5)) {
      for (const hash of await Promise.all(range(10).map(() => hasher.hash('correct horse'))))
        hashes.add(hash)
    }
    same(hashes.size, 50, 'the number of different hashes')
  },

  'the salt of a hash changes all that depends on the password': async (hasher) => {
    const [one, other, ofAnother] = await Promise.all(
      ['correct horse', 'correct horse', 'battery staple'].map((password) => hasher.hash(password)),
    )
    // Settings and a few signs by chance: as much as hashes of two passwords have in common.
    const usual = longestCommon(`${one}`, `${ofAnother}`) + 8
    const common = longestCommon(`${one}`, `${other}`)
    check(
      common <= usual,
      `two hashes of one password have ${common} characters in common, of two ${usual - 8}`,
    )
  },

  'a password counts to its last character, even at 256 code points of four bytes': async (hasher) => {
    const long = scramble(256, '𝒜𐐷😀🐎')
    const hash = await hasher.hash(long)
    same(await hasher.verify(long, hash), true, 'verify() of the password')
    same(
      await hasher.verify([...long].slice(0, -1).join(''), hash),
      false,
      'verify() without the last character',
    )
    same(
      await hasher.verify(`${[...long].slice(0, -1).join('')}x`, hash),
      false,
      'verify() with another last character',
    )
  },

  'passwords may be of any script, and contain white space': async (hasher) => {
    for (const password of ['pässwörd ', 'שלום עולם', '👩‍👩‍👧‍👦', '\t\n', '漢字']) {
      const hash = await hasher.hash(password)
      same(await hasher.verify(password, hash), true, `verify(${show(password)})`)
      same(
        await hasher.verify(password.slice(0, 1), hash),
        false,
        `verify() of the start of ${show(password)}`,
      )
    }
  },

  'a password is taken as it is: other forms, spaces and joiners make other passwords': async (hasher) => {
    for (const [password, other] of [
      ['ﬁnal Ａ²', 'final A2'],
      ['final A2', 'ﬁnal Ａ²'],
      ['correct  horse', 'correct horse'],
      ['correct   horse', 'correct  horse'],
      ['correct\thorse', 'correct horse'],
      ['correct\u00a0horse', 'correct horse'],
      ['co\u200drrect', 'correct'],
      ['co\u200crrect', 'correct'],
      ['correct\ufe0f', 'correct'],
      ['\ufeffcorrect', 'correct'],
      ['👩\u200d👧', '👩👧'],
    ] as const) {
      const hash = await hasher.hash(password)
      same(await hasher.verify(password, hash), true, `verify(${show(password)})`)
      same(await hasher.verify(other, hash), false, `verify(${show(other)}) with a hash of ${show(password)}`)
    }
  },

  [`${parallelCalls / 10} simultaneous hashes do not mix`]: async (hasher) => {
    const passwords = range(parallelCalls / 10).map((index) => `password ${index}`)
    const hashes = await raced(passwords.map((password) => () => hasher.hash(password)))
    const { values } = await race(hashes.map((hash, index) => () => hasher.verify(`password ${index}`, hash)))
    same(
      values,
      passwords.map(() => true),
      'what verify() says',
    )
  },

  'LOG-02: a malformed or foreign hash is false at once, not an error': async (hasher) => {
    const own = await hasher.hash('correct horse')
    for (const hash of [...foreignHashes, ...damaged(own)] as string[]) {
      same(await hasher.verify('correct horse', hash), false, `verify() with the hash ${show(hash)}`)
      same(await hasher.verify('', hash), false, `verify() of nothing with the hash ${show(hash)}`)
    }
    for (const hash of foreignHashes as string[]) {
      same(hasher.canVerify(hash), false, `canVerify(${show(hash)})`)
      same(hasher.needsRehash(hash), true, `needsRehash(${show(hash)})`)
    }
  },

  'LOG-02: canVerify never throws, and is false for half a hash and for one that goes on': async (hasher) => {
    const own = await hasher.hash('correct horse')
    for (const hash of damaged(own))
      same(typeof hasher.canVerify(hash), 'boolean', `canVerify(${show(hash)})`)
    for (const hash of [own.slice(0, own.length / 2), `${own}${own}`, ` ${own}`, `${own}\n`])
      same(hasher.canVerify(hash), false, `canVerify(${show(hash)})`)
  },

  'a current hash needs no rehash': async (hasher) => {
    same(hasher.needsRehash(await hasher.hash('correct horse')), false, 'needsRehash()')
  },
}

function costLaws({ overCeiling, weaker, stronger, work }: PasswordHasherCaseOptions): Laws<PasswordHasher> {
  return {
    'LOG-03: a hash that asks for more than the hasher allows is false at once': async (hasher) => {
      if (overCeiling === undefined) return notChecked('overCeiling')
      for (const [cost, hash] of Object.entries(overCeiling)) {
        const what = `${show(hash)}, which asks for too much of ${cost}`
        same(hasher.canVerify(hash), false, `canVerify() of ${what}`)
        const durations: number[] = []
        const before = work?.()
        // A busy machine may delay one of three, but not the fastest.
        for (const _ of range(3)) {
          const start = performance.now()
          same(await hasher.verify('correct horse', hash), false, `verify() with ${what}`)
          durations.push(performance.now() - start)
        }
        same(work?.(), before, `the work done for ${what}`)
        const duration = Math.min(...durations)
        check(duration < 500, `verify() took ${Math.round(duration)} ms with ${what}`)
      }
    },

    'LOG-02: verify does its work if and only if canVerify says so, also for a damaged hash': async (
      hasher,
    ) => {
      if (work === undefined) return notChecked('work')
      const own = await hasher.hash('correct horse')
      const workOf = async (hash: string): Promise<number> => {
        const before = work()
        await hasher.verify('wrong horse', hash)
        return work() - before
      }
      const due = await workOf(own)
      check(due > 0, 'a wrong password costs no work')
      for (const hash of damaged(own)) {
        const [says, cost] = [hasher.canVerify(hash), await workOf(hash)]
        const isAsSaid = says ? cost >= due * 0.9 : cost === 0
        check(
          isAsSaid,
          `canVerify() is ${says}, but the work is ${cost} of ${due} with the hash ${show(hash)}`,
        )
      }
    },

    'LOG-04: a wrong password costs as much work for a weaker hash as for a current one': async (hasher) => {
      if (weaker === undefined) return notChecked('weaker')
      if (work === undefined) return notChecked('work')
      const costOf = async (password: string, hash: string): Promise<number> => {
        const before = work()
        await hasher.verify(password, hash)
        return work() - before
      }
      const today = await costOf('wrong horse', await hasher.hash('correct horse'))
      check(today > 0, 'a wrong password costs no work')
      for (const hash of weaker) {
        const cost = await costOf('wrong horse', hash)
        // One that takes less memory may take more work.
        const due = Math.max(today, await costOf('correct horse', hash))
        const isNear = Math.abs(cost - due) <= due / 10
        check(isNear, `a wrong password costs ${cost} instead of ${due} with the hash ${show(hash)}`)
      }
    },

    'ROT-05: a weaker hash is verified and needs a rehash': async (hasher) => {
      if (weaker === undefined) return notChecked('weaker')
      for (const hash of weaker) {
        await isVerified(hasher, hash)
        same(hasher.needsRehash(hash), true, `needsRehash(${show(hash)})`)
      }
    },

    'ROT-05: a costlier hash is verified and needs no rehash': async (hasher) => {
      if (stronger === undefined) return notChecked('stronger')
      for (const hash of stronger) {
        await isVerified(hasher, hash)
        same(hasher.needsRehash(hash), false, `needsRehash(${show(hash)})`)
      }
    },
  }
}

/** What a hash may be after its row was damaged; none of them is of its password. */
function damaged(own: string): string[] {
  const middle = Math.floor(own.length / 2)
  const other = own[middle] === 'A' ? 'B' : 'A'
  return [
    own.slice(0, -1),
    own.slice(1),
    `${own}A`,
    `${own}${own}`,
    ` ${own}`,
    `${own}\n`,
    own.slice(0, middle),
    own.slice(0, middle) + other + own.slice(middle + 1),
    own.toLowerCase(),
    own.split('').reverse().join(''),
  ]
}

/** The length of the longest text that is part of both. */
function longestCommon(one: string, other: string): number {
  let longest = 0
  for (const start of range(one.length))
    while (start + longest < one.length && other.includes(one.slice(start, start + longest + 1))) longest += 1
  return longest
}

async function isVerified(hasher: PasswordHasher, hash: string): Promise<void> {
  same(hasher.canVerify(hash), true, `canVerify(${show(hash)})`)
  same(await hasher.verify('correct horse', hash), true, `verify() with the hash ${show(hash)}`)
  same(await hasher.verify('wrong horse', hash), false, `verify() of another password with ${show(hash)}`)
}
