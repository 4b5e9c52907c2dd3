import { randomBytes } from 'node:crypto'
import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { createScryptHasher, type PasswordHasher } from 'fastify-accounts'
import { beforeAll, expect, test } from 'vitest'
import { passwordHasherCases, runCases } from '../../src/index.js'

const sabotages: Record<string, [law: string, fault: (hasher: PasswordHasher) => Partial<PasswordHasher>]> = {
  'compatibility forms count as the same password': [
    'a password is taken as it is',
    (hasher) => ({
      hash: (password) => hasher.hash(password.normalize('NFKC')),
      verify: (password, hash) => hasher.verify(password.normalize('NFKC'), hash),
    }),
  ],
  'a stronger hash needs a rehash': [
    'ROT-05: a costlier hash',
    (hasher) => ({ needsRehash: (hash) => hash === strong || hasher.needsRehash(hash) }),
  ],
  'a wrong password costs less for a weaker hash': [
    'LOG-04:',
    (hasher) => ({
      async verify(password, hash) {
        work += hash === weak ? 5 : 10
        return hasher.verify(password, hash)
      },
    }),
  ],
  'an overly expensive hash is computed': [
    'LOG-03:',
    (hasher) => ({
      async verify(password, hash) {
        work += 10
        return hasher.verify(password, hash)
      },
    }),
  ],
  'every password is accepted': ['a hash is text', () => ({ verify: async () => true })],
  'the hash contains the password': [
    'a hash is text',
    (hasher) => ({ hash: async (password) => `${password}:${await hasher.hash(password)}` }),
  ],
  'the hash is longer than stores must support': [
    'a hash is text',
    (hasher) => ({ hash: async (password) => (await hasher.hash(password)).repeat(9) }),
  ],
  'no salt': ['two hashes of one password differ', keepOneHash],
  'a password ends after 72 bytes, as with bcrypt': [
    'a password counts to its last character',
    (hasher) => ({
      hash: (password) => hasher.hash(Buffer.from(password).toString('latin1', 0, 72)),
      verify: (password, hash) => hasher.verify(Buffer.from(password).toString('latin1', 0, 72), hash),
    }),
  ],
  'runs of spaces count as one': [
    'a password is taken as it is',
    (hasher) => normalized(hasher, (password) => password.replace(/ +/g, ' ')),
  ],
  'joiners are dropped': [
    'a password is taken as it is',
    (hasher) => normalized(hasher, (password) => password.replace(/\u200c|\u200d|\ufe0f/g, '')),
  ],
  'the salt is stored, but not used': ['the salt of a hash', decorate],
  'a salt is one byte': ['fifty hashes of one password', saltWithByte],
  'canVerify only looks at the length': [
    'LOG-02: canVerify',
    () => ({ canVerify: (hash) => typeof hash === 'string' && hash.trim().length === 128 }),
  ],
  'canVerify ignores what follows': [
    'LOG-02: canVerify',
    (hasher) => ({
      canVerify: (hash) => hasher.canVerify(typeof hash === 'string' ? hash.slice(0, 128) : hash),
    }),
  ],
  'white space is trimmed': [
    'passwords may be of any script',
    (hasher) => ({
      hash: (password) => hasher.hash(password.trim()),
      verify: (password, hash) => hasher.verify(password.trim(), hash),
    }),
  ],
  'hashes share a buffer': ['5 simultaneous hashes', shareOnePassword],
  'a malformed hash throws': [
    'LOG-02:',
    (hasher) => ({
      verify: async (password, hash) => {
        if (!hasher.canVerify(hash)) throw new RangeError('invalid key')
        return hasher.verify(password, hash)
      },
    }),
  ],
  'canVerify accepts everything': ['LOG-02:', () => ({ canVerify: () => true })],
  'every hash needs a rehash': ['a current hash', () => ({ needsRehash: () => true })],
  'hostile settings are obeyed': [
    'LOG-03:',
    (hasher) => ({
      canVerify: () => false,
      verify: async (password, hash) => {
        if (hash === dear) await new Promise((resolve) => setTimeout(resolve, 600))
        return hasher.verify(password, hash)
      },
    }),
  ],
  'no hash needs a rehash': ['ROT-05:', () => ({ needsRehash: () => false })],
}
const dear = 'a hash that asks for more'
let work = 0
let [weak, strong] = ['', '']
beforeAll(async () => {
  weak = await createScryptHasher({ logN: 3, r: 8, p: 1 }).hash('correct horse')
  strong = await createScryptHasher({ logN: 5, r: 8, p: 1 }).hash('correct horse')
})
for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test(`detected by ${law}: ${fault}`, async () => {
    const cases = passwordHasherCases(
      () => {
        const hasher = createScryptHasher({ logN: 4, r: 8, p: 1 })
        return { ...hasher, ...sabotage(hasher) }
      },
      { overCeiling: { time: dear }, weaker: [weak], stronger: [strong], work: () => work },
    )
    await breaksLaws(cases, law)
  })
}

test('without options, the cases that need them are skipped, and the report says so', async () => {
  const cases = passwordHasherCases(() => createScryptHasher({ logN: 4, r: 8, p: 1 }))
  const lines: string[] = []
  await runCases(cases, (line) => lines.push(line))
  expect(lines).toEqual(['11 of 16 laws hold; not checked: overCeiling, work, weaker, stronger'])
})

/** Changes passwords before they are hashed or verified. */
function normalized(hasher: PasswordHasher, change: (password: string) => string): Partial<PasswordHasher> {
  return {
    hash: (password) => hasher.hash(change(password)),
    verify: (password, hash) => hasher.verify(change(password), hash),
  }
}

/** Puts a text before each hash, which verifying drops. */
function prefixed(
  hasher: PasswordHasher,
  hash: (password: string) => Promise<string>,
  prefix: () => string,
): PasswordHasher {
  const bare = (given: string): string =>
    typeof given === 'string' ? given.replace(/^[0-9a-f]{32}:/, '') : given
  return {
    hash: async (password) => `${prefix()}:${await hash(password)}`,
    verify: (password, given) => hasher.verify(password, bare(given)),
    canVerify: (given) => hasher.canVerify(bare(given)),
    needsRehash: (given) => hasher.needsRehash(bare(given)),
  }
}

function decorate(hasher: PasswordHasher): Partial<PasswordHasher> {
  const { hash = hasher.hash } = keepOneHash(hasher)
  return prefixed(hasher, hash, () => randomBytes(16).toString('hex'))
}

/** Hashes of one password that differ in at most 256 ways. */
function saltWithByte(hasher: PasswordHasher): Partial<PasswordHasher> {
  const hashes = new Map<string, Promise<string>>()
  return {
    hash: (password) => {
      const salted = `${randomBytes(1)[0]} ${password}`
      const hash = hashes.get(salted) ?? hasher.hash(password)
      hashes.set(salted, hash)
      return hash
    },
  }
}

function keepOneHash(hasher: PasswordHasher): Partial<PasswordHasher> {
  const hashes = new Map<string, Promise<string>>()
  return {
    hash: (password) => {
      const hash = hashes.get(password) ?? hasher.hash(password)
      hashes.set(password, hash)
      return hash
    },
  }
}

function shareOnePassword(hasher: PasswordHasher): Partial<PasswordHasher> {
  let shared: string
  return {
    hash: async (password) => {
      shared = password
      await later()
      return hasher.hash(shared)
    },
  }
}
