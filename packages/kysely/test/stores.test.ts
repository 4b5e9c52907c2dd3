import {
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
} from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  empty,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import {
  createMemoryUserStore,
  InvalidArgumentError,
  type NewUser,
  type Session,
  type SessionUpdate,
  UnavailableError,
  type UserSearch,
} from 'fastify-accounts'
import { CamelCasePlugin, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newSession, newUser } from './support/users.js'

describe.each(await driversHere())('$title', ({ name: driver, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>

  beforeAll(async () => {
    database = await makeDatabase(driver)
    db = await connect(database.place)
    await migrate(db)
  })
  beforeEach(() => empty(db))
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  test('a user is returned exactly as stored', async () => {
    const store = createKyselyUserStore({ db })
    const given = newUser('ada', {
      kind: 'service',
      origin: 'import',
      username: 'Ada 😀 שלום',
      email: 'Ada@Example.com',
      passwordHash: 'x'.repeat(1024),
      isVerified: true,
      isStaff: true,
      roles: ['support', 'Éditeur 😀', 'support', '\0'],
      isActive: false,
      createdAt: new Date('1969-07-20T20:17:40.001Z'),
      lastLoginAt: new Date('9999-12-31T23:59:59.999Z'),
      sessionEpoch: Number.MAX_SAFE_INTEGER,
      resetEpoch: 2 ** 31,
      verifyEpoch: 7,
      fields: { z: 1, a: ['\0', '\ud800', null, 0.5, true], '': {}, ['__proto__']: 'kept' },
    })
    const user = await store.create(given)
    expect(user).toEqual({ ...given, id: user.id, version: 1 })
    expect(user.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await store.findById(user.id)).toEqual(user)
    expect(Object.keys((await store.findById(user.id))?.fields ?? {})).toEqual(['z', 'a', '', '__proto__'])
  })

  test('a session is returned exactly as stored, and as changed', async () => {
    const store = createKyselySessionStore({ db })
    const given = newSession('s1', {
      kind: 'token',
      name: 'Ada’s "phone" \\ 😀',
      generation: Number.MAX_SAFE_INTEGER,
      seenGeneration: 2 ** 33,
      baseGeneration: 2 ** 34,
      nextBase: 7,
      settlesAt: new Date('9999-12-31T23:59:59.999Z'),
      confirmation: 3,
      confirmedAt: new Date('2026-02-03T04:05:06.007Z'),
      priorConfirmedAt: new Date('1969-07-20T20:17:40.001Z'),
      methods: ['pwd'],
    })
    await store.create(given)
    expect(await store.find('s1')).toEqual(given)
    const state = { generation: 1, seenGeneration: 0, confirmation: 4 }
    const cleared = { name: null, baseGeneration: 0, nextBase: null, settlesAt: null, priorConfirmedAt: null }
    const changed = { ...given, ...state, ...cleared }
    expect(await store.change('s1', given, { ...state, ...cleared, methods: undefined })).toBe(true)
    expect(await store.find('s1')).toEqual(changed)
    expect(await store.change('s1', state, {})).toBe(true)
    for (const field of ['generation', 'seenGeneration', 'confirmation'] as const) {
      for (const number of [state[field] + 1, 0.5, Number.NaN, -1])
        expect(await store.change('s1', { ...state, [field]: number }, { name: 'other' })).toBe(false)
    }
    expect(await store.find('s1')).toEqual(changed)
  })

  test('keys are compared byte by byte: case, accents, trailing white space', async () => {
    const store = createKyselyUserStore({ db })
    const keys = ['bob', 'BOB', 'bob ', ' bob', 'bób', 'bo\u0301b', 'bob\u200b']
    for (const key of keys) await store.create(newUser(key))
    for (const key of keys) {
      expect(await store.findByUsername(key)).toMatchObject({ usernameKey: key })
      expect(await store.findByEmail(`${key}@example.com`)).toMatchObject({ usernameKey: key })
    }
    const sessions = createKyselySessionStore({ db })
    await sessions.create(newSession('s'))
    expect(await sessions.find('s ')).toBeNull()
    expect(await sessions.find('S')).toBeNull()
  })

  test('the longest texts are stored whole, longer ones rejected', async () => {
    const store = createKyselyUserStore({ db })
    const longest = '😀'.repeat(256)
    const user = await store.create(
      newUser('ada', { username: longest, usernameKey: longest, email: longest, emailKey: longest }),
    )
    expect(await store.findByUsername(longest)).toEqual(user)
    expect(await store.findByEmail(longest)).toEqual(user)
    for (const field of ['username', 'usernameKey', 'email', 'emailKey', 'passwordHash']) {
      await expect(store.create(newUser('bob', { [field]: `${longest}a` }))).rejects.toThrow(
        new InvalidArgumentError(`${field} is longer than 1024 bytes`),
      )
      await expect(store.update(user.id, { [field]: `${longest}a` }, 1)).rejects.toThrow(InvalidArgumentError)
    }
    const sessions = createKyselySessionStore({ db })
    await sessions.create(newSession('i'.repeat(255), { userId: 'u'.repeat(255) }))
    expect(await sessions.listByUser('u'.repeat(255))).toHaveLength(1)
    await expect(sessions.create(newSession('i'.repeat(256)))).rejects.toThrow(InvalidArgumentError)
    expect(await store.findByUsername('x'.repeat(100_000))).toBeNull()
    expect(await store.findById('x'.repeat(100_000))).toBeNull()
  })

  test('a duplicate key is reported on update as well, username first; a user’s own keys are free', async () => {
    const store = createKyselyUserStore({ db })
    const ada = await store.create(newUser('ada'))
    const bob = await store.create(newUser('bob'))
    const taken = (field: string) => ({ name: 'DuplicateError', field })
    await expect(
      store.update(bob.id, { usernameKey: 'ada', emailKey: 'ada@example.com' }, 1),
    ).rejects.toMatchObject(taken('username'))
    await expect(
      store.update(bob.id, { usernameKey: 'bob', emailKey: 'ada@example.com' }, 1),
    ).rejects.toMatchObject(taken('email'))
    await expect(store.create(newUser('carl', { emailKey: ada.emailKey }))).rejects.toMatchObject(
      taken('email'),
    )
    expect(await store.update(bob.id, { usernameKey: 'bob', emailKey: 'bob@example.com' }, 1)).toMatchObject({
      version: 2,
    })
    expect(await store.findById(ada.id)).toEqual(ada)
  })

  test("an empty update still counts, and one with an outdated version doesn't", async () => {
    const store = createKyselyUserStore({ db })
    const ada = await store.create(newUser('ada'))
    expect(await store.update(ada.id, {}, 1)).toEqual({ ...ada, version: 2 })
    expect(await store.update(ada.id, { isStaff: true }, 1)).toBeNull()
    expect(await store.update(ada.id, { isStaff: true }, 3)).toBeNull()
    expect(await store.update(ada.id, { isStaff: true }, 1.5)).toBeNull()
    expect(await store.update('nobody', { isStaff: true }, 1)).toBeNull()
    expect(await store.findById(ada.id)).toEqual({ ...ada, version: 2 })
  })

  test('an update whose row changes between its statements has no effect', async () => {
    const store = createKyselyUserStore({ db })
    const ada = await store.create(newUser('ada'))
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.update(ada.id, { resetEpoch: n + 1 }, 1)),
    )
    const winners = results.filter((result) => result !== null)
    expect(winners).toHaveLength(1)
    expect(await store.findById(ada.id)).toEqual(winners[0])
  })

  test('listing pages through users with the same timestamp, and continues after a deleted user', async () => {
    const store = createKyselyUserStore({ db })
    for (let n = 0; n < 7; n++) {
      await store.create(newUser(`user-${n}`, { createdAt: new Date(1000 + Math.floor(n / 4)) }))
    }
    const all = await store.list({ limit: 100 })
    expect(all).toHaveLength(7)
    for (const [index, { id, createdAt, usernameKey }] of all.entries()) {
      expect(await store.list({ limit: 2, after: { id, createdAt, usernameKey } })).toEqual(
        all.slice(index + 1, index + 3),
      )
    }
    const gone = all[2]
    if (!gone) return expect.fail('there are seven')
    await store.delete(gone.id)
    expect(await store.list({ limit: 100, after: gone })).toEqual(all.slice(3))
  })

  test('expired sessions are deleted in batches, and nothing else is', async () => {
    const store = createKyselySessionStore({ db })
    const moment = Date.now()
    // Several expire in the same millisecond, so a batch ends in the middle of them.
    const rows = Array.from(
      { length: 1203 },
      (_, n) => sql`(${`s${n}`}, 'ada', 0, 0, 0, ${moment - 1 - Math.floor(n / 7)})`,
    )
    await sql`insert into accounts_sessions (id, user_id, epoch, created_at, last_seen_at, expires_at)
      values ${sql.join(rows)}`.execute(db)
    await store.create(newSession('just now', { expiresAt: new Date(moment) }))
    await store.create(newSession('live', { expiresAt: new Date(moment + 60_000) }))
    expect(await store.deleteExpired(new Date(moment))).toBe(1204)
    expect(await store.deleteExpired(new Date(moment))).toBe(0)
    expect(await store.find('live')).not.toBeNull()
  })

  // The other engines reject text in a numeric column.
  if (engine === 'sqlite') {
    const times = [
      'created_at',
      'last_seen_at',
      'expires_at',
      'confirmed_at',
      'prior_confirmed_at',
      'settles_at',
    ]
    const counters = [
      'epoch',
      'confirmation',
      'generation',
      'seen_generation',
      'base_generation',
      'next_base',
    ]
    test.each([...times, ...counters, 'kind'])(
      'a session with a corrupt %s is not valid, and can be deleted',
      async (column) => {
        const store = createKyselySessionStore({ db })
        await store.create(newSession('spoiled'))
        await store.create(newSession('sound'))
        await sql`update accounts_sessions set ${sql.ref(column)} = 'never' where id = 'spoiled'`.execute(db)
        expect(await store.find('spoiled')).toBeNull()
        expect((await store.listByUser('ada')).map(({ id }) => id)).toEqual(['sound'])
        expect(await store.delete('spoiled')).toBe(true)
      },
    )
  }

  test('a user with corrupt fields is an error, and other users are unaffected', async () => {
    const store = createKyselyUserStore({ db })
    const [ada, bob] = [await store.create(newUser('ada')), await store.create(newUser('bob'))]
    await sql`update accounts_users set fields = '{' where id = ${ada.id}`.execute(db)
    for (const call of [() => store.findById(ada.id), () => store.update(ada.id, { isStaff: true }, 1)]) {
      await expect(call()).rejects.toThrow(new UnavailableError('the database failed'))
    }
    expect(await store.findById(bob.id)).toEqual(bob)
  })

  test('a session id can be used only once', async () => {
    const store = createKyselySessionStore({ db })
    const first = newSession('s1')
    await store.create(first)
    await expect(store.create(newSession('s1', { userId: 'eve' }))).rejects.toThrow(
      new InvalidArgumentError('id is in use'),
    )
    expect(await store.find('s1')).toEqual(first)
  })

  test("works with the host's plugins that rename columns", async () => {
    const store = createKyselyUserStore({ db: db.withPlugin(new CamelCasePlugin()) })
    const ada = await store.create(newUser('ada'))
    expect(await store.findByUsername('ada')).toEqual(ada)
  })

  test('close waits for pending calls, rejects later ones, and leaves the database open', async () => {
    const store = createKyselyUserStore({ db })
    const running = Promise.all([store.create(newUser('ada')), store.create(newUser('bob'))])
    let done = false
    running.then(() => {
      done = true
    })
    await Promise.all([store.close?.(), store.close?.()])
    expect(done).toBe(true)
    await expect(store.findById('id')).rejects.toThrow(new UnavailableError('the store is closed'))
    expect(await createKyselyUserStore({ db }).list({ limit: 10 })).toHaveLength(2)
  })

  test('a user store of another database, or of another kind, is rejected', async () => {
    const refusal = new TypeError('userStore must be made by createKyselyUserStore on the same db')
    const elsewhere = createKyselyUserStore({ db: untouched })
    expect(() => createKyselySessionStore({ db, userStore: elsewhere })).toThrow(refusal)
    expect(() => createKyselySessionStore({ db, userStore: createMemoryUserStore() })).toThrow(refusal)
  })

  test.each([createKyselyUserStore, createKyselySessionStore, createKyselyInvitationStore])(
    'an option that does not exist is refused by its name',
    (create) => {
      const misspelled = { db, tabels: { users: 'people' } }
      expect(() => create(misspelled)).toThrow(new TypeError('tabels is not an option'))
    },
  )

  test('close destroys the database if configured', async () => {
    const own = await connect(database.place)
    const store = createKyselySessionStore({ db: own, destroyOnClose: true })
    await store.find('s1')
    await store.close?.()
    await store.close?.()
    await expect(store.find('s1')).rejects.toThrow(UnavailableError)
    await expect(sql`select 1`.execute(own)).rejects.toThrow()
  })
})

const untouched = await connect({ driver: 'libsql', url: ':memory:' })

describe('values that never reach the engine', () => {
  const store = createKyselyUserStore({ db: untouched })
  const sessions = createKyselySessionStore({ db: untouched })

  test.each<[keyof NewUser, unknown]>([
    ['kind', 'robot'],
    ['kind', null],
    ['origin', 'stranger'],
    ['origin', null],
    ['roles', null],
    ['roles', 'staff'],
    ['emailChangedAt', 0],
    ['username', undefined],
    ['username', 'a\0'],
    ['usernameKey', null],
    ['usernameKey', ''],
    ['email', 1],
    ['emailKey', '\ud800'],
    ['passwordHash', null],
    ['isVerified', 1],
    ['isStaff', null],
    ['isActive', 'true'],
    ['createdAt', new Date(Number.NaN)],
    ['createdAt', 0],
    ['lastLoginAt', '2026-01-01'],
    ['sessionEpoch', 0.5],
    ['resetEpoch', -1],
    ['verifyEpoch', '1'],
    ['fields', null],
    ['fields', 'text'],
  ])('user: %s %o', async (field, value) => {
    const refusal = store.create(newUser('ada', { [field]: value }))
    await expect(refusal).rejects.toThrow(InvalidArgumentError)
    await expect(refusal).rejects.toThrow(new RegExp(`^${field} `))
  })

  const badChanges: [keyof SessionUpdate, unknown][] = [
    ['name', 7],
    ['name', 'a\0'],
    ['generation', -1],
    ['generation', '1'],
    ['seenGeneration', 0.5],
    ['baseGeneration', null],
    ['nextBase', '1'],
    ['settlesAt', 0],
    ['confirmation', null],
    ['priorConfirmedAt', new Date('never')],
  ]

  test.each<[keyof Session, unknown]>([
    ['id', ''],
    ['userId', 7],
    ['epoch', Number.NaN],
    ['createdAt', null],
    ['lastSeenAt', undefined],
    ['expiresAt', new Date('never')],
    ['details', undefined],
    ['details', 'text'],
    ['kind', 'robot'],
    ...badChanges,
  ])('session: %s %o', async (field, value) => {
    const refusal = sessions.create(newSession('s1', { [field]: value }))
    await expect(refusal).rejects.toThrow(InvalidArgumentError)
    await expect(refusal).rejects.toThrow(new RegExp(`^${field} `))
  })

  test.each(badChanges)('a change of a session: %s %o', async (field, value) => {
    const refusal = sessions.change('s1', newSession('s1'), { [field]: value })
    await expect(refusal).rejects.toThrow(InvalidArgumentError)
    await expect(refusal).rejects.toThrow(new RegExp(`^${field} `))
  })

  test.each([{ text: '' }, { text: 7 }, { fields: [] }, { fields: 'name' }])(
    'a search: %o',
    async (given) => {
      const search = { text: 'a', fields: ['name'], ...given } as UserSearch
      await expect(store.list({ limit: 1, search })).rejects.toThrow(InvalidArgumentError)
    },
  )

  test.each([{ realms: [] }, { realms: ['a', 'a'] }, { realms: ['a', ''] }, { limit: 1 }, { limit: 0 }])(
    'a claim: %o',
    async (given) => {
      const [now, until] = [new Date(0), new Date(1)]
      const claim = store.outbox?.claim({ realms: ['a', 'b'], limit: 2, now, until, ...given })
      await expect(claim).rejects.toThrow(InvalidArgumentError)
    },
  )

  test('invalid pages', async () => {
    const createdAt = new Date()
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(store.list({ limit })).rejects.toThrow(InvalidArgumentError)
    }
    await expect(store.list({ limit: 1, after: { createdAt, usernameKey: 'a', id: '' } })).rejects.toThrow(
      /^after\.id /,
    )
    await expect(
      store.list({ limit: 1, after: { createdAt: new Date('x'), usernameKey: 'a', id: 'a' } }),
    ).rejects.toThrow(/^after\.createdAt /)
    await expect(sessions.deleteExpired(new Date('x'))).rejects.toThrow(/^now /)
  })
})
