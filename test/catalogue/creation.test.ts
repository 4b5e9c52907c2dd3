import { goodPassword, linkPath, logIn, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { DuplicateError } from 'fastify-accounts'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import type { Errand, Outcome, tasks } from './other-process.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const form = 'application/x-www-form-urlencoded'
const filledIn = (username = '', extra: object = {}) => ({
  username,
  password: goodPassword,
  confirm_password: goodPassword,
  ...extra,
})
const create = (service: Service, username: string | undefined, extra: object = {}, url = '/user/') =>
  service.send('POST', url, filledIn(username, extra))
const post = (service: Service, payload: string | Buffer, type = 'application/json', url = '/user/') =>
  service.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })

/** Returns a check that no user has been created and no password hashed since. */
function watchForCreation({ users, hasher }: Service): () => Promise<void> {
  const hashes = hasher.hashes
  return async () => {
    expect(await users.list({ limit: 1 })).toEqual([])
    expect(hasher.hashes).toBe(hashes)
  }
}

let processes: Processes<keyof typeof tasks, Errand>
beforeAll(async () => {
  processes = await startProcesses(new URL('other-process.ts', import.meta.url), 2)
})
afterAll(() => processes.stop())

cases('Creation', ({ rule, storage }) => {
  rule(
    'CRE-01',
    {
      tried: 'a name or an address that is taken, in any spelling',
      expected:
        '409 with a code that says which; if both are taken, the name: names are public, addresses aren’t',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service, 'alice', { email: 'alice@example.org' })
      for (const url of ['/user/', '/signup/']) {
        for (const name of ['alice', 'ALICE', '\uff41lice']) {
          const response = await create(service, name, { email: 'alice@example.org' }, url)
          expect([response.statusCode, response.json().code]).toEqual([409, 'ACCOUNTS_USERNAME_TAKEN'])
        }
        for (const email of ['alice@example.org', ' ALICE@Example.ORG ']) {
          const response = await create(service, 'bob', { email }, url)
          expect([response.statusCode, response.json().code]).toEqual([409, 'ACCOUNTS_EMAIL_TAKEN'])
        }
      }
      expect(await users.list({ limit: 9 })).toHaveLength(1)
    },
  )

  rule(
    'CRE-01',
    {
      tried: 'with confirmation on, an address that has an account, verified or not',
      expected:
        'a byte-identical response after the same work; nobody gets an account, and the owner is emailed a way to reset, or else to confirm',
    },
    async ({ start, users }) => {
      const service = await start({ requireEmailConfirmation: true, throttle: {} })
      const asked = callsOf(users)
      const costOf = async (name: string, email: string) => {
        const before = service.hasher.hashes
        const response = await create(service, name, { email }, '/signup/')
        return { response, hashes: service.hasher.hashes - before, asked: asked.splice(0) }
      }
      // Delivering the email reads as well.
      const writesIn = (calls: readonly string[]) => calls.filter((name) => !name.startsWith('find'))
      const first = await costOf('alice', 'alice@example.org')
      // As many round trips to a database: one that refuses a user is asked why.
      expect(writesIn(first.asked)).toEqual(['create', 'update'])
      await service.settle()
      for (const [name, isVerified] of [
        ['mallory', false],
        ['eve', true],
      ] as const) {
        const owner = await users.findByUsername('alice')
        await service.app.accounts.updateUser(owner?.id ?? '', { isVerified })
        asked.length = 0
        service.mails.length = 0
        const second = await costOf(name, 'Alice@Example.org')
        expect(first.response.statusCode).toBe(202)
        expectAlike(first.response, second.response)
        expect(second.hashes).toBe(first.hashes)
        expect(writesIn(second.asked)).toEqual(['create', 'create'])
        const mail = await service.mail(isVerified ? 'account-exists' : 'verify-email')
        expect(mail.to).toEqual({ name: 'alice', address: 'alice@example.org' })
        expect(await users.findByUsername(name)).toMatchObject({ kind: 'unclaimed', email: null })
        expect(await service.app.accounts.findUser({ username: name })).toBeNull()
      }
      const passwords = { new_password: otherPassword, confirm_password: otherPassword }
      const link = linkPath(await service.mail('account-exists'))
      expect((await service.send('POST', link, passwords)).statusCode).toBe(204)
      await logIn(service, 'alice', otherPassword)
    },
  )

  storage(
    'CRE-02',
    {
      tried: '50 parallel sign-ups with one name, in two spellings, each with its own address',
      expected: 'one is accepted, 49 get 409; one user, one email',
    },
    async ({ start, users }) => {
      // All requests hash at once: a queue rejects most of them if the first hash took long.
      const service = await start({ requireEmailConfirmation: true, password: { concurrency: 64 } })
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          create(service, index % 2 ? 'Alice' : 'alice', { email: `a${index}@example.org` }),
        ),
      )
      const codes = responses.map(({ statusCode }) => statusCode).toSorted()
      expect(codes).toEqual([202, ...Array(49).fill(409)])
      expect(await users.list({ limit: 9 })).toHaveLength(1)
      await service.settle()
      expect(service.mails).toHaveLength(1)
    },
  )

  storage(
    'CRE-02',
    {
      tried: 'the same from two processes at once, 25 each',
      expected: 'one is accepted, 49 get 409; one user, one email',
      on: ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'],
      because: 'Processes don’t share memory.',
    },
    async ({ users, place, prefix }) => {
      if (!place) throw new Error('the ground has no place')
      const outcomes = await processes.race<Outcome>('send', {
        place,
        prefix,
        options: { requireEmailConfirmation: true },
        requests: Array.from({ length: 25 }, (_, index) => ({
          method: 'POST',
          url: '/user/',
          remoteAddress: `10.0.0.${index}`,
          payload: filledIn(index % 2 ? 'Alice' : 'alice', { email: 'alice@example.org' }),
        })),
      })
      const codes = outcomes.flatMap(({ statusCodes }) => statusCodes).toSorted()
      expect(codes).toEqual([202, ...Array(49).fill(409)])
      expect(outcomes.map(({ mails }) => mails).toSorted()).toEqual([0, 1])
      expect(await users.list({ limit: 9 })).toHaveLength(1)
    },
  )

  storage(
    'CRE-03',
    {
      tried: 'a name in other cases and widths, and with whitespace around or inside it',
      expected:
        'one account: another case gets 409 at sign-up and logs in; whitespace gets 400 at sign-up and 401 at login',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service, 'Alice', { email: 'alice@example.org' })
      expect((await users.findByUsername('alice'))?.username).toBe('Alice')
      const login = (username: string) =>
        service.send('POST', '/login/', { username, password: goodPassword })
      for (const name of ['alice', 'ALICE', 'aLiCe', '\uff21\uff4cice']) {
        expect([name, (await create(service, name)).statusCode]).toEqual([name, 409])
        expect([name, (await login(name)).json().username]).toEqual([name, 'Alice'])
      }
      for (const space of [' ', '\t', '\n', '\u00a0', '\u2003', '\u3000', '\u1680', '\u2028']) {
        for (const name of [`${space}alice`, `alice${space}`, `al${space}ice`]) {
          const refused = (await create(service, name)).json()
          expect([name, refused.fields]).toMatchObject([name, [{ field: 'username', code: 'invalid' }]])
          expect([name, (await login(name)).statusCode]).toEqual([name, 401])
        }
      }
      expect(await users.list({ limit: 9 })).toHaveLength(1)
    },
  )

  storage(
    'CRE-03',
    {
      tried: 'an address in other cases and with whitespace around it, at sign-up and at /forgot/',
      expected: 'one account: 409 at sign-up, and for each spelling the link goes to the stored address',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email: 'Alice@example.org' })
      for (const email of [
        'alice@example.org',
        ' ALICE@EXAMPLE.ORG',
        'alice@Example.org\t',
        '\u00a0alice@example.org',
      ]) {
        expect([email, (await create(service, 'bob', { email })).statusCode]).toEqual([email, 409])
        service.mails.length = 0
        expect((await service.send('POST', '/forgot/', { email })).statusCode).toBe(202)
        expect((await service.mail('reset-password')).to.address).toBe('Alice@example.org')
      }
    },
  )

  storage(
    'CRE-04',
    {
      tried:
        'names that look alike or fold alike: small capitals, Kelvin, long s, ligatures, dots, NFC and NFD',
      expected: 'names that fold alike are one account, in every store; folding is idempotent',
    },
    async ({ start, users }) => {
      const service = await start()
      const alike = [
        ['bigbird', '\u1d2e\u1d35\u1d33\u1d2e\u1d35\u1d3f\u1d30', 'BIGBIRD'],
        ['kelvin', '\u212aelvin', 'Kelvin'],
        ['strasse', 'stra\u00dfe', 'STRA\u1e9eE', 'stra\u017f\u017fe'],
        ['office', 'o\ufb03ce', 'of\ufb01ce'],
        ['zo\u00eb', 'zoe\u0308', 'ZO\u00cb'],
        [
          '\u03c3\u03bf\u03c6\u03cc\u03c2',
          '\u03a3\u039f\u03a6\u038c\u03a3',
          '\u03c3\u03bf\u03c6\u03cc\u03c3',
        ],
        ['istanbul', 'ISTANBUL', '\u0131stanbul', '\u0130stanbul', 'i\u0307stanbul'],
        ['two2', 'two\u00b2'],
      ]
      for (const spellings of alike) {
        expect([spellings, (await create(service, spellings[0])).statusCode]).toEqual([spellings, 201])
        for (const each of spellings) {
          expect([each, (await create(service, each)).statusCode]).toEqual([each, 409])
          const entry = await service.send('POST', '/login/', { username: each, password: goodPassword })
          expect([each, entry.json().username]).toEqual([each, spellings[0]])
        }
      }
      // Some database engines would treat these as equal; we don't.
      for (const name of ['zoe', 'Cafe', 'caf\u00e9', 'two3', 'bigbird.', 'strase']) {
        expect([name, (await create(service, name)).statusCode]).toEqual([name, 201])
      }
      const all = await users.list({ limit: 50 })
      expect(all).toHaveLength(alike.length + 6)
      for (const { username, usernameKey } of all) {
        expect((await users.findByUsername(usernameKey ?? ''))?.username).toBe(username)
        expect((await create(service, usernameKey ?? '')).statusCode).toBe(409)
      }
    },
  )

  storage(
    'CRE-04',
    {
      tried: 'names with invisible or text-direction characters, and the reserved names',
      expected: '400, and no user is created',
    },
    async ({ start }) => {
      const service = await start()
      const untouched = watchForCreation(service)
      const unseen = [
        '\u200b',
        '\u200c',
        '\u200d',
        '\u2060',
        '\ufeff',
        '\u00ad',
        '\u115f',
        '\u3164',
        '\ufe0f',
      ]
      const bidi = ['\u202a', '\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c']
      const signs = [
        '/',
        '\\',
        '<',
        '"',
        "'",
        '%',
        ':',
        ';',
        ',',
        '(',
        '\u2044',
        '\u{1f600}',
        '\u{e0041}',
        '\ufdd0',
      ]
      for (const sign of [...unseen, ...bidi, ...signs]) {
        for (const name of [`ali${sign}ce`, `${sign}alice`, `alice${sign}`]) {
          const refused = (await create(service, name)).json()
          expect([name, refused.fields]).toMatchObject([name, [{ field: 'username', code: 'invalid' }]])
        }
      }
      for (const name of ['admin', 'ADMIN', '\uff41dmin', 'root', 'v', 'D', '\u0301alice']) {
        expect([name, (await create(service, name)).statusCode]).toEqual([name, 400])
      }
      await untouched()
    },
  )

  rule(
    'CRE-05',
    {
      tried:
        'NUL, control characters, unpaired surrogates, broken UTF-8 and a byte order mark, in each field, as JSON and as a form',
      expected: '400, never 500; no user is created',
    },
    async ({ start }) => {
      const service = await start()
      const untouched = watchForCreation(service)
      const sound = filledIn('alice', { email: 'alice@example.org' })
      for (const field of ['username', 'password', 'email'] as const) {
        const signs = ['\\u0000', '\\ud800', '\\udfff']
        if (field !== 'password') signs.push('\\u0007', '\\u001b', '\\u007f', '\\u0085', '\\r\\n')
        for (const sign of signs) {
          const body = JSON.stringify({ ...sound, [field]: 'alice!here!' }).replace(
            '!here!',
            `${sign}@example.org`,
          )
          const response = await post(service, body)
          expect([field, sign, response.statusCode]).toEqual([field, sign, 400])
          expect(response.json().fields[0].code).toBe('invalid')
        }
        for (const bytes of ['%00', '%ED%A0%80', '%FF', '%C0%AF', '%zz', '%']) {
          const fields = new URLSearchParams({ ...sound, [field]: 'alice' }).toString()
          const response = await post(
            service,
            fields.replace(`${field}=alice`, `${field}=alice${bytes}`),
            form,
          )
          expect([field, bytes, response.statusCode]).toEqual([field, bytes, 400])
        }
      }
      const json = JSON.stringify(sound)
      const raw = [
        Buffer.concat([Buffer.from('\ufeff'), Buffer.from(json)]),
        Buffer.from(json, 'utf16le'),
        Buffer.from(json.replace('alice', 'alic\u00e9'), 'latin1'),
        Buffer.from(json.replace('alice', 'ali\0ce')),
        Buffer.from(json.replace('alice', 'ali\nce')),
      ]
      for (const body of raw) {
        const response = await post(service, body)
        expect(response.json()).toMatchObject({ statusCode: 400, code: 'ACCOUNTS_INVALID_INPUT' })
      }
      await untouched()
    },
  )

  rule(
    'CRE-06',
    {
      tried:
        'fields at their maximum length and one character over, including fields that grow in normalization; bodies of several megabytes',
      expected: 'the longest value is stored in full; 400 or 413 for more, before any hashing',
    },
    async ({ start, users }) => {
      const service = await start()
      const untouched = watchForCreation(service)
      const address = (length: number) => {
        const domain = `${'d'.repeat(60)}.`.repeat(3)
        const local = 'l'.repeat(60)
        return `${local}@${domain}${'e'.repeat(length - local.length - domain.length - 1)}`
      }
      for (const [field, value] of [
        ['username', 'x'.repeat(151)],
        ['username', 'x'.repeat(255)],
        ['username', '\u{10400}'.repeat(151)],
        ['username', 'x'.repeat(10_000)],
        ['username', '\ufdfa'.repeat(9)],
        ['username', '\ufb03'.repeat(51)],
        ['email', address(255)],
        ['email', `${'l'.repeat(65)}@example.org`],
        ['email', `${' '.repeat(500)}alice@example.org`],
        ['email', '\ufdfa'.repeat(200)],
        ['password', 'x'.repeat(257)],
        ['password', '\u{1f42e}'.repeat(257)],
        ['password', '\ufb2c'.repeat(86)],
        ['password', 'x'.repeat(7000)],
      ] as const) {
        const response = await create(service, 'alice', {
          [field]: value,
          ...(field === 'password' && { confirm_password: value }),
        })
        expect([field, value.length, response.statusCode]).toEqual([field, value.length, 400])
        expect(response.json().fields[0].field).toBe(field)
      }
      for (const megabytes of [1, 10]) {
        const huge = `{"username":"alice","password":"${'x'.repeat(megabytes * 1024 * 1024)}"}`
        for (const type of ['application/json', form]) {
          expect((await post(service, huge, type)).statusCode).toBe(413)
        }
        const head = `POST /user/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${huge.length}`
        expect((await service.raw(`${head}\r\nConnection: close\r\n\r\n{"username":`)).statusCode).toBe(413)
      }
      const inChunks = `${'4000\r\n'}${' '.repeat(0x4000)}\r\n1\r\n \r\n0\r\n\r\n`
      const head =
        'POST /user/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked'
      expect((await service.raw(`${head}\r\nConnection: close\r\n\r\n${inChunks}`)).statusCode).toBe(413)
      await untouched()

      const longest = {
        username: '\u{10428}'.repeat(150),
        email: address(254),
        password: '\u{1f42e}'.repeat(256),
      }
      const made = await create(service, longest.username, {
        email: longest.email,
        password: longest.password,
        confirm_password: longest.password,
      })
      expect(made.statusCode).toBe(201)
      expect(await users.findByUsername(longest.username)).toMatchObject({ email: longest.email })
      expect(await users.findByEmail(longest.email)).toMatchObject({ username: longest.username })
      await logIn(service, longest.username, longest.password)
      const cut = { username: longest.username, password: longest.password.slice(0, -2) }
      expect((await service.send('POST', '/login/', cut)).statusCode).toBe(401)
    },
  )

  rule(
    'CRE-07',
    {
      tried: 'addresses that make slow validators slow: thousands of labels, brackets, quotes and comments',
      expected: '400 or 413, at sign-up and at /forgot/; no store is called',
    },
    async ({ start, users }) => {
      const service = await start()
      const asked = callsOf(users)
      const before = service.hasher.hashes
      const groups = (depth: number) => `${'a:('.repeat(depth)}a@example.org${');'.repeat(depth)}`
      for (const email of [
        `a@${'a.'.repeat(100_000)}`,
        `a@${'a.'.repeat(5000)}a`,
        `a@${'a.'.repeat(126)}a`,
        groups(10_000),
        groups(1000),
        groups(5),
        `${'a.'.repeat(5000)}a@example.org`,
        `a@${'-'.repeat(250)}.org`,
        `${'"'.repeat(5000)}@example.org`,
        `a@${'xn--'.repeat(100)}.org`,
        `a@${'\u00fc'.repeat(63)}.org`,
        '@'.repeat(508),
      ]) {
        for (const response of [
          await create(service, 'alice', { email }),
          await service.send('POST', '/forgot/', { email }),
          await service.send('POST', '/user/v/', { email }),
        ]) {
          const status = email.length > 15_000 ? 413 : 400
          expect([email.slice(0, 30), email.length, response.statusCode]).toEqual([
            email.slice(0, 30),
            email.length,
            status,
          ])
        }
      }
      expect(asked).toEqual([])
      expect(service.hasher.hashes).toBe(before)
    },
  )

  rule(
    'CRE-08',
    {
      tried:
        'fields that a visitor may not set, by their wire names and store names, one by one and together',
      expected: '400 for each, naming the field; no user is created',
    },
    async ({ start, users }) => {
      const service = await start()
      const untouched = watchForCreation(service)
      const wished = {
        id: '1',
        verified: true,
        is_verified: true,
        isVerified: true,
        isAdmin: true,
        is_staff: true,
        isStaff: true,
        is_active: true,
        passwordHash: 'x',
        password_hash: 'x',
        usernameKey: 'root',
        epoch: 9,
        sessionEpoch: 9,
        version: 9,
        created_at: '1970-01-01T00:00:00Z',
        fields: { is_staff: true },
      }
      for (const url of ['/user/', '/signup/']) {
        for (const [name, value] of Object.entries(wished)) {
          const { fields } = (await create(service, 'alice', { [name]: value }, url)).json()
          expect(fields).toMatchObject([{ field: name, code: 'unknown' }])
          const body = new URLSearchParams({ ...filledIn('alice'), [name]: 'true' } as Record<string, string>)
          expect((await post(service, body.toString(), form, url)).statusCode).toBe(400)
        }
        expect((await create(service, 'alice', wished, url)).json().fields).toHaveLength(16)
      }
      await untouched()
      // Fields in the query string are ignored.
      const inQuery = await create(service, 'alice', {}, '/user/?is_staff=true&isVerified=true')
      expect(inQuery.statusCode).toBe(201)
      const made = await users.findByUsername('alice')
      expect(made).toMatchObject({ isStaff: false, isVerified: false, sessionEpoch: 0 })
    },
  )

  rule(
    'CRE-09',
    {
      tried: '`__proto__`, `constructor.prototype` and method names as fields, in JSON and in forms',
      expected: '400; no object has a new property afterwards',
    },
    async ({ start }) => {
      const service = await start()
      const untouched = watchForCreation(service)
      const beginning = JSON.stringify(filledIn('alice')).slice(0, -1)
      for (const end of [
        ',"__proto__":{"polluted":true}}',
        ',"\\u005f_proto__":{"polluted":true}}',
        ',"constructor":{"prototype":{"polluted":true}}}',
        ',"toString":"x"}',
        ',"hasOwnProperty":"x"}',
        ',"valueOf":true}',
        ',"email":{"__proto__":{"polluted":true}}}',
      ]) {
        expect([end, (await post(service, beginning + end)).statusCode]).toEqual([end, 400])
      }
      const fields = new URLSearchParams(filledIn('alice') as Record<string, string>).toString()
      for (const end of [
        '__proto__=polluted',
        '__proto__[polluted]=1',
        'constructor[prototype][polluted]=1',
        'toString=x',
        'hasOwnProperty=x',
      ]) {
        expect([end, (await post(service, `${fields}&${end}`, form)).statusCode]).toEqual([end, 400])
      }
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
      expect(typeof {}.toString).toBe('function')
      await untouched()
    },
  )

  rule(
    'CRE-10',
    {
      tried: 'creating by POST /user/ and by POST /signup/ in turn, and by every other route and method',
      expected: 'one rule, one budget, one event for both; no other route creates',
    },
    async ({ start, users }) => {
      const service = await start({ throttle: {} })
      const events: unknown[] = []
      service.app.accounts.events.on('audit', ({ action, outcome, reason }) => {
        events.push([action, outcome, reason])
      })
      for (const [index, url] of ['/user/', '/signup/'].entries()) {
        expect((await create(service, `user${index}`, {}, url)).statusCode).toBe(201)
        expect((await create(service, `user${index}`, {}, url)).statusCode).toBe(409)
        expect((await create(service, 'x', { password: 'short' }, url)).statusCode).toBe(400)
      }
      await service.settle()
      expect(events.slice(0, 3)).toEqual(events.slice(3))
      expect(events[0]).toEqual(['create-user', 'success', null])
      for (let index = 6; index < 20; index += 1) {
        expect((await service.send('POST', index % 2 ? '/user/' : '/signup', {})).statusCode).toBe(400)
      }
      for (const url of ['/user/', '/user', '/signup/', '/signup']) {
        expect((await create(service, 'late', {}, url)).statusCode).toBe(429)
      }
      const elsewhere = { remoteAddress: '10.0.0.1' }
      for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
        for (const url of ['/user/', '/signup/', '/user/eve', '/login/', '/user/v/', '/me/']) {
          const response = await service.send(method, url, filledIn('eve'), elsewhere)
          expect([method, url, response.statusCode >= 400]).toEqual([method, url, true])
        }
      }
      for (const url of ['/login/', '/forgot/', '/user/v/', '/signup/v/', '/logout/', '/user/eve', '/me/']) {
        expect((await service.send('POST', url, filledIn('eve'), elsewhere)).statusCode).toBeGreaterThan(399)
      }
      expect(await users.list({ limit: 9 })).toHaveLength(2)
    },
  )

  rule(
    'CRE-13',
    {
      tried:
        'signing up with a taken and a free name and address, where the user store comes from another copy of the package, as a package manager may install it',
      expected:
        '409 for the name, and with email confirmation the same 202 for both addresses: the other copy’s errors mean the same',
    },
    async ({ start, users }) => {
      const service = await start({ requireEmailConfirmation: true })
      const email = 'alice@example.org'
      await service.app.accounts.createUser({ username: 'alice', password: goodPassword, email })
      vi.resetModules()
      const other = await import('fastify-accounts')
      expect(other.DuplicateError).not.toBe(DuplicateError)
      const { create } = users
      users.create = (user) =>
        create(user).catch((error: unknown) => {
          throw error instanceof DuplicateError ? new other.DuplicateError(error.field) : error
        })
      const signUpAs = (name: string, address: string) =>
        service.send('POST', '/user/', filledIn(name, { email: address }))
      expect((await signUpAs('alice', 'bob@example.org')).statusCode).toBe(409)
      const [taken, free] = [await signUpAs('bob', email), await signUpAs('ben', 'bob@example.org')]
      expect([taken.statusCode, free.statusCode]).toEqual([202, 202])
      expect(taken.json()).toEqual(free.json())
    },
  )

  rule(
    'CRE-12',
    {
      tried:
        'signing up where it is closed: by the option `users`, by `authorize.createUser`, or while logged in',
      expected:
        '404 or 403, nothing is written and nothing hashed. `authorize.createUser` decides who may sign up: by default anyone, logged in or not',
    },
    async ({ start, users }) => {
      const open = await start()
      await signUp(open)
      const cookie = await logIn(open)
      const asked = callsOf(users)
      for (const [options, status] of [
        [{ users: false }, 404],
        [{ authorize: { createUser: () => false } }, 403],
        [{ authorize: { createUser: async () => false }, requireEmailConfirmation: true }, 403],
        [{ authorize: { createUser: (actor: unknown) => actor === null } }, 403],
      ] as const) {
        const service = await start(options)
        const hashes = service.hasher.hashes
        for (const url of ['/user/', '/signup/']) {
          const body = filledIn('bob', { email: 'bob@example.org' })
          const response = await service.send('POST', url, body, { headers: { cookie } })
          expect([url, response.statusCode]).toEqual([url, status])
        }
        expect(service.hasher.hashes - hashes).toBeLessThanOrEqual(1)
      }
      expect(asked).not.toContain('create')
      const visitors = await start({ authorize: { createUser: (actor) => actor === null } })
      expect((await create(visitors, 'bob')).statusCode).toBe(201)
      const body = filledIn('carol')
      expect((await open.send('POST', '/user/', body, { headers: { cookie } })).statusCode).toBe(201)
    },
  )
})
