import { linkPurposes, type TokenClaims, type TokenContext, type TokenSigner } from 'fastify-accounts'
import { raced } from './calls.js'
import { type ConformanceCase, casesOf, type Laws, notChecked } from './cases.js'
import { check, hostileTexts, nearlyEqualTexts, range, same, scramble, show, worldlyTexts } from './checks.js'

type Make = () => Promise<TokenSigner> | TokenSigner

/** Options of `tokenSignerCases`. What you omit isn't checked. */
export interface TokenSignerCaseOptions {
  /** The longest token allowed; 100 by default, Fastify's `maxParamLength`. */
  maxLength?: number | undefined
  /** Makes a signer with another secret. */
  makeOther?: Make | undefined
  /** Makes a signer that signs with a new secret and still accepts the first one's tokens. */
  makeRotated?: Make | undefined
}

/**
 * The conformance suite of a `TokenSigner`.
 *
 * Not included: 6 (constant time can't be seen from outside), 7, 8 and 14 (the plugin checks times, the user's state and
 * single use), 11 (a signer checks its secret when it is made).
 *
 * @param makeSigner makes a signer with the same secrets at each call
 */
export function tokenSignerCases(makeSigner: Make, options: TokenSignerCaseOptions = {}): ConformanceCase[] {
  const { makeOther, makeRotated } = options
  return casesOf(
    {
      ...contentLaws,
      ...forgeryLaws,
      ...lengthLaws(options.maxLength ?? 100),
      ...otherSecretLaws(makeOther),
      ...rotationLaws(makeRotated),
    },
    makeSigner,
  )
}

/** All of them, also of packages that aren't installed. */
const purposes = linkPurposes as readonly TokenClaims['purpose'][]

function newClaims(overrides: Partial<TokenClaims> = {}): TokenClaims {
  return {
    purpose: 'reset-password',
    audience: 'https://accounts.example.org/auth',
    subject: '0193f5e0-7c3a-7b0a-8a35-5d1e7d0c1a2b',
    state: 'V2h5IHNvIGN1cmlvdXM_-w',
    issuedAt: new Date('2026-01-02T03:04:05Z'),
    expiresAt: new Date('2026-01-02T04:04:05Z'),
    ...overrides,
  }
}

const contentLaws: Laws<TokenSigner> = {
  'law 1: what was signed comes back, for every purpose': async (signer) => {
    for (const purpose of purposes) {
      const claims = newClaims({ purpose })
      same(await signer.verify(await signer.sign(claims), claims), claims, `verify() for ${purpose}`)
    }
  },

  'law 1: states and subjects of all kinds come back': async (signer) => {
    for (const state of ['x', '-', '~', '_.~-', scramble(22), scramble(32)]) {
      const claims = newClaims({ state })
      same(
        await signer.verify(await signer.sign(claims), claims),
        claims,
        `verify() with the state ${show(state)}`,
      )
    }
    for (const subject of [...worldlyTexts, ...hostileTexts, ...nearlyEqualTexts, scramble(1000)]) {
      const claims = newClaims({ subject })
      same(await signer.verify(await signer.sign(claims), claims), claims, `verify() for ${show(subject)}`)
    }
  },

  'law 1: times come back to the second, and aren’t checked': async (signer) => {
    for (const time of [
      '1970-01-01T00:00:01Z',
      '2001-09-09T01:46:40Z',
      '2038-01-19T03:14:08Z',
      '2099-12-31T23:59:59Z',
    ]) {
      const claims = newClaims({ issuedAt: new Date(time), expiresAt: new Date(time) })
      same(await signer.verify(await signer.sign(claims), claims), claims, `verify() at ${time}`)
    }
  },

  'law 1: simultaneous signatures do not mix': async (signer) => {
    const values = await raced(
      range(50).map((index) => async () => {
        const claims = newClaims({ subject: `user-${index}`, state: `state-${index}` })
        same(await signer.verify(await signer.sign(claims), claims), claims, `verify() of user-${index}`)
      }),
    )
    same(values.length, 50, 'the number of tokens')
  },

  'law 2: a token is worth nothing for another purpose': async (signer) => {
    for (const purpose of purposes) {
      const claims = newClaims({ purpose })
      const token = await signer.sign(claims)
      for (const other of purposes) {
        const found = await signer.verify(token, { ...claims, purpose: other })
        same(found !== null, other === purpose, `whether a token for ${purpose} is good for ${other}`)
      }
    }
  },

  'law 2: a token is worth nothing for another audience or subject': async (signer) => {
    const claims = newClaims({ audience: 'https://a.example/x', subject: 'user-1' })
    const token = await signer.sign(claims)
    const others: Partial<TokenContext>[] = [
      { audience: 'https://a.example/' },
      { audience: 'https://a.example/X' },
      { audience: 'https://b.example/x' },
      { audience: '' },
      { subject: 'user-2' },
      { subject: 'user-10' },
      { subject: 'User-1' },
      { subject: 'user-1 ' },
      { subject: '' },
    ]
    for (const other of others) {
      same(await signer.verify(token, { ...claims, ...other }), null, `verify() for ${show(other)}`)
    }
    const long = newClaims({ audience: `https://a.example/${scramble(1000)}`, subject: scramble(1000) })
    const longToken = await signer.sign(long)
    for (const part of ['audience', 'subject'] as const) {
      for (const other of [`${long[part].slice(0, -1)}!`, `${long[part]}!`, long[part].slice(0, -1)]) {
        const found = await signer.verify(longToken, { ...long, [part]: other })
        same(found, null, `verify() for another end of ${part}, at ${other.length} characters`)
      }
    }
  },

  'law 2: subjects are compared byte for byte': async (signer) => {
    const subjects = [...nearlyEqualTexts, ...hostileTexts]
    for (const subject of subjects) {
      const token = await signer.sign(newClaims({ subject }))
      for (const other of subjects) {
        const found = await signer.verify(token, newClaims({ subject: other }))
        const what = `whether a token for ${show(subject)} is good for ${show(other)}`
        same(found !== null, other === subject, what)
      }
    }
  },

  'law 2: the parts of the context do not run into each other': async (signer) => {
    const splits = ['', '/', '.', ':', '|', ',', '\n', '\0', '"', '","'].flatMap((sign) => [
      { audience: `a${sign}`, subject: 'bc' },
      { audience: `a${sign}b`, subject: 'c' },
      { audience: `a`, subject: `${sign}bc` },
      { audience: `a`, subject: `b${sign}c` },
    ])
    const contexts = [...new Map(splits.map((context) => [JSON.stringify(context), context])).values()]
    for (const context of contexts) {
      const token = await signer.sign(newClaims(context))
      for (const other of contexts) {
        const found = await signer.verify(token, newClaims(other))
        same(
          found !== null,
          other === context,
          `whether a token for ${show(context)} is good for ${show(other)}`,
        )
      }
    }
  },

  'law 12: tokens of the same second for different purposes, users and states differ': async (signer) => {
    const claims = [
      newClaims(),
      newClaims({ purpose: 'verify-email' }),
      newClaims({ subject: 'user-2' }),
      newClaims({ audience: 'https://b.example' }),
      newClaims({ state: 'other' }),
    ]
    const tokens = await Promise.all(claims.map((one) => signer.sign(one)))
    same(new Set(tokens).size, claims.length, 'the number of different tokens')
  },
}

const urlSafe = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~'

const forgeryLaws: Laws<TokenSigner> = {
  'law 3: a token with any one character changed, missing or added is invalid': async (signer) => {
    const claims = newClaims()
    const token = await signer.sign(claims)
    for (const index of range(token.length + 1)) {
      const [before, after] = [token.slice(0, index), token.slice(index + 1)]
      for (const sign of [...urlSafe, '=', ' '])
        await refuses(signer, before + sign + token.slice(index), claims)
      if (index === token.length) continue
      // Law 5 tries those of the alphabet.
      for (const sign of ['=', ' ']) await refuses(signer, before + sign + after, claims)
      await refuses(signer, before + after, claims)
      await refuses(signer, before, claims)
    }
  },

  'law 4: an invalid token is null, whatever its form and length, not an error': async (signer) => {
    const claims = newClaims()
    const token = await signer.sign(claims)
    const values: unknown[] = [
      undefined,
      null,
      '',
      0,
      true,
      {},
      [],
      [token],
      Object(token),
      'null',
      'undefined',
      '.',
      '..',
      '%',
      '\0',
      '\ud800',
      'é😀',
      ...hostileTexts,
      ...range(110).map((length) => 'A'.repeat(length)),
      'A'.repeat(1_000_000),
      '.'.repeat(1_000_000),
      `${token}${'A'.repeat(1_000_000)}`,
    ]
    for (const value of values) await refuses(signer, value, claims)
  },

  'law 4: a context no token was made for is null, not an error': async (signer) => {
    const claims = newClaims({ subject: '\ufffd' })
    const token = await signer.sign(claims)
    for (const subject of ['', '\0', '\ud800', 'x'.repeat(100_000), ...worldlyTexts]) {
      same(
        await signer.verify(token, { ...claims, subject }),
        null,
        `verify() for the subject ${show(subject)}`,
      )
    }
    const unknown = { ...claims, purpose: 'constructor' as TokenClaims['purpose'] }
    same(await signer.verify(token, unknown), null, 'verify() for an unknown purpose')
  },

  'law 5: a token has one spelling only': async (signer) => {
    const claims = newClaims()
    // Three lengths, because encodings leave different remainders at the end of a part.
    for (const state of ['a', 'ab', 'abc']) {
      const token = await signer.sign({ ...claims, state })
      for (const index of range(token.length)) {
        const [before, after] = [token.slice(0, index), token.slice(index + 1)]
        for (const sign of urlSafe) {
          if (sign !== token[index]) await refuses(signer, before + sign + after, claims)
        }
      }
      const standard = token.replaceAll('-', '+').replaceAll('_', '/')
      const padded = [
        `${token}=`,
        `${token}==`,
        ` ${token}`,
        `${token}\n`,
        `${token.slice(0, 5)} ${token.slice(5)}`,
      ]
      for (const spelling of [...padded, standard, encodeURIComponent(`${token}=`)]) {
        if (spelling !== token) await refuses(signer, spelling, claims)
      }
    }
  },
}

function lengthLaws(maxLength: number): Laws<TokenSigner> {
  return {
    [`law 13: a token is URL-safe and has at most ${maxLength} characters`]: async (signer) => {
      for (const state of ['x', scramble(22), scramble(32)]) {
        const token = await signer.sign(
          newClaims({ state, subject: scramble(1000), audience: scramble(1000) }),
        )
        check(/^[\w.~-]+$/.test(token), `the token ${show(token)} is not URL-safe`)
        check(token !== '.' && token !== '..', 'the token is a step in a path')
        check(token.length <= maxLength, `the token has ${token.length} characters`)
      }
    },
  }
}

function otherSecretLaws(makeOther: Make | undefined): Laws<TokenSigner> {
  return {
    'law 9: a token made with another secret is invalid': async (signer) => {
      if (makeOther === undefined) return notChecked('makeOther')
      const claims = newClaims()
      const other = await makeOther()
      await refuses(signer, await other.sign(claims), claims)
      await refuses(other, await signer.sign(claims), claims)
    },
  }
}

function rotationLaws(makeRotated: Make | undefined): Laws<TokenSigner> {
  return {
    'law 10: after a rotation new tokens need the new secret, and old tokens stay good': async (signer) => {
      if (makeRotated === undefined) return notChecked('makeRotated')
      const claims = newClaims()
      const rotated = await makeRotated()
      const [before, after] = [await signer.sign(claims), await rotated.sign(claims)]
      same(await rotated.verify(before, claims), claims, 'verify() of a token from before the rotation')
      same(await rotated.verify(after, claims), claims, 'verify() of a token from after the rotation')
      await refuses(signer, after, claims)
    },
  }
}

async function refuses(signer: TokenSigner, token: unknown, context: TokenContext): Promise<void> {
  same(await signer.verify(token as string, context), null, `verify(${show(token)})`)
}
