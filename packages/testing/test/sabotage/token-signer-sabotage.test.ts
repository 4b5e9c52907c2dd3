import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { createHmacSigner, type TokenClaims, type TokenContext, type TokenSigner } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { runCases, tokenSignerCases } from '../../src/index.js'

const secret = 'a-secret-5f2b8c1d9e7a4036b1c8d2e5'
const sabotages: Record<string, [law: string, fault: (signer: TokenSigner) => Partial<TokenSigner>]> = {
  'loses the state': [
    'law 1: what was signed',
    (signer) => ({
      verify: async (token, context) => {
        const claims = await signer.verify(token, context)
        return claims && { ...claims, state: '' }
      },
    }),
  ],
  'checks times': [
    'law 1: times',
    (signer) => ({
      verify: async (token, context) => {
        const claims = await signer.verify(token, context)
        return claims && claims.expiresAt > new Date('2020-01-01') ? claims : null
      },
    }),
  ],
  'remembers one signature at a time': ['law 1: simultaneous signatures', shareOneDigest],
  'leaves the purpose out': [
    'law 2: a token is worth nothing for another purpose',
    (signer) => flatten(signer, { purpose: 'verify-email' }),
  ],
  'leaves the audience out': [
    'law 2: a token is worth nothing for another audience',
    (signer) => flatten(signer, { audience: 'x' }),
  ],
  'has one key for two purposes': [
    'law 2: a token is worth nothing for another purpose',
    (signer) =>
      alias(signer, (context) => ({
        ...context,
        purpose: (context.purpose as string) === 'confirm-identity' ? 'login-code' : context.purpose,
      })),
  ],
  'looks at the beginning of a subject': [
    'law 2: a token is worth nothing for another audience',
    (signer) => alias(signer, (context) => ({ ...context, subject: context.subject.slice(0, 255) })),
  ],
  'looks at the beginning of an audience': [
    'law 2: a token is worth nothing for another audience',
    (signer) => alias(signer, (context) => ({ ...context, audience: context.audience.slice(0, 255) })),
  ],
  'normalizes subjects': [
    'law 2: subjects are compared',
    (signer) => alias(signer, (context) => ({ ...context, subject: context.subject.normalize('NFC') })),
  ],
  'ignores a character of the alphabet': [
    'law 3:',
    (signer) => ({
      verify: (token, context) =>
        signer.verify(typeof token === 'string' ? token.replaceAll('~', '') : token, context),
    }),
  ],
  'ignores a repeated character': [
    'law 3:',
    (signer) => ({
      verify: async (token, context) =>
        (await signer.verify(token, context)) ??
        (typeof token === 'string' ? signer.verify(token.replace(/(\d)\1/, '$1'), context) : null),
    }),
  ],
  'joins audience and subject': ['law 2: the parts', joinParts],
  'signs the purpose only': [
    'law 12:',
    (signer) => ({
      sign: (claims) => signer.sign({ ...claims, audience: 'x', subject: 'x', state: 'x' }),
    }),
  ],
  'ignores the last character': ['law 3:', ignoreLastCharacter],
  'throws for a bad token': [
    'law 4: an invalid token',
    (signer) => ({
      verify: async (token, context) =>
        (await signer.verify(token, context)) ?? Promise.reject(new Error('bad')),
    }),
  ],
  'accepts the first of a list': [
    'law 4: an invalid token',
    (signer) => ({ verify: (token, context) => signer.verify([token].flat()[0] ?? '', context) }),
  ],
  'merges ill-formed subjects': [
    'law 4: a context',
    (signer) => ({
      verify: (token, context) =>
        signer.verify(token, { ...context, subject: context.subject.toWellFormed() }),
    }),
  ],
  'accepts a different character somewhere in the middle': [
    'law 5:',
    (signer) => {
      // Also accepts the next character of the alphabet at index 40.
      const other = (token: string) =>
        token.slice(0, 40) + String.fromCharCode(token.charCodeAt(40) - 1) + token.slice(41)
      return {
        verify: async (token, context) =>
          (await signer.verify(token, context)) ??
          (typeof token === 'string' ? signer.verify(other(token), context) : null),
      }
    },
  ],
  'accepts any spelling of base64url': [
    'law 5:',
    (signer) => ({
      verify: (token, context) =>
        signer.verify(
          typeof token === 'string' ? Buffer.from(token, 'base64').toString('base64url') : token,
          context,
        ),
    }),
  ],
  'makes standard base64': ['law 13:', pad],
  'makes long tokens': ['law 13:', (signer) => lengthen(signer, 14)],
}
for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test(`detected by ${law}: ${fault}`, async () => {
    const cases = tokenSignerCases(() => {
      const signer = createHmacSigner({ secret })
      return { ...signer, ...sabotage(signer) }
    })
    await breaksLaws(cases, law)
  })
}

test('longer tokens pass if the option allows them', async () => {
  const cases = tokenSignerCases(
    () => {
      const signer = createHmacSigner({ secret })
      return { ...signer, ...lengthen(signer, 14) }
    },
    { maxLength: 114 },
  )
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
})

test("detected by law 9 and law 10: the secret makes no difference, and isn't stored", async () => {
  const other = () => createHmacSigner({ secret: 'b-secret-5f2b8c1d9e7a4036b1c8d2e5' })
  const same = () => createHmacSigner({ secret })
  await breaksLaws(tokenSignerCases(same, { makeOther: same }), 'law 9:')
  await breaksLaws(tokenSignerCases(same, { makeRotated: other }), 'law 10:')
  await breaksLaws(tokenSignerCases(same, { makeRotated: same }), 'law 10:')
})

function flatten(signer: TokenSigner, change: Partial<TokenClaims>): Partial<TokenSigner> {
  return {
    sign: (claims) => signer.sign({ ...claims, ...change }),
    verify: async (token, context) => {
      const claims = await signer.verify(token, { ...context, ...change })
      return claims && { ...claims, ...context }
    },
  }
}

/** Signs and verifies for another context, and says that it was for this one. */
function alias(signer: TokenSigner, other: (context: TokenContext) => TokenContext): Partial<TokenSigner> {
  return {
    sign: (claims) => signer.sign({ ...claims, ...other(claims) }),
    verify: async (token, context) => {
      const { purpose, audience, subject } = other(context)
      const claims = await signer.verify(token, { purpose, audience, subject })
      return claims && { ...claims, ...context }
    },
  }
}

function joinParts(signer: TokenSigner): Partial<TokenSigner> {
  return {
    sign: (claims) => signer.sign({ ...claims, audience: claims.audience + claims.subject, subject: '' }),
    verify: async (token, context) => {
      const joined = { ...context, audience: context.audience + context.subject, subject: '' }
      const claims = await signer.verify(token, joined)
      return claims && { ...claims, audience: context.audience, subject: context.subject }
    },
  }
}

function shareOneDigest(signer: TokenSigner): Partial<TokenSigner> {
  let claims: TokenClaims
  return {
    sign: async (given) => {
      claims = given
      await later()
      return signer.sign(claims)
    },
  }
}

function ignoreLastCharacter(signer: TokenSigner): Partial<TokenSigner> {
  const ends = new Map<string, string>()
  return {
    sign: async (claims) => {
      const token = await signer.sign(claims)
      ends.set(token.slice(0, -1), token)
      return token
    },
    verify: async (token, context) => {
      const start = typeof token === 'string' ? token.slice(0, -1) : ''
      return signer.verify(ends.get(start) ?? token, context)
    },
  }
}

function pad(signer: TokenSigner): Partial<TokenSigner> {
  return {
    sign: async (claims) => `${await signer.sign(claims)}=`,
    verify: async (token, context) =>
      typeof token === 'string' && token.endsWith('=') ? signer.verify(token.slice(0, -1), context) : null,
  }
}

function lengthen(signer: TokenSigner, by: number): Partial<TokenSigner> {
  const prefix = '.'.repeat(by)
  return {
    sign: async (claims) => prefix + (await signer.sign(claims)),
    verify: async (token, context) =>
      typeof token === 'string' && token.startsWith(prefix) ? signer.verify(token.slice(by), context) : null,
  }
}
