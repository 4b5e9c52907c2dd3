import { scryptSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { firebaseProject, oneOfEach } from '@fastify-accounts/test-support/hashes'
import { passwordHasherCases } from '@fastify-accounts/testing'
import { createScryptHasher } from 'fastify-accounts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  argon2,
  aspnetIdentity,
  bcrypt,
  betterAuth,
  createMigratingHasher,
  djangoArgon2,
  djangoBcrypt,
  djangoPbkdf2,
  djangoScrypt,
  type ForeignHashes,
  firebase,
  lucia,
  passlibBcryptSha256,
  passlibPbkdf2,
  pbkdf2,
  werkzeugPbkdf2,
  werkzeugScrypt,
  wordpressBcrypt,
  wordpressPhpass,
} from '../src/index.js'

/** The work since a test last cleared it, and the total. */
const derived = vi.hoisted(() => ({ work: [] as [string, number][], done: 0, md5Bytes: 0 }))
vi.mock('node:crypto', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:crypto')>()
  type Derive = (...parameters: unknown[]) => void
  const watch =
    (name: string, work: (parameters: never[]) => [string, number]): Derive =>
    (...parameters) => {
      const done = work(parameters as never[])
      derived.work.push(done)
      derived.done += done[1]
      ;(Reflect.get(real, name) as Derive)(...parameters)
    }
  const bytesOf: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }
  const pbkdf2Work = (parameters: [string, string, number, number, string]): [string, number] => {
    const [, , iterations, bytes, digest] = parameters
    return [`pbkdf2 ${digest}`, iterations * Math.ceil(bytes / (bytesOf[digest] ?? Number.NaN))]
  }
  const scryptWork = (parameters: { N: number; r: number; p: number }[]): [string, number] => {
    const { N = 0, r = 0, p = 0 } = parameters[3] ?? {}
    return ['scrypt', N * r * p]
  }
  return {
    ...real,
    pbkdf2: watch('pbkdf2', pbkdf2Work as never),
    scrypt: watch('scrypt', scryptWork as never),
    createHash(name: string) {
      const hash = real.createHash(name)
      if (name !== 'md5') return hash
      derived.work.push(['md5', 1])
      derived.done += 1
      const update = hash.update.bind(hash) as (data: string | Buffer) => typeof hash
      return Object.assign(hash, {
        update(data: string | Buffer) {
          derived.md5Bytes += data.length
          return update(data)
        },
      })
    },
  }
})

const cheap = { logN: 6, r: 8, p: 2 }
const few = {
  bcrypt: { cost: 6 },
  pbkdf2: { iterations: 5000 },
  argon2: { memory: 256, passes: 4, lanes: 1 },
  scrypt: { N: 2 ** 8, r: 8, p: 3 },
}
const all = (): ForeignHashes[] => [
  ...[djangoPbkdf2(few.pbkdf2), djangoArgon2(few.argon2), djangoBcrypt(few.bcrypt), djangoScrypt(few.scrypt)],
  ...[argon2(few.argon2), bcrypt(few.bcrypt), betterAuth(), firebase(firebaseProject), lucia()],
  ...[wordpressPhpass({ cost: 8 }), wordpressBcrypt(few.bcrypt)],
  ...[passlibBcryptSha256(few.bcrypt), werkzeugScrypt(few.scrypt)],
  ...(['sha1', 'sha256', 'sha512'] as const).flatMap((digest) =>
    [pbkdf2, passlibPbkdf2, werkzeugPbkdf2, aspnetIdentity].map((kind) => kind({ ...few.pbkdf2, digest })),
  ),
]

const salt = 'c2FsdHNhbHRzYWx0c2FsdA'
const key = Buffer.alloc(32, 7).toString('base64')
const bare = key.replace('=', '')
/** ASP.NET Core's version 3: the number of the digest, iterations, length of the salt, salt and key. */
function aspnetOf(digest: number, iterations: number, saltLength: number, rest: number): string {
  const bytes = Buffer.alloc(13 + rest, 7)
  bytes[0] = 1
  for (const [at, value] of [digest, iterations, saltLength].entries()) bytes.writeUInt32BE(value, 1 + 4 * at)
  return bytes.toString('base64')
}
const argon2Of = (settings: string): string => `$argon2id$v=19$${settings}$${salt}$${bare}`

/** Well-formed hashes that demand too much work, or have impossible settings. */
const excessive = {
  'pbkdf2_sha256, iterations': `pbkdf2_sha256$2400001$salt$${key}`,
  'pbkdf2_sha256, more digits than a number has': `pbkdf2_sha256$${'9'.repeat(400)}$salt$${key}`,
  'pbkdf2_sha256, no iterations': `pbkdf2_sha256$0$salt$${key}`,
  'pbkdf2, iterations': `$pbkdf2-sha256$i=4294967295$${salt}$${bare}`,
  'pbkdf2, a long key': `$pbkdf2-sha1$i=1000000$${salt}$${Buffer.alloc(80).toString('base64').replace(/=+/, '')}`,
  'argon2, memory': argon2Of('m=2097152,t=1,p=1'),
  'argon2, passes': argon2Of('m=65536,t=4294967295,p=1'),
  'argon2, lanes': argon2Of('m=65536,t=1,p=255'),
  'argon2, less memory than lanes need': argon2Of('m=8,t=1,p=4'),
  'argon2, the same setting twice': argon2Of('m=65536,m=65536,t=1'),
  'django argon2, memory': `argon2${argon2Of('m=2097152,t=1,p=1')}`,
  'bcrypt, cost': `$2b$15$${'a'.repeat(21)}u${'a'.repeat(31)}`,
  'bcrypt, cost 31': `$2b$31$${'a'.repeat(21)}u${'a'.repeat(31)}`,
  'bcrypt, cost 3': `$2b$03$${'a'.repeat(21)}u${'a'.repeat(31)}`,
  'django bcrypt, cost': `bcrypt_sha256$$2b$20$${'a'.repeat(21)}u${'a'.repeat(31)}`,
  'scrypt, N': `scrypt$1048576$salt$8$1$${Buffer.alloc(64).toString('base64')}`,
  'scrypt, p': `scrypt$16384$salt$8$1000$${Buffer.alloc(64).toString('base64')}`,
  'scrypt, N no power of two': `scrypt$16383$salt$8$1$${Buffer.alloc(64).toString('base64')}`,
  'scrypt, N too large for r': `scrypt$65536$salt$1$1$${Buffer.alloc(64).toString('base64')}`,
  'wordpress phpass, rounds': `$P$Gsaltsalt${'.'.repeat(22)}`,
  'wordpress phpass, all rounds': `$P$zsaltsalt${'.'.repeat(22)}`,
  'wordpress phpass, too few rounds': `$P$4saltsalt${'.'.repeat(22)}`,
  'wordpress bcrypt, cost': `$wp$2y$15$${'a'.repeat(21)}u${'a'.repeat(31)}`,
  'passlib, iterations': `$pbkdf2-sha256$2400001$${salt}$${bare}`,
  'passlib, no iterations': `$pbkdf2-sha256$0$${salt}$${bare}`,
  'passlib, a long key': `$pbkdf2$1300000$${salt}$${bare}`,
  'passlib bcrypt, cost': `$bcrypt-sha256$v=2,t=2b,r=15$${'a'.repeat(21)}u$${'a'.repeat(31)}`,
  'passlib bcrypt, cost 3': `$bcrypt-sha256$2a,3$${'a'.repeat(21)}u$${'a'.repeat(31)}`,
  'werkzeug, iterations': `pbkdf2:sha256:2400001$salt$${'0'.repeat(64)}`,
  'werkzeug scrypt, N': `scrypt:1048576:8:1$salt$${'0'.repeat(128)}`,
  'werkzeug scrypt, N no power of two': `scrypt:32767:8:1$salt$${'0'.repeat(128)}`,
  'aspnet, iterations': aspnetOf(2, 2_400_001, 16, 48),
  'aspnet, iterations beyond a signed number': aspnetOf(2, 2 ** 32 - 1, 16, 48),
  'aspnet, no iterations': aspnetOf(2, 0, 16, 48),
  'aspnet, a long key': aspnetOf(0, 200_000, 16, 16 + 20 * 13),
}

const cases = passwordHasherCases(() => createMigratingHasher(createScryptHasher(cheap), all()), {
  overCeiling: excessive,
  weaker: [await createScryptHasher({ ...cheap, p: 1 }).hash('correct horse')],
  stronger: [await createScryptHasher({ ...cheap, p: 4 }).hash('correct horse')],
  work: () => derived.done,
})
for (const { name, run } of cases) test(name, run)

describe('a hash that demands too much work, or has impossible settings, is rejected', () => {
  test.each(Object.entries(excessive))('%s', async (_, hash) => {
    derived.work = []
    const hasher = createMigratingHasher(createScryptHasher(cheap), all())
    expect(hasher.canVerify(hash)).toBe(false)
    expect(await hasher.verify('correct horse', hash)).toBe(false)
    expect(derived.work).toEqual([])
  })

  test('unless one’s own hashes demand as much', () => {
    expect(bcrypt({ cost: 15 }).open(excessive['bcrypt, cost'])).not.toBe(null)
    expect(pbkdf2({ iterations: 4_000_000, digest: 'sha1' }).open(excessive['pbkdf2, a long key'])).not.toBe(
      null,
    )
    expect(argon2({ memory: 2 ** 21, passes: 1 }).open(excessive['argon2, memory'])).not.toBe(null)
    expect(djangoScrypt({ N: 2 ** 20 }).open(excessive['scrypt, N'])).not.toBe(null)
    expect(werkzeugScrypt({ N: 2 ** 20 }).open(excessive['werkzeug scrypt, N'])).not.toBe(null)
    expect(wordpressPhpass({ cost: 18 }).open(excessive['wordpress phpass, rounds'])).not.toBe(null)
    expect(aspnetIdentity({ iterations: 2_400_001 }).open(excessive['aspnet, iterations'])).not.toBe(null)
  })
})

describe('a wrong password costs the same, whichever hash is stored', () => {
  const require = createRequire(import.meta.url)

  /** The work done by each function, in total. */
  async function workOf(verify: () => Promise<boolean>): Promise<Record<string, number>> {
    derived.work = []
    const bcryptSpies = {
      hash: vi.spyOn(require('@node-rs/bcrypt'), 'hash'),
      verify: vi.spyOn(require('@node-rs/bcrypt'), 'verify'),
    }
    const argon2Spy = vi.spyOn(require('@node-rs/argon2'), 'hashRaw')
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await verify()).toBe(false)
    const work: Record<string, number> = {}
    const add = (name: string, units: number): void => {
      work[name] = (work[name] ?? 0) + units
    }
    for (const [name, units] of derived.work) add(name, units)
    for (const [, options] of bcryptSpies.hash.mock.calls as [string, { cost: number }][])
      add('bcrypt', 2 ** options.cost)
    for (const [, hash] of bcryptSpies.verify.mock.calls as [string, string][])
      add('bcrypt', 2 ** Number(/\$(\d\d)\$/.exec(hash)?.[1]))
    for (const [, { memoryCost, timeCost }] of argon2Spy.mock.calls as [
      string,
      { memoryCost: number; timeCost: number },
    ][]) {
      add('argon2', memoryCost * timeCost)
    }
    vi.restoreAllMocks()
    return work
  }

  const stored = {
    'PBKDF2 at the usual cost': `pbkdf2_sha256$5000$salt$${key}`,
    'PBKDF2 from before the iterations were raised': `pbkdf2_sha256$1200$salt$${key}`,
    'PBKDF2 with SHA-512': `$pbkdf2-sha512$i=5000$${salt}$${Buffer.alloc(64).toString('base64').replace('==', '')}`,
    'PBKDF2 with SHA-512 and a short key': `$pbkdf2-sha512$i=3000$${salt}$${bare}`,
    'Argon2 at the usual cost': `argon2${argon2Of('m=256,t=4,p=1')}`,
    'Argon2 with fewer passes': `argon2${argon2Of('m=256,t=1,p=1')}`,
    'bcrypt at the usual cost': `$2b$06$${'a'.repeat(21)}u${'a'.repeat(31)}`.replace(/.$/, '2'),
    'bcrypt two steps below': `$2a$04$${'a'.repeat(21)}u${'a'.repeat(31)}`.replace(/.$/, '2'),
    'scrypt at the usual cost': `scrypt$256$salt$8$3$${Buffer.alloc(64).toString('base64')}`,
    'scrypt with less memory': `scrypt$64$salt$8$1$${Buffer.alloc(64).toString('base64')}`,
    'phpass at the usual cost': `$P$6saltsalt${'.'.repeat(22)}`,
    'phpass two steps below': `$H$5saltsalt${'.'.repeat(22)}`,
    'ASP.NET at the usual cost': aspnetOf(2, 5000, 16, 48),
    'ASP.NET with fewer iterations and a longer key': aspnetOf(2, 900, 16, 16 + 128),
  }
  const kinds = (): ForeignHashes[] => [
    ...[djangoPbkdf2(few.pbkdf2), djangoArgon2(few.argon2), bcrypt(few.bcrypt), djangoScrypt(few.scrypt)],
    ...[pbkdf2({ ...few.pbkdf2, digest: 'sha512' }), aspnetIdentity(few.pbkdf2)],
    wordpressPhpass({ cost: 8 }),
  ]

  test.each(Object.entries(stored))('%s, and a current hash', async (_, hash) => {
    const hasher = createMigratingHasher(createScryptHasher(cheap), kinds())
    const today = await hasher.hash('another one')
    expect(hasher.canVerify(hash)).toBe(true)
    const unknown = await workOf(() => hasher.verify('a wrong one', today))
    expect(Object.keys(unknown).sort()).toEqual([
      'argon2',
      'bcrypt',
      'md5',
      'pbkdf2 sha256',
      'pbkdf2 sha512',
      'scrypt',
    ])
    // scrypt-kdf calls scrypt through its own import of node:crypto, which is counted as well.
    expect(await workOf(() => hasher.verify('a wrong one', hash))).toEqual(unknown)
  })

  test('better-auth, Lucia and Firebase, which have a fixed cost', async () => {
    const kinds = [betterAuth(), lucia(), firebase(firebaseProject)]
    const hasher = createMigratingHasher(createScryptHasher(cheap), kinds)
    const unknown = await workOf(async () => hasher.verify('a wrong one', await hasher.hash('another one')))
    const own = await workOf(async () => hasher.hash('another one').then(() => false))
    const beta = `betabetabetabeta:${'0'.repeat(128)}`
    const made = oneOfEach.filter(({ kind }) => ['better-auth', 'lucia', 'firebase'].includes(kind))
    expect(made.length).toBeGreaterThan(4)
    for (const hash of [...made.map((each) => each.hash), beta]) {
      const spent = await workOf(() => hasher.verify('a wrong one', hash))
      // The first measurement includes creating a hash.
      expect((spent.scrypt ?? 0) + (own.scrypt ?? 0)).toBe(unknown.scrypt)
    }
  })
})

test('FLT-11: a system failure rejects; it isn’t a wrong password', async () => {
  const failure = new Error('not enough memory')
  const require = createRequire(import.meta.url)
  const spy = vi.spyOn(require('@node-rs/argon2'), 'hashRaw').mockRejectedValue(failure)
  onTestFinished(() => spy.mockRestore())
  const hasher = createMigratingHasher(createScryptHasher(cheap), [argon2()])
  await expect(hasher.verify('correct horse', argon2Of('m=256,t=1,p=1'))).rejects.toBe(failure)
})

test.each([
  [() => pbkdf2({ iterations: 0 }), 'pbkdf2: iterations must be a whole number from 1'],
  [() => pbkdf2({ digest: 'md5' as 'sha1' }), 'pbkdf2: digest must be sha1, sha256 or sha512, not md5'],
  [() => djangoPbkdf2({ iterations: 1.5 }), 'djangoPbkdf2: iterations must be'],
  [() => bcrypt({ cost: 32 }), 'bcrypt: cost must be a whole number from 4 to 31'],
  [() => djangoBcrypt({ cost: 3 }), 'djangoBcrypt: cost must be'],
  [() => argon2({ memory: 8 }), 'argon2: memory must be a whole number from 32'],
  [() => djangoArgon2({ lanes: 0 }), 'djangoArgon2: lanes must be'],
  [() => argon2({ passes: 0 }), 'argon2: passes must be'],
  [() => djangoScrypt({ N: 1000 }), 'djangoScrypt: N must be a power of two'],
  [() => werkzeugScrypt({ N: 1000 }), 'werkzeugScrypt: N must be a power of two'],
  [() => werkzeugScrypt({ r: 0 }), 'werkzeugScrypt: r must be'],
  [() => werkzeugPbkdf2({ iterations: 0 }), 'werkzeugPbkdf2: iterations must be'],
  [
    () => werkzeugPbkdf2({ digest: 'md5' as 'sha1' }),
    'werkzeugPbkdf2: digest must be sha1, sha256 or sha512',
  ],
  [() => passlibPbkdf2({ iterations: 0 }), 'passlibPbkdf2: iterations must be'],
  [() => passlibPbkdf2({ digest: 'md5' as 'sha1' }), 'passlibPbkdf2: digest must be'],
  [() => passlibBcryptSha256({ cost: 3 }), 'passlibBcryptSha256: cost must be'],
  [() => aspnetIdentity({ iterations: 0 }), 'aspnetIdentity: iterations must be'],
  [() => aspnetIdentity({ digest: 'md5' as 'sha1' }), 'aspnetIdentity: digest must be'],
  [() => wordpressPhpass({ cost: 6 }), 'wordpressPhpass: cost must be a whole number from 7 to 24'],
  [() => wordpressBcrypt({ cost: 3 }), 'wordpressBcrypt: cost must be'],
  [
    () => firebase({ ...firebaseProject, signerKey: 'no base64' }),
    'firebase: signerKey must be a key in base64',
  ],
  [
    () => firebase({ ...firebaseProject, saltSeparator: '?' }),
    'firebase: saltSeparator must be bytes in base64',
  ],
  [() => firebase({ ...firebaseProject, memCost: 0 }), 'firebase: memCost must be'],
  [() => firebase({ ...firebaseProject, memCost: 16, rounds: 1 }), 'firebase: memCost is too high'],
])('an invalid setting stops the start: %s', (make, message) => {
  expect(make).toThrow(message)
})

test('a cost that is undefined is the default', () => {
  const unset = { memory: undefined, passes: undefined, lanes: undefined }
  expect(argon2(unset).usualWork).toBe(argon2().usualWork)
  expect(djangoArgon2(unset).usualWork).toBe(djangoArgon2().usualWork)
  expect(djangoScrypt({ N: undefined }).usualWork).toBe(djangoScrypt().usualWork)
  expect(bcrypt({ cost: undefined }).usualWork).toBe(bcrypt().usualWork)
  expect(pbkdf2({ iterations: undefined }).usualWork).toBe(pbkdf2().usualWork)
  expect(passlibPbkdf2({ iterations: undefined }).usualWork).toBe(29_000)
  expect(aspnetIdentity({ iterations: undefined, digest: undefined }).usualWork).toBe(100_000)
  expect(werkzeugScrypt({ N: undefined }).usualWork).toBe(werkzeugScrypt().usualWork)
  expect(wordpressPhpass({ cost: undefined }).usualWork).toBe(2 ** 13 + 1)
})

const bcryptTail = `${'a'.repeat(21)}u$${'a'.repeat(30)}2`
test.each([
  ['passlib’s second version without the name of the rounds', `$bcrypt-sha256$v=2,t=2b,12$${bcryptTail}`],
  ['passlib’s first version with the name of the rounds', `$bcrypt-sha256$2b,r=12$${bcryptTail}`],
  ['passlib’s third version', `$bcrypt-sha256$v=3,t=2b,r=12$${bcryptTail}`],
  ['passlib’s PBKDF2 with an unknown digest', `$pbkdf2-sha384$29000$${salt}$${bare}`],
  ['Werkzeug’s PBKDF2 with a key of another digest', `pbkdf2:sha256:1000$salt$${'0'.repeat(40)}`],
  ['Werkzeug’s PBKDF2 without iterations', `pbkdf2:sha256$salt$${'0'.repeat(64)}`],
  ['ASP.NET with an unknown digest', aspnetOf(3, 1000, 16, 48)],
  ['ASP.NET with a short salt', aspnetOf(2, 1000, 15, 48)],
  ['ASP.NET with a salt beyond the end', aspnetOf(2, 1000, 2 ** 32 - 1, 48)],
  ['ASP.NET with a short key', aspnetOf(2, 1000, 16, 31)],
  ['ASP.NET of another version', Buffer.alloc(61, 2).toString('base64')],
  ['ASP.NET version 2 of another length', Buffer.alloc(50).toString('base64')],
  ['phpass with a last digit of more than two bits', `$P$Bsaltsalt${'.'.repeat(21)}2`],
  ['phpass of another kind', `$S$Bsaltsalt${'.'.repeat(22)}`],
  ['WordPress with another bcrypt', `$wp$2b$10$${'a'.repeat(21)}u${'a'.repeat(30)}2`],
])('is rejected: %s', (_, hash) => {
  expect(all().map((kind) => kind.open(hash))).toEqual(all().map(() => null))
})

test('phpass: the rest of the work takes the password that was typed, and other work runs in between', async () => {
  const kind = wordpressPhpass({ cost: 13 })
  let turns = 0
  const timer = setInterval(() => (turns += 1))
  onTestFinished(() => clearInterval(timer))
  const bytesOf = async (work: () => Promise<unknown> | undefined) => {
    derived.md5Bytes = 0
    await work()
    return derived.md5Bytes
  }
  const long = 'a long one'.repeat(20)
  const own = await bytesOf(() => kind.open(`$P$Bsaltsalt${'.'.repeat(22)}`)?.verify(long))
  expect(own).toBe((2 ** 13 + 1) * (16 + 200) - 16 + 8)
  // The first digest has a salt of eight bytes.
  expect(await bytesOf(() => kind.spend(2 ** 13 + 1, long))).toBe(own - 8)
  expect(turns).toBeGreaterThan(1)
})

test('each fixture is read by exactly one kind, but better-auth and Lucia 3 have one format', () => {
  const readers = all()
  for (const { hash, by } of oneOfEach) {
    const found = readers.filter((kind) => kind.open(hash) !== null)
    expect(found, by).toHaveLength(/^[0-9a-f]{32}:/.test(hash) ? 2 : 1)
  }
})

// lucia-auth before version 1 could still verify these.
test("reads hashes of Lucia's betas, with half the block size and no version", async () => {
  const salt = 'aB3dE6gH9jK2mN5p'
  const key = scryptSync('correct horse', salt, 64, { N: 2 ** 14, r: 8, p: 1, maxmem: 2 ** 26 }).toString(
    'hex',
  )
  const hasher = createMigratingHasher(createScryptHasher(cheap), [lucia()])
  expect(await hasher.verify('correct horse', `${salt}:${key}`)).toBe(true)
  expect(await hasher.verify('correct horse', `s2:${salt}:${key}`)).toBe(false)
  expect(await hasher.verify('incorrect horse', `${salt}:${key}`)).toBe(false)
  for (const other of [`s3:${salt}:${key}`, `s2:${salt}:${key}00`, `s2:${salt}`, `s2::${key}`, `${key}`])
    expect([other, hasher.canVerify(other)]).toEqual([other, false])
})
