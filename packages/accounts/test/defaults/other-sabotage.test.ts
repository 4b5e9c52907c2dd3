import { breaksLaws, closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHmacSigner } from '../../src/defaults/hmac-signer.js'
import { createMemoryThrottleStore } from '../../src/defaults/memory-throttle-store.js'
import { createScryptHasher } from '../../src/defaults/scrypt-hasher.js'
import { closable } from '../../src/seams/closable.js'
import type { Mail, Mailer } from '../../src/seams/mailer.js'
import type { PasswordHasher } from '../../src/seams/password-hasher.js'
import { InvalidArgumentError } from '../../src/seams/store-errors.js'
import type { ThrottleStore } from '../../src/seams/throttle-store.js'
import type { TokenClaims, TokenSigner } from '../../src/seams/token-signer.js'
import {
  type DeliveredMail,
  mailerCases,
  passwordHasherCases,
  runCases,
  throttleStoreCases,
  tokenSignerCases,
} from '../../src/testing/index.js'

describe('throttle stores', () => {
  const sabotages: Record<
    string,
    [law: string, fault: (store: Required<ThrottleStore>) => Partial<ThrottleStore>]
  > = {
    'counts from 0': [
      'increment counts from 1',
      (store) => ({
        increment: async (key, windowMs) => {
          const { count, resetMs } = await store.increment(key, windowMs)
          return { count: count - 1, resetMs }
        },
      }),
    ],
    'returns the time in seconds': [
      'increment counts from 1',
      (store) => ({
        increment: async (key, windowMs) => {
          const { count, resetMs } = await store.increment(key, windowMs)
          return { count, resetMs: resetMs / 1000 }
        },
      }),
    ],
    'reads before it writes': ['200 simultaneous calls', readThenWrite],
    'the window slides': ['a window begins with the first attempt', slide],
    'the window never ends': [
      'a window begins with the first attempt',
      (store) => ({ increment: (key, windowMs) => store.increment(key, windowMs * 1000) }),
    ],
    'decrement does nothing': [
      'decrement takes one attempt back',
      () => ({ decrement: async () => undefined }),
    ],
    'decrement clears': [
      'decrement takes one attempt back',
      (store) => ({ decrement: (key) => store.clear(key) }),
    ],
    'decrement goes below 0': ['decrement never goes below 0', goBelowZero],
    'clear does nothing': ['clear forgets', () => ({ clear: async () => undefined })],
    'keys are case-insensitive': [
      'keys are compared',
      (store) => ({ increment: (key, windowMs) => store.increment(key.toLowerCase(), windowMs) }),
    ],
    'returns its own record': ['what increment returned', handOutRecord],
    'incrementAll uses separate counters': [
      'incrementAll counts each key',
      (_, other = createMemoryThrottleStore()) => ({ incrementAll: other.incrementAll }),
    ],
    'incrementAll gives all keys the first window': [
      'incrementAll counts each key',
      ({ incrementAll }) => ({
        incrementAll: (attempts) =>
          incrementAll(attempts.map((each) => ({ ...each, windowMs: attempts[0]?.windowMs ?? 0 }))),
      }),
    ],
    'incrementAll restarts the windows': [
      'incrementAll counts each key',
      (store) => ({
        incrementAll: eachInTurn(async (key, windowMs) => {
          const { count } = await store.increment(key, windowMs)
          await store.clear(key)
          for (let index = 1; index < count; index++) await store.increment(key, windowMs)
          return store.increment(key, windowMs)
        }),
      }),
    ],
    'incrementAll continues after an exhausted key': [
      'incrementAll stops',
      ({ incrementAll }) => ({
        incrementAll: (attempts) => incrementAll(attempts.map((each) => ({ ...each, max: 1000 }))),
      }),
    ],
    'incrementAll counts what it does not return': [
      'incrementAll stops',
      ({ incrementAll }) => ({
        async incrementAll(attempts) {
          const counts = await incrementAll(attempts.map((each) => ({ ...each, max: 1000 })))
          const exhausted = counts.findIndex(({ count }, at) => count > (attempts[at]?.max ?? 0))
          return exhausted < 0 ? counts : counts.slice(0, exhausted + 1)
        },
      }),
    ],
    'incrementAll stops one attempt too early': [
      'incrementAll stops',
      ({ incrementAll }) => ({
        incrementAll: (attempts) => incrementAll(attempts.map((each) => ({ ...each, max: each.max - 1 }))),
      }),
    ],
    'incrementAll stops before the exhausted key': [
      'incrementAll stops',
      ({ incrementAll }) => ({
        async incrementAll(attempts) {
          const counts = await incrementAll(attempts)
          return counts.filter(({ count }, at) => count <= (attempts[at]?.max ?? 0))
        },
      }),
    ],
    'incrementAll counts backwards': [
      'incrementAll stops',
      ({ incrementAll }) => ({
        incrementAll: async (attempts) => (await incrementAll(attempts.toReversed())).reverse(),
      }),
    ],
    'incrementAll reads before it counts': ['of many simultaneous calls of incrementAll', lookThenCount],
    'incrementAll matches keys by the part in braces': [
      'incrementAll takes any keys',
      ({ incrementAll }) => ({
        incrementAll: (attempts) =>
          incrementAll(attempts.map((each) => ({ ...each, key: /\{.+\}/.exec(each.key)?.[0] ?? each.key }))),
      }),
    ],
    'clearAll does nothing': ['clearAll forgets', () => ({ clearAll: async () => undefined })],
    'clearAll clears one key': [
      'clearAll forgets',
      (store) => ({ clearAll: ([key = '']) => store.clear(key) }),
    ],
    'clearAll clears everything of the account': [
      'clearAll forgets',
      (store) => ({ clearAll: (keys) => store.clearAll([...keys, 'third:{ada}']) }),
    ],
  }
  for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
    test.concurrent(`detected by ${law}: ${fault}`, async () => {
      const cases = throttleStoreCases(() => {
        const store = createMemoryThrottleStore()
        return { ...store, ...sabotage(store) }
      })
      await breaksLaws(cases, law)
    })
  }

  test('without the optional methods, their laws are skipped, and the report says so', async () => {
    const lines: string[] = []
    const cases = throttleStoreCases(() => {
      const { increment, decrement, clear } = createMemoryThrottleStore()
      return { increment, decrement, clear }
    })
    await runCases(cases, (line) => lines.push(line))
    expect(lines).toEqual(['9 of 14 laws hold; not checked: incrementAll, clearAll'])
  })

  function eachInTurn(increment: ThrottleStore['increment']): NonNullable<ThrottleStore['incrementAll']> {
    return async (attempts) => {
      const counts: Awaited<ReturnType<typeof increment>>[] = []
      for (const { key, windowMs, max } of attempts) {
        const counted = await increment(key, windowMs)
        counts.push(counted)
        if (counted.count > max) break
      }
      return counts
    }
  }

  function lookThenCount(store: Required<ThrottleStore>): Partial<ThrottleStore> {
    const counts = new Map<string, number>()
    return {
      ...store,
      incrementAll: eachInTurn(async (key, windowMs) => {
        const count = 1 + (counts.get(key) ?? 0)
        await later()
        counts.set(key, count)
        return { count, resetMs: windowMs }
      }),
    }
  }

  function readThenWrite(): Partial<ThrottleStore> {
    const counts = new Map<string, number>()
    return {
      increment: async (key, windowMs) => {
        const count = counts.get(key) ?? 0
        await later()
        counts.set(key, count + 1)
        return { count: count + 1, resetMs: windowMs }
      },
    }
  }

  function slide(store: ThrottleStore): Partial<ThrottleStore> {
    return {
      increment: async (key, windowMs) => {
        const { count } = await store.increment(key, windowMs)
        await store.clear(key)
        for (let index = 1; index < count; index++) await store.increment(key, windowMs)
        return store.increment(key, windowMs)
      },
    }
  }

  function goBelowZero(): Partial<ThrottleStore> {
    const counts = new Map<string, number>()
    const add = (key: string, number: number) => {
      counts.set(key, (counts.get(key) ?? 0) + number)
      return counts.get(key) ?? 0
    }
    return {
      increment: async (key, windowMs) => ({ count: add(key, 1), resetMs: windowMs }),
      decrement: async (key) => void add(key, -1),
    }
  }

  function handOutRecord(store: ThrottleStore): Partial<ThrottleStore> {
    const records = new Map<string, { count: number; resetMs: number }>()
    return {
      increment: async (key, windowMs) => {
        const record = records.get(key) ?? { count: 0, resetMs: 0 }
        records.set(key, record)
        const { resetMs } = await store.increment(key, windowMs)
        return Object.assign(record, { count: record.count + 1, resetMs })
      },
    }
  }
})

describe('token signers', () => {
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
      'law 2: a token is worth nothing',
      (signer) => flatten(signer, { purpose: 'verify-email' }),
    ],
    'leaves the audience out': [
      'law 2: a token is worth nothing',
      (signer) => flatten(signer, { audience: 'x' }),
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
        typeof token === 'string' && token.startsWith(prefix)
          ? signer.verify(token.slice(by), context)
          : null,
    }
  }
})

describe('password hashers', () => {
  const sabotages: Record<string, [law: string, fault: (hasher: PasswordHasher) => Partial<PasswordHasher>]> =
    {
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
    expect(lines).toEqual(['8 of 12 laws hold; not checked: overCeiling, weaker, stronger'])
  })

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
})

describe('mailers', () => {
  type Fault = (deliver: (mail: Mail) => Promise<void>, delivered: DeliveredMail[]) => Partial<Mailer>
  const sabotages: Record<string, [law: string, fault: Fault]> = {
    'sends twice': [
      'law 1: an email goes to its one address',
      (deliver) => ({
        send: async (mail) => {
          await deliver(mail)
          await deliver(mail)
        },
      }),
    ],
    'parses addresses in the name': ['law 1: nothing in the name', splitHeader],
    'lowercases the address': [
      'law 1: an email goes to its one address',
      (deliver) => ({
        send: (mail) =>
          deliver({ ...mail, to: { ...mail.to, address: `${mail.to?.address}`.toLowerCase() } }),
      }),
    ],
    'rejects an invalid address with a temporary error': [
      'law 2: an address',
      (deliver) => ({
        send: (mail) =>
          deliver(mail).catch((error: Error) => {
            throw new Error(error.message)
          }),
      }),
    ],
    'trims the text': [
      'law 4: text arrives',
      (deliver) => ({ send: (mail) => deliver({ ...mail, text: mail.text.trim() }) }),
    ],
    'keeps one recipient at a time': ['law 1: 20 simultaneous emails', shareOneRecipient],
    'accepts any address': [
      'law 2: an address',
      (_, delivered) => ({ send: async (mail) => void record(mail, delivered) }),
    ],
    'delivers, then rejects': [
      'law 2: an address',
      (deliver, delivered) => ({
        send: (mail) => deliver(mail).finally(() => delivered.push({ recipients: [] })),
      }),
    ],
    'folds line breaks in the subject': [
      'law 2: a line break',
      (deliver) => ({ send: (mail) => deliver({ ...mail, subject: mail.subject.replace(/[\r\n]+/g, ' ') }) }),
    ],
    'drops non-ASCII characters from the address': ['law 3: a domain', asciiOnly],
    'turns a wide @ into a plain one': ['law 3: a character', (_, delivered) => normalize(delivered)],
    'breaks lines at 78 characters': [
      'law 4: a link',
      (deliver) => ({ send: (mail) => deliver({ ...mail, text: mail.text.replace(/.{77}/g, '$&\n') }) }),
    ],
    'changes the HTML part': [
      'law 4: the HTML part',
      (deliver) => ({ send: (mail) => deliver({ ...mail, html: mail.html.replaceAll('&amp;', '&') }) }),
    ],
    'removes a leading dot': [
      'law 4: text arrives',
      (deliver) => ({ send: (mail) => deliver({ ...mail, text: mail.text.replaceAll('\n.', '\n') }) }),
    ],
    'encodes subjects': [
      'law 4: a subject',
      (deliver) => ({
        send: (mail) => deliver({ ...mail, subject: mail.subject.replace(/\P{ASCII}/gu, '?') }),
      }),
    ],
    'close does not wait': ['law 10:', (deliver) => closesBadly({ send: deliver }, { waits: false })],
    'close may be called once': ['law 10:', (deliver) => closesBadly({ send: deliver }, { twice: false })],
    'close drops pending emails': ['law 10:', dropOnClose],
  }
  for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
    test(`detected by ${law}: ${fault}`, async () => {
      await breaksLaws(
        mailerCases(() => harness(sabotage)),
        law,
      )
    })
  }

  test('a correct mailer with a harness that reports everything passes all', async () => {
    const cases = mailerCases(() => harness((deliver) => closable({ send: deliver }, () => {})))
    expect((await runCases(cases, () => undefined)).failures).toEqual([])
  })

  test('a harness that only reports recipients is enough, and is closed', async () => {
    let closed = 0
    const cases = mailerCases(() => {
      const { mailer, delivered } = harness(() => ({}))
      return {
        mailer,
        delivered: async () => delivered().map(({ recipients }) => ({ recipients })),
        close: async () => {
          closed += 1
        },
      }
    })
    expect((await runCases(cases, () => undefined)).failures).toEqual([])
    expect(closed).toBe(cases.length)
  })

  function harness(sabotage: Fault) {
    const delivered: DeliveredMail[] = []
    const send = async (mail: Mail): Promise<void> => {
      const lines = `${mail.to?.name}${mail.subject}`
      if (!/^[^\s"(),:;<>@＠]+@[^\s"(),:;<>@＠\0]+$/.test(mail.to?.address) || /[\r\n]/.test(lines)) {
        throw new InvalidArgumentError('refused')
      }
      if (typeof mail.to.address !== 'string') throw new InvalidArgumentError('refused')
      record(mail, delivered)
    }
    return { mailer: { send, ...sabotage(send, delivered) }, delivered: () => delivered.slice() }
  }

  function record({ to, subject, text, html }: Mail, delivered: DeliveredMail[]): void {
    delivered.push({ recipients: [to.address], subject, text, html })
  }

  function splitHeader(deliver: (mail: Mail) => Promise<void>, delivered: DeliveredMail[]): Partial<Mailer> {
    return {
      send: async (mail) => {
        await deliver(mail)
        const found = `${mail.to.name} <${mail.to.address}>`.match(/[^\s<>,;:"]+@[^\s<>,;:"]+/g)
        delivered.splice(-1, 1, { recipients: found ?? [] })
      },
    }
  }

  function shareOneRecipient(deliver: (mail: Mail) => Promise<void>): Partial<Mailer> {
    let to: Mail['to']
    return {
      send: async (mail) => {
        to = mail.to
        await later()
        return deliver({ ...mail, to })
      },
    }
  }

  function asciiOnly(deliver: (mail: Mail) => Promise<void>): Partial<Mailer> {
    return {
      send: (mail) => {
        const address = `${mail.to.address}`.replace(/\P{ASCII}/gu, '')
        return deliver({ ...mail, to: { ...mail.to, address } })
      },
    }
  }

  function normalize(delivered: DeliveredMail[]): Partial<Mailer> {
    return {
      send: async (mail) => {
        record({ ...mail, to: { ...mail.to, address: `${mail.to?.address}`.normalize('NFKC') } }, delivered)
      },
    }
  }

  function dropOnClose(deliver: (mail: Mail) => Promise<void>): Partial<Mailer> {
    let closed = false
    return {
      send: async (mail) => {
        await later()
        if (!closed) await deliver(mail)
      },
      close: async () => {
        closed = true
        await later()
        await later()
      },
    }
  }
})
