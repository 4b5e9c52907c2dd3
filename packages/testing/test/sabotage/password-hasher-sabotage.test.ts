import { randomBytes } from 'node:crypto'
import { createScryptHasher, type PasswordHasher } from 'fastify-accounts'
import { beforeAll, expect, test } from 'vitest'
import { passwordHasherCases, runCases } from '../../src/index.js'
import {
  detects,
  given,
  type Mistakes,
  type Mutations,
  ofText,
  remembers,
  result,
  says,
  shares,
} from './mutations.js'

const dear = 'a hash that asks for more'
let work = 0
let [weak, strong] = ['', '']
beforeAll(async () => {
  weak = await createScryptHasher({ logN: 3, r: 8, p: 1 }).hash('correct horse')
  strong = await createScryptHasher({ logN: 5, r: 8, p: 1 }).hash('correct horse')
})

/** Passwords are changed before they are hashed or verified. */
const normalizes =
  (change: (password: string) => string): Mistakes<PasswordHasher> =>
  ({ hash, verify }) => ({
    hash: (password) => hash(change(password)),
    verify: (password, kept) => verify(change(password), kept),
  })
/** Verifying costs so much. */
const costs =
  (of: (hash: string) => number) =>
  (call: PasswordHasher['verify']): PasswordHasher['verify'] =>
  async (password, hash) => {
    work += of(hash)
    return call(password, hash)
  }

const mutations: Mutations<PasswordHasher> = {
  'a hash is text': {
    verify: { 'every password is accepted': says(true) },
    hash: {
      'it contains the password': result((hash, password) => `${password}:${hash}`),
      'it is longer than stores must support': result((hash) => hash.repeat(9)),
    },
  },
  'two hashes of one password differ': { hash: { 'there is no salt': remembers } },
  'the salt of a hash': {
    several: {
      // A random text before each hash, which verifying drops.
      'it is stored, but not used': (hasher) => {
        const hash = remembers(hasher.hash)
        const bare = ofText((text) => text.replace(/^[0-9a-f]{32}:/, ''))
        return {
          hash: async (password) => `${randomBytes(16).toString('hex')}:${await hash(password)}`,
          verify: (password, kept) => hasher.verify(password, bare(kept)),
          canVerify: (kept) => hasher.canVerify(bare(kept)),
          needsRehash: (kept) => hasher.needsRehash(bare(kept)),
        }
      },
    },
  },
  'fifty hashes of one password': {
    hash: {
      'a salt is one byte': (call) => {
        const known = remembers((_: string, password: string) => call(password))
        return (password) => known(`${randomBytes(1)[0]} ${password}`, password)
      },
    },
  },
  'a password counts to its last character': {
    several: {
      'it ends after 72 bytes, as with bcrypt': normalizes((password) =>
        Buffer.from(password).toString('latin1', 0, 72),
      ),
    },
  },
  'a password is taken as it is': {
    several: {
      'compatibility forms count as the same': normalizes((password) => password.normalize('NFKC')),
      'runs of spaces count as one': normalizes((password) => password.replace(/ +/g, ' ')),
      'joiners are dropped': normalizes((password) => password.replace(/\u200c|\u200d|\ufe0f/g, '')),
    },
  },
  'passwords may be of any script': {
    several: { 'they are trimmed': normalizes((password) => password.trim()) },
  },
  '5 simultaneous hashes': { hash: { 'they share a buffer': shares } },
  'a current hash': { needsRehash: { 'it needs a rehash': () => () => true } },
  'LOG-02:': {
    verify: {
      'a malformed hash throws':
        (call, { canVerify }) =>
        async (password, hash) =>
          canVerify(hash) ? call(password, hash) : Promise.reject(new RangeError('invalid key')),
    },
    canVerify: { 'it accepts everything': () => () => true },
  },
  'LOG-02: canVerify': {
    canVerify: {
      'it only looks at the length': () => (hash) => typeof hash === 'string' && hash.trim().length === 128,
      'it ignores what follows': given((hash) => ofText((text) => text.slice(0, 128))(hash)),
    },
  },
  'LOG-03:': {
    verify: { 'an overly expensive hash is computed': costs(() => 10) },
    several: {
      'hostile settings are obeyed': ({ verify }) => ({
        canVerify: () => false,
        verify: async (password, hash) => {
          if (hash === dear) await new Promise((resolve) => setTimeout(resolve, 600))
          return verify(password, hash)
        },
      }),
    },
  },
  'LOG-04:': {
    verify: { 'a wrong password costs less for a weaker hash': costs((hash) => (hash === weak ? 5 : 10)) },
  },
  'ROT-05: a costlier hash': {
    needsRehash: { 'it needs a rehash': (call) => (hash) => hash === strong || call(hash) },
  },
  'ROT-05:': { needsRehash: { 'none needs a rehash': () => () => false } },
}
detects<PasswordHasher>(
  (mutate) =>
    passwordHasherCases(() => mutate(createScryptHasher({ logN: 4, r: 8, p: 1 })), {
      ...{ overCeiling: { time: dear }, weaker: [weak], stronger: [strong], work: () => work },
    }),
  mutations,
)

test('without options, the cases that need them are skipped, and the report says so', async () => {
  const cases = passwordHasherCases(() => createScryptHasher({ logN: 4, r: 8, p: 1 }))
  const lines: string[] = []
  await runCases(cases, (line) => lines.push(line))
  expect(lines).toEqual(['11 of 16 laws hold; not checked: overCeiling, work, weaker, stronger'])
})
