import { createHmac, hkdfSync } from 'node:crypto'
import { tokenSignerCases } from '@fastify-accounts/testing'
import { describe, expect, test } from 'vitest'
import { createHmacSigner } from '../../src/defaults/hmac-signer.js'
import type { TokenClaims } from '../../src/seams/token-signer.js'

const oldSecret = 'old-secret-5f2b8c1d9e7a4036b1c8d2e5'
const newSecret = 'new-secret-0a9b8c7d6e5f4031b2c4d6e8'

const cases = tokenSignerCases(() => createHmacSigner({ secret: oldSecret }), {
  makeOther: () => createHmacSigner({ secret: newSecret }),
  makeRotated: () => createHmacSigner({ secret: [newSecret, oldSecret] }),
})
for (const { name, run } of cases) test(name, run)

const claims: TokenClaims = {
  purpose: 'reset-password',
  audience: 'https://example.org/auth',
  subject: 'user-1',
  state: 'x'.repeat(22),
  issuedAt: new Date('2026-01-02T03:04:05Z'),
  expiresAt: new Date('2026-01-02T04:04:05Z'),
}

test('law 13: a token with a state of 22 characters has 87 characters, the longest 100', async () => {
  const signer = createHmacSigner({ secret: oldSecret })
  expect(await signer.sign(claims)).toHaveLength(87)
  expect(await signer.sign({ ...claims, state: 'x'.repeat(32) })).toHaveLength(100)
})

test('a token is as documented: HMAC-SHA-256 with a key derived with HKDF-SHA-256', async () => {
  const token = Buffer.from(await createHmacSigner({ secret: oldSecret }).sign(claims), 'base64url')
  const payload = token.subarray(0, -32)
  const framed = ['reset-password', 'https://example.org/auth', 'user-1', payload].map((part) => {
    const bytes = Buffer.from(part)
    return Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  })
  const key = hkdfSync('sha256', oldSecret, '', 'fastify-accounts link reset-password', 32)
  const mac = createHmac('sha256', Buffer.from(key)).update(Buffer.concat(framed)).digest()
  expect(token.subarray(-32)).toEqual(mac)
  expect(payload[0]).toBe(1)
  expect(payload.readUIntBE(1, 5) * 1000).toBe(claims.issuedAt.getTime())
  expect(payload.readUIntBE(6, 5) * 1000).toBe(claims.expiresAt.getTime())
})

test('times are rounded down to seconds', async () => {
  const signer = createHmacSigner({ secret: oldSecret })
  const issuedAt = new Date('2026-01-02T03:04:05.999Z')
  const found = await signer.verify(await signer.sign({ ...claims, issuedAt }), claims)
  expect(found?.issuedAt).toEqual(new Date('2026-01-02T03:04:05Z'))
})

describe('secrets', () => {
  test('once the old secret is removed, its tokens are invalid', async () => {
    const token = await createHmacSigner({ secret: [oldSecret] }).sign(claims)
    expect(await createHmacSigner({ secret: [newSecret, oldSecret] }).verify(token, claims)).toEqual(claims)
    expect(await createHmacSigner({ secret: [newSecret] }).verify(token, claims)).toBeNull()
  })

  test('changing the list afterwards has no effect', async () => {
    const secrets = [newSecret]
    const signer = createHmacSigner({ secret: secrets })
    secrets[0] = oldSecret
    expect(await createHmacSigner({ secret: newSecret }).verify(await signer.sign(claims), claims)).toEqual(
      claims,
    )
  })

  test.each([
    ['undefined', undefined, 'at least one secret'],
    ['an empty list', [], 'at least one secret'],
    ['a number', 12345, 'a well-formed string'],
    ['a list with a missing secret', [oldSecret, undefined], 'a well-formed string'],
    ['ill-formed text', `${oldSecret}\ud800`, 'a well-formed string'],
    ['an empty secret', '', 'at least 32 bytes'],
    ['a list of an empty secret', [''], 'at least 32 bytes'],
    ['31 characters', oldSecret.slice(0, 31), 'at least 32 bytes'],
    ['a short second secret', [oldSecret, 'short'], 'at least 32 bytes'],
    ['zeros', '0'.repeat(32), 'must be random'],
    ['a pattern', 'abcd'.repeat(8), 'must be random'],
    ['one secret twice', [oldSecret, newSecret, oldSecret], 'listed twice'],
  ])('CFG-01: %s stops the start', (_, secret, message) => {
    expect(() => createHmacSigner({ secret: secret as string })).toThrow(message)
  })
})

test.each([
  ['a state of 33 characters', { state: 'x'.repeat(33) }],
  ['a state that is not URL-safe', { state: 'a b' }],
  ['no state', { state: undefined }],
  ['a subject that is ill-formed', { subject: '\ud800' }],
  ['no audience', { audience: undefined }],
  ['an invalid time', { issuedAt: new Date(Number.NaN) }],
  ['a time before 1970', { expiresAt: new Date(-1) }],
])('sign() rejects %s', async (_, change) => {
  const signer = createHmacSigner({ secret: oldSecret })
  await expect(signer.sign({ ...claims, ...change } as TokenClaims)).rejects.toMatchObject({
    name: 'InvalidArgumentError',
  })
})
