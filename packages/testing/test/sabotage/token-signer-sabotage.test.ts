import { breaksLaws } from '@fastify-accounts/test-support/sabotage'
import { createHmacSigner, type TokenContext, type TokenSigner } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { runCases, tokenSignerCases } from '../../src/index.js'
import {
  detects,
  given,
  type Mistake,
  type Mistakes,
  type Mutations,
  ofText,
  result,
  shares,
} from './mutations.js'

const secret = 'a-secret-5f2b8c1d9e7a4036b1c8d2e5'

/** Signs and verifies for another context, and says that it was for this one. */
const alias =
  (other: (context: TokenContext) => object): Mistakes<TokenSigner> =>
  (signer) => ({
    sign: (claims) => signer.sign({ ...claims, ...other(claims) }),
    verify: async (token, context) => {
      const { purpose, audience, subject } = { ...context, ...other(context) }
      const claims = await signer.verify(token, { purpose, audience, subject })
      return claims && { ...claims, ...context }
    },
  })
const reads = (other: (token: string) => string): Mistake<TokenSigner, 'verify'> =>
  given((token) => ofText(other)(token))
/** If a token is invalid, another one may do. */
const orReads =
  (other: (token: string) => string): Mistake<TokenSigner, 'verify'> =>
  (call) =>
  async (token, context) =>
    (await call(token, context)) ?? (typeof token === 'string' ? call(other(token), context) : null)
/** Tokens have something around them. */
const wraps =
  (before: string, after: string): Mistakes<TokenSigner> =>
  (signer) => ({
    sign: async (claims) => before + (await signer.sign(claims)) + after,
    verify: async (token, context) =>
      typeof token === 'string' && token.startsWith(before) && token.endsWith(after)
        ? signer.verify(token.slice(before.length, token.length - after.length), context)
        : null,
  })
const longer = wraps('.'.repeat(14), '')

const mutations: Mutations<TokenSigner> = {
  'law 1: what was signed': {
    verify: { 'the state is lost': result((claims) => claims && { ...claims, state: '' }) },
  },
  'law 1: times': {
    verify: {
      'they are checked': result((claims) =>
        claims && claims.expiresAt > new Date('2020-01-01') ? claims : null,
      ),
    },
  },
  'law 1: simultaneous signatures': { sign: { 'one at a time is remembered': shares } },
  'law 2: a token is worth nothing for another purpose': {
    several: {
      'it is left out': alias(() => ({ purpose: 'verify-email' })),
      'two have one key': alias(({ purpose }) => ({
        purpose: (purpose as string) === 'confirm-identity' ? 'login-code' : purpose,
      })),
    },
  },
  'law 2: a token is worth nothing for another audience': {
    several: {
      'it is left out': alias(() => ({ audience: 'x' })),
      'subjects are cut': alias(({ subject }) => ({ subject: subject.slice(0, 255) })),
      'audiences are cut': alias(({ audience }) => ({ audience: audience.slice(0, 255) })),
    },
  },
  'law 2: subjects are compared': {
    several: { 'they are normalized': alias(({ subject }) => ({ subject: subject.normalize('NFC') })) },
  },
  'law 2: the parts': {
    several: {
      'they are joined': alias(({ audience, subject }) => ({ audience: audience + subject, subject: '' })),
    },
  },
  'law 3:': {
    verify: {
      'a character is ignored': reads((token) => token.replaceAll('~', '')),
      'a repeated one is ignored': orReads((token) => token.replace(/(\d)\1/, '$1')),
    },
    several: {
      'the last one is ignored': (signer) => {
        const ends = new Map<string, string>()
        return {
          sign: async (claims) => {
            const token = await signer.sign(claims)
            ends.set(token.slice(0, -1), token)
            return token
          },
          verify: reads((token) => ends.get(token.slice(0, -1)) ?? token)(signer.verify, signer),
        }
      },
    },
  },
  'law 4: an invalid token': {
    verify: {
      'it throws': result((claims) => claims ?? Promise.reject(new Error('bad'))),
      'the first of a list will do': given((token) => [token].flat()[0] ?? ''),
    },
  },
  'law 4: a context': {
    verify: {
      'ill-formed subjects are one': (call) => (token, context) =>
        call(token, { ...context, subject: context.subject.toWellFormed() }),
    },
  },
  'law 5:': {
    verify: {
      // Also the next character of the alphabet, at index 40.
      'another character will do': orReads(
        (token) => token.slice(0, 40) + String.fromCharCode(token.charCodeAt(40) - 1) + token.slice(41),
      ),
      'any spelling will do': reads((token) => Buffer.from(token, 'base64').toString('base64url')),
    },
  },
  'law 12:': {
    sign: { 'the purpose only': given((claims) => ({ ...claims, audience: 'x', subject: 'x', state: 'x' })) },
  },
  'law 13:': { several: { 'standard base64': wraps('', '='), 'long ones': longer } },
}
detects<TokenSigner>((mutate) => tokenSignerCases(() => mutate(createHmacSigner({ secret }))), mutations)

test('longer tokens pass if the option allows them', async () => {
  const make = () => {
    const signer = createHmacSigner({ secret })
    return { ...signer, ...longer(signer) }
  }
  const { failures } = await runCases(tokenSignerCases(make, { maxLength: 114 }), () => undefined)
  expect(failures).toEqual([])
})

test("detected by law 9 and law 10: the secret makes no difference, and isn't stored", async () => {
  const other = () => createHmacSigner({ secret: 'b-secret-5f2b8c1d9e7a4036b1c8d2e5' })
  const same = () => createHmacSigner({ secret })
  await breaksLaws(tokenSignerCases(same, { makeOther: same }), 'law 9:')
  await breaksLaws(tokenSignerCases(same, { makeRotated: other }), 'law 10:')
  await breaksLaws(tokenSignerCases(same, { makeRotated: same }), 'law 10:')
})
