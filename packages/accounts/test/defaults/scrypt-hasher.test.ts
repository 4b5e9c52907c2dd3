import { createHash } from 'node:crypto'
import { passwordHasherCases } from '@fastify-accounts/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createScryptHasher, type ScryptOptions } from '../../src/defaults/scrypt-hasher.js'
import { scrypt } from '../../src/defaults/scrypt-kdf.js'

/** A well-formed hash with a valid checksum, which no password produced. */
function forgeHash({ logN = 15, r = 8, p = 3, version = 0 }): string {
  const bytes = Buffer.alloc(96, 7)
  bytes.write('scrypt')
  bytes.writeUInt8(version, 6)
  bytes.writeUInt8(logN, 7)
  bytes.writeUInt32BE(r, 8)
  bytes.writeUInt32BE(p, 12)
  createHash('sha256').update(bytes.subarray(0, 48)).digest().copy(bytes, 48, 0, 16)
  return bytes.toString('base64')
}

const costIn = (hash: Buffer) => 2 ** hash.readUInt8(7) * hash.readUInt32BE(8) * hash.readUInt32BE(12)

const hashOf = async (cost: ScryptOptions) => createScryptHasher(cost).hash('correct horse')

/** The work scrypt has done, as N·r·p. */
let work = 0
const { kdf, verify } = scrypt
beforeEach(() => {
  vi.spyOn(scrypt, 'kdf').mockImplementation(async (key, cost) => {
    work += 2 ** cost.logN * (cost.r ?? 8) * (cost.p ?? 1)
    return kdf(key, cost)
  })
  vi.spyOn(scrypt, 'verify').mockImplementation(async (hash, key) => {
    work += costIn(Buffer.from(hash as Uint8Array))
    return verify(hash, key)
  })
})
afterEach(() => void vi.restoreAllMocks())

const cheap = { logN: 6, r: 8, p: 2 }
const cases = passwordHasherCases(() => createScryptHasher({ ...cheap, maxMemory: 2 ** 25 }), {
  overCeiling: {
    // Each of the first two is forbidden by one ceiling only.
    memory: forgeHash({ logN: 16, p: 1 }),
    work: forgeHash({ logN: 15, p: 5 }),
    'memory, the most': forgeHash({ logN: 24, p: 1 }),
    'memory and work': forgeHash({ logN: 17, p: 2 }),
    N: forgeHash({ logN: 255 }),
    r: forgeHash({ logN: 1, r: 2 ** 19, p: 1 }),
    p: forgeHash({ logN: 1, r: 1, p: 2 ** 19 }),
    'r and p': forgeHash({ logN: 2, r: 2 ** 32 - 1, p: 2 ** 32 - 1 }),
  },
  weaker: await Promise.all([
    hashOf({ ...cheap, logN: 5 }),
    hashOf({ ...cheap, r: 4 }),
    hashOf({ ...cheap, p: 1 }),
    hashOf({ logN: 5, r: 8, p: 8 }),
  ]),
  stronger: await Promise.all([hashOf({ ...cheap, logN: 7 }), hashOf({ ...cheap, p: 3 })]),
  work: () => work,
})
for (const { name, run } of cases) test(name, run)

test('the default is 2^15, 8, 3, one of the OWASP settings', async () => {
  const hash = Buffer.from(await createScryptHasher().hash('correct horse'), 'base64')
  expect([hash[7], hash.readUInt32BE(8), hash.readUInt32BE(12)]).toEqual([15, 8, 3])
})

test('a hash is in scrypt-kdf’s format', async () => {
  const hash = await hashOf(cheap)
  expect(hash).toHaveLength(128)
  expect(await scrypt.verify(Buffer.from(hash, 'base64'), 'correct horse')).toBe(true)
})

describe('the ceilings', () => {
  test.each([
    { logN: 17, r: 8, p: 1 },
    { logN: 16, r: 8, p: 2 },
    { logN: 15, r: 8, p: 3 },
    { logN: 14, r: 8, p: 5 },
    { logN: 13, r: 8, p: 10 },
  ])('allow every OWASP setting: %o', (cost) => {
    expect(createScryptHasher(cheap).canVerify(forgeHash(cost))).toBe(true)
  })

  test('are raised by stronger settings, and by maxMemory and maxWork', () => {
    const strong = forgeHash({ logN: 18, r: 8, p: 2 })
    expect(createScryptHasher().canVerify(strong)).toBe(false)
    expect(createScryptHasher({ logN: 18, r: 8, p: 2 }).canVerify(strong)).toBe(true)
    expect(createScryptHasher({ maxMemory: 2 ** 28 }).canVerify(strong)).toBe(false)
    expect(createScryptHasher({ maxMemory: 2 ** 28, maxWork: 2 ** 22 }).canVerify(strong)).toBe(true)
  })

  test("can be lowered to the hasher's own settings", () => {
    const hasher = createScryptHasher({ logN: 10, r: 8, p: 1, maxMemory: 2 ** 20, maxWork: 2 ** 13 })
    expect(hasher.canVerify(forgeHash({ logN: 10, r: 8, p: 1 }))).toBe(true)
    expect(hasher.canVerify(forgeHash({ logN: 11, r: 8, p: 1 }))).toBe(false)
    expect(hasher.canVerify(forgeHash({ logN: 10, r: 8, p: 2 }))).toBe(false)
  })
})

describe('an impossible stored hash', () => {
  const good = Buffer.from(forgeHash({}), 'base64')
  test.each([
    ['N of 1', forgeHash({ logN: 0 })],
    ['r of 0', forgeHash({ r: 0 })],
    ['p of 0', forgeHash({ p: 0 })],
    ['N too large for r', forgeHash({ logN: 16, r: 1 })],
    ['another version', forgeHash({ version: 1 })],
    ['another magic', Buffer.from(`Scrypt${good.toString('latin1', 6)}`, 'latin1').toString('base64')],
    ['a wrong checksum', Buffer.concat([good.subarray(0, 63), Buffer.alloc(33)]).toString('base64')],
    ['base64url', good.toString('base64').replace(/.$/, '-')],
    ['96 spaces in base64', `${' '.repeat(32)}${good.toString('base64').slice(32)}`],
  ])('is rejected without hashing: %s', async (_, hash) => {
    const verify = vi.spyOn(scrypt, 'verify')
    const hasher = createScryptHasher()
    expect(hasher.canVerify(hash)).toBe(false)
    expect(await hasher.verify('correct horse', hash)).toBe(false)
    expect(hasher.needsRehash(hash)).toBe(true)
    expect(verify).not.toHaveBeenCalled()
    verify.mockRestore()
  })
})

test('a stronger hash needs no rehash', async () => {
  const hasher = createScryptHasher(cheap)
  expect(hasher.needsRehash(await hashOf({ ...cheap, logN: 7 }))).toBe(false)
  expect(hasher.needsRehash(await hashOf({ ...cheap, p: 3 }))).toBe(false)
})

test('FLT-11: a system failure rejects; it isn’t a wrong password', async () => {
  const failure = Object.assign(new Error('not enough memory'), { code: 'ENOMEM' })
  const hasher = createScryptHasher(cheap)
  const hash = await hasher.hash('correct horse')
  const spies = [
    vi.spyOn(scrypt, 'kdf').mockRejectedValue(failure),
    vi.spyOn(scrypt, 'verify').mockRejectedValue(failure),
  ]
  await expect(hasher.hash('correct horse')).rejects.toBe(failure)
  await expect(hasher.verify('correct horse', hash)).rejects.toBe(failure)
  for (const spy of spies) spy.mockRestore()
})

test.each([
  [{ logN: 0 }, 'logN must be a whole number from 1 to 24, not 0'],
  [{ logN: 25 }, 'logN must be a whole number'],
  [{ logN: 14.5 }, 'logN must be a whole number'],
  [{ logN: '15' as unknown as number }, 'logN must be a whole number'],
  [{ r: 0 }, 'r must be a whole number'],
  [{ p: Number.NaN }, 'p must be a whole number'],
  [{ logN: 16, r: 1 }, 'logN must be below 16·r'],
  [{ logN: 24, r: 8 }, 'logN and r need 2 GiB or more'],
  [{ maxMemory: 2 ** 24 }, 'maxMemory must be a whole number from 33554432'],
  [{ maxMemory: 2 ** 31 }, 'maxMemory must be a whole number'],
  [{ maxWork: 1 }, 'maxWork must be a whole number from 786432'],
])('%o stops the start', (options, message) => {
  expect(() => createScryptHasher(options)).toThrow(`createScryptHasher: ${message}`)
})

describe('after the cost was raised', () => {
  const today = { logN: 6, r: 8, p: 3 }
  test.each([
    { logN: 6, r: 8, p: 1 },
    { logN: 5, r: 8, p: 5 },
    { logN: 4, r: 8, p: 1 },
    { logN: 5, r: 4, p: 3 },
    { logN: 5, r: 3, p: 7 },
    today,
  ])('a wrong password costs the current work for a hash of %o', async (old) => {
    const hasher = createScryptHasher(today)
    const hash = await hashOf(old)
    const before = work
    expect(await hasher.verify('a wrong one', hash)).toBe(false)
    const wanted = 2 ** today.logN * today.r * today.p
    expect(Math.abs((work - before) / wanted - 1)).toBeLessThan(0.01)
  })
})
