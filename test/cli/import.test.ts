import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
} from '@fastify-accounts/kysely'
import { goodPassword, linkPath, logIn, testAppOn } from '@fastify-accounts/test-support/app'
import { makeProject, runCli, runProcess } from '@fastify-accounts/test-support/cli'
import { connect, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import {
  createScryptHasher,
  invitations as invitationsFeature,
  type StoredUser,
  type User,
} from 'fastify-accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readCsv, type SourceRecord } from '../../packages/accounts/src/cli/import/csv.js'

const hash = 'pbkdf2_sha256$1000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

interface Place {
  folder: string
  env: { DATABASE_URL: string }
  users(): Promise<User[]>
  /** Works on the database as a service does, apart from the command. */
  on<T>(work: (db: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T>
  import(...args: string[]): Promise<{ code: number | null; report: Record<string, unknown>; stderr: string }>
  errors(): string
}

/** A project with its own migrated database. */
async function open(driver: 'libsql' | 'pg' | 'mysql2', text: string, name = 'users.csv'): Promise<Place> {
  const folder = makeProject({ [name]: text })
  const { place, drop } = await makeDatabase(driver)
  onTestFinished(drop)
  const DATABASE_URL = driver === 'libsql' ? `file:${place.url}` : place.url
  const env = { DATABASE_URL }
  const on: Place['on'] = async (work) => {
    const db = await connect(place, 1)
    try {
      return await work(db)
    } finally {
      await db.destroy()
    }
  }
  expect(await runCli(folder, ['migrate'], { env })).toMatchObject({ code: 0 })
  return {
    folder,
    env,
    users: () => on((db) => createKyselyUserStore({ db }).list({ limit: 5000 })),
    on,
    async import(...args) {
      const { code, stdout, stderr } = await runCli(folder, ['import', name, '--json', ...args], { env })
      return { code, report: JSON.parse(stdout), stderr }
    },
    errors: () => readFileSync(join(folder, `${name}.errors.csv`), 'utf8'),
  }
}

/** The chunks of a file, as import reads them. */
async function* chunksOf({ folder }: Place, name: string): AsyncGenerator<string> {
  yield readFileSync(join(folder, name), 'utf8')
}

const here = (await driversHere(['libsql', 'pg', 'mysql2'])).map(({ name, title }) => ({ name, title }))

describe.each(here)('on $title', ({ name }) => {
  const driver = name as 'libsql' | 'pg' | 'mysql2'

  test('imports valid lines, reports the others, and changes nothing when repeated', async () => {
    const good = Array.from(
      { length: 1700 },
      (_, at) => `${at + 1},user${at},user${at}@example.org,${hash},2024-05-06 07:08:09.5+02`,
    )
    const lines = [
      'id,username,email,password_hash,created_at',
      ...good,
      `3001,,nobody@example.org,${hash},`,
      `3002,bob,nonsense,${hash},`,
      `3003,USER5,other@example.org,${hash},`,
      `3004,carl,User7@Example.org,${hash},`,
      `3005,dora,dora@example.org,${hash},yesterday`,
      '3006,too,short',
      `3007,"Eve, the ""last"" one",eve@example.org,${hash},1700000000`,
    ]
    const place = await open(driver, `\ufeff${lines.join('\r\n')}\r\n`)
    const first = await place.import('--keep-ids')
    expect(first.report).toMatchObject({ lines: 1707, created: 1701, existing: 0, rejected: 6 })
    expect(first.code).toBe(1)
    const reasons = place.errors().trim().split('\n').slice(1).toSorted()
    expect(reasons).toEqual([
      `1702,"username: is empty, and the option users.names is 'required'"`,
      '1703,email: is not an email address',
      '1704,username: another user has it',
      '1705,email: another user has it',
      '1706,createdAt: is not a time',
      '1707,"3 columns, but the first line has 5"',
    ])
    const users = await place.users()
    expect(users).toHaveLength(1701)
    expect(users.find(({ username }) => username === 'user3')).toMatchObject({
      ...{ id: '4', usernameKey: 'user3', email: 'user3@example.org', emailKey: 'user3@example.org' },
      ...{ passwordHash: hash, isVerified: false, isStaff: false, isActive: true, version: 1 },
      createdAt: new Date('2024-05-06T05:08:09.500Z'),
    })
    expect(users.find(({ id }) => id === '3007')?.username).toBe('Eve, the "last" one')

    const second = await place.import('--keep-ids')
    expect(second.report).toMatchObject({ lines: 1707, created: 0, updated: 0, existing: 1701, rejected: 6 })
    expect(await place.users()).toEqual(users)
  })

  test('two concurrent imports create each user once', async () => {
    const lines = Array.from({ length: 2000 }, (_, at) =>
      JSON.stringify({ username: `user${at}`, email: `u${at}@example.org` }),
    )
    const place = await open(driver, lines.join('\n'), 'users.jsonl')
    const args = ['import', 'users.jsonl', '--json']
    const ended = await Promise.all([1, 2].map(() => runProcess(place.folder, args, { env: place.env })))
    const [one, other] = ended.map(({ stdout }) => JSON.parse(stdout))
    expect(one.created + other.created).toBe(2000)
    expect(one.existing + other.existing).toBe(2000)
    expect(await place.users()).toHaveLength(2000)
  })

  test('recognizes imported users by createdAt to the millisecond, without ids', async () => {
    const line = (password: string) =>
      `username,password_hash,created_at\nada,${password},2024-05-06 07:08:09.512+02\n`
    const place = await open(driver, line(hash))
    await place.import()
    writeFileSync(join(place.folder, 'users.csv'), line('another'))
    expect((await place.import()).report).toMatchObject({ existing: 1, rejected: 0 })
    writeFileSync(join(place.folder, 'users.csv'), line('another').replace('.512', '.513'))
    expect((await place.import()).report).toMatchObject({ existing: 0, rejected: 1 })
  })
})

test('creates new ids and writes the id map, also when repeated', async () => {
  const place = await open('libsql', `id,username\n17,ada\n"a,b",bob\n`)
  const first = await place.import('--id-map', 'ids.csv')
  expect(first.code).toBe(0)
  const map = readFileSync(join(place.folder, 'ids.csv'), 'utf8')
  const idOf = Object.fromEntries((await place.users()).map(({ username, id }) => [username, id]))
  expect(map).toBe(`old,new\n17,${idOf.ada}\n"a,b",${idOf.bob}\n`)
  await place.import('--id-map', 'ids.csv')
  expect(readFileSync(join(place.folder, 'ids.csv'), 'utf8')).toBe(map)
})

test('escapes cells that a spreadsheet would run as a formula, reversibly', async () => {
  const ids = [
    '=1+1',
    '+1',
    '-x7',
    '@SUM(A1)',
    '\t=1',
    "'=1",
    "''+1",
    "'quoted",
    '=a,"b"',
    '＝1',
    'a=1',
    '17',
  ]
  const text = ids.map((id, at) => JSON.stringify({ id, username: `user${at}` })).join('\n')
  const place = await open('libsql', text, 'users.jsonl')
  expect((await place.import('--id-map', 'ids.csv')).report).toMatchObject({
    created: ids.length,
    rejected: 0,
  })
  const cells: string[] = []
  for await (const { values } of readCsv(chunksOf(place, 'ids.csv'), ',')) {
    cells.push(String(values?.old))
  }
  for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n＋－＝＠]/)
  // As documented in docs/cli.md.
  const restored = cells.map((cell) => (/^'+[=+\-@\t\r\n＋－＝＠]/.test(cell) ? cell.slice(1) : cell))
  expect(restored).toEqual(ids)
})

test('rejects a line whose custom fields exceed 16 KiB, alone or together with existing ones', async () => {
  const map = ['--map', 'fields.bio=bio', '--map', 'fields.motto=motto', '--update']
  const record = (fields: object) => `${JSON.stringify({ username: 'ada', createdAt: 1, ...fields })}\n`
  const place = await open('libsql', record({ bio: 'x'.repeat(17_000), motto: 'y' }), 'users.jsonl')
  expect((await place.import(...map)).report).toMatchObject({ created: 0, rejected: 1 })
  expect(place.errors()).toBe('line,reason\n1,fields: too_long\n')
  writeFileSync(join(place.folder, 'users.jsonl'), record({ bio: 'x'.repeat(10_000), motto: '' }))
  expect((await place.import(...map)).report).toMatchObject({ created: 1, rejected: 0 })
  writeFileSync(join(place.folder, 'users.jsonl'), record({ bio: '', motto: 'x'.repeat(10_000) }))
  expect((await place.import(...map)).report).toMatchObject({ updated: 0, rejected: 1 })
})

test('maps columns, templates of columns, and constants', async () => {
  const text = [
    {
      mail: 'ada@example.org',
      salt: 'c2FsdA==',
      key: 'a2V5',
      phone: '+44',
      tags: ['a'],
      seen: 1700000000123,
      on: 'f',
    },
    { mail: 'bob@example.org', salt: '', key: '', phone: null, on: true },
  ]
  const place = await open('libsql', text.map((each) => JSON.stringify(each)).join('\n'), 'users.ndjson')
  const maps = [
    'username=mail',
    'email=mail',
    'passwordHash=firebase:{salt}:{key}',
    'fields.phone=phone',
    'fields.tags=tags',
    'lastLoginAt=seen',
    'isActive=on',
  ]
  const { report } = await place.import(
    ...maps.flatMap((each) => ['--map', each]),
    '--set',
    'isVerified=true',
  )
  expect(report).toMatchObject({ created: 2, rejected: 0, withoutPassword: 1, unreadable: 0 })
  const [ada, bob] = (await place.users()).toSorted((a, b) => (`${a.username}` < `${b.username}` ? -1 : 1))
  expect(ada).toMatchObject({
    ...{
      username: 'ada@example.org',
      passwordHash: 'firebase:c2FsdA==:a2V5',
      isVerified: true,
      isActive: false,
    },
    ...{ lastLoginAt: new Date(1700000000123), fields: { phone: '+44', tags: ['a'] } },
  })
  expect(bob).toMatchObject({ passwordHash: '!', isVerified: true, isActive: true, fields: {} })
})

test('a date says that an address is verified, and nothing of another flag', async () => {
  const place = await open(
    'libsql',
    [
      'email,confirmed_at,deleted_at',
      'ada@example.org,2026-03-29 01:30:00.123+00,',
      'bob@example.org,,',
      'cyd@example.org,0000-00-00 00:00:00,',
      'dan@example.org,2026-03-29T01:30:00Z,2026-03-30T01:30:00Z',
      '',
    ].join('\n'),
  )
  const maps = ['username=email', 'isVerified=confirmed_at', 'isActive=deleted_at']
  const { report } = await place.import(...maps.flatMap((each) => ['--map', each]))
  expect(report).toMatchObject({ created: 2, rejected: 2 })
  expect(place.errors()).toBe(
    'line,reason\n4,isVerified: must be true or false\n5,isActive: must be true or false\n',
  )
  const verified = (await place.users()).map(({ email, isVerified }) => [email, isVerified])
  expect(new Map(verified as [string, boolean][])).toEqual(
    new Map([
      ['ada@example.org', true],
      ['bob@example.org', false],
    ]),
  )
})

test('--update changes everything in the file except passwords', async () => {
  const place = await open(
    'libsql',
    `username,email,password_hash,is_staff,is_verified\nada,ada@example.org,${hash},f,t\nbob,bob@example.org,,f,f\n`,
  )
  await place.import()
  const file = join(place.folder, 'users.csv')
  writeFileSync(
    file,
    `username,email,password_hash,is_staff\nada,new@example.org,${hash},t\nbob,new@example.org,another,f\n`,
  )
  expect((await place.import()).report).toMatchObject({ existing: 2, updated: 0 })
  const { report } = await place.import('--update')
  expect(report).toMatchObject({ existing: 0, updated: 1, rejected: 1 })
  expect(place.errors()).toContain('email: another user has it')
  const ada = (await place.users()).find(({ username }) => username === 'ada')
  expect(ada).toMatchObject({
    email: 'new@example.org',
    isStaff: true,
    // The new address is unverified.
    isVerified: false,
    passwordHash: hash,
    resetEpoch: 1,
    verifyEpoch: 1,
    sessionEpoch: 1,
  })
  expect((await place.users()).find(({ username }) => username === 'bob')).toMatchObject({
    passwordHash: '!',
    sessionEpoch: 0,
  })
})

test('--update that removes a flag ends the sessions and links that could restore it', async () => {
  const lines = (flags: string) =>
    `username,password_hash,is_verified,is_active\nada,${hash},${flags}\nbob,another,t,t\n`
  const place = await open('libsql', lines('t,t'))
  await place.import()
  writeFileSync(join(place.folder, 'users.csv'), lines('f,f'))
  expect((await place.import('--update')).report).toMatchObject({ existing: 1, updated: 1, rejected: 0 })
  const [ada, bob] = await place.users()
  expect(ada).toMatchObject({
    isVerified: false,
    isActive: false,
    verifyEpoch: 1,
    resetEpoch: 1,
    sessionEpoch: 1,
  })
  expect(bob).toMatchObject({ isVerified: true, verifyEpoch: 0, resetEpoch: 0, sessionEpoch: 0 })
})

describe('a username taken before the import', () => {
  const created = '2020-01-02T03:04:05.678Z'
  /** Imports into a store where ada already signed up, with the properties in `holder`. */
  const importOver = async (
    holder: Partial<StoredUser>,
    line: Record<string, unknown>,
    ...args: string[]
  ) => {
    const config = `
import { createMemoryUserStore, createScryptHasher } from 'fastify-accounts'
const userStore = createMemoryUserStore()
await userStore.create({
  username: 'ada', usernameKey: 'ada', email: 'eve@example.org', emailKey: 'eve@example.org', passwordHash: 'own',
  kind: 'person', origin: 'self', roles: [], isVerified: true, isStaff: false, isActive: true,
  createdAt: new Date('2024-01-01T00:00:00Z'), lastLoginAt: null,
  emailChangedAt: null, sessionEpoch: 0, resetEpoch: 0, verifyEpoch: 0, fields: {}, factors: [], credentials: [],
  identityKeys: [], notes: {},
  ...JSON.parse(${JSON.stringify(JSON.stringify(holder))}, (key, value) => (key.endsWith('At') && value ? new Date(value) : value)),
})
export default {
  options: { userStore, passwordHasher: createScryptHasher() },
  async close() { console.error(JSON.stringify(await userStore.list({ limit: 10 }))) },
}`
    const folder = makeProject({ 'accounts.config.mjs': config, 'users.jsonl': JSON.stringify(line) })
    const { stdout, stderr } = await runCli(folder, ['import', 'users.jsonl', '--json', ...args])
    const [user] = JSON.parse(stderr) as User[]
    return { report: JSON.parse(stdout), user, folder }
  }
  const ada = { id: 7, username: 'ada', email: 'ada@example.org', password_hash: hash, is_staff: true }

  test.each<[string, Partial<StoredUser>, Record<string, unknown>]>([
    ['with another address', {}, { ...ada, created_at: created }],
    [
      'with the same address, unverified',
      { email: 'ada@example.org', emailKey: 'ada@example.org', isVerified: false },
      ada,
    ],
    [
      'with the same address, verified by a reader of the mailbox who may not have signed up',
      {
        email: 'ada@example.org',
        emailKey: 'ada@example.org',
        notes: { plainProof: { since: created, suspects: [] } },
      },
      ada,
    ],
    ['when the file has only a username', {}, { id: 7, username: 'ada', is_staff: true }],
    [
      'by a user who signed up with the address alone',
      { passwordHash: '!', isVerified: false },
      { id: 7, username: 'ada', is_staff: true },
    ],
    [
      'by a user whom staff made, without a password',
      { passwordHash: '!', origin: 'staff' },
      { ...ada, password_hash: undefined },
    ],
    [
      'and locked after a login',
      { passwordHash: '!', lastLoginAt: new Date() },
      { ...ada, password_hash: '!' },
    ],
    [
      'by a user who signed up with a passkey and never had a password',
      { passwordHash: '!', identityKeys: ['passkey:eve'] },
      { ...ada, password_hash: '!' },
    ],
    [
      'by a signup with a taken address, with the same password and time',
      { kind: 'unclaimed', email: null, emailKey: null, passwordHash: hash, createdAt: new Date(created) },
      { ...ada, created_at: created },
    ],
  ])('%s: is rejected, and the holder gains nothing', async (_what, holder, line) => {
    const { report, user, folder } = await importOver(holder, line, '--update', '--id-map', 'ids.csv')
    expect(report).toMatchObject({ created: 0, updated: 0, existing: 0, rejected: 1 })
    expect(readFileSync(join(folder, 'users.jsonl.errors.csv'), 'utf8')).toContain(
      'username: another user has it',
    )
    expect(user).toMatchObject({
      isStaff: false,
      version: 1,
      ...('email' in holder ? {} : { email: 'eve@example.org' }),
    })
    expect(() => readFileSync(join(folder, 'ids.csv'))).toThrow('ENOENT')
  })

  test.each<[string, Partial<StoredUser>, Record<string, unknown>]>([
    ['with the same createdAt', { createdAt: new Date(created) }, { ...ada, created_at: created }],
    ['with the same address, verified', { email: 'Ada@example.org', emailKey: 'ada@example.org' }, ada],
    ['with the same hash', { passwordHash: hash }, ada],
    [
      'by an import, and nobody has used it',
      { passwordHash: '!', origin: 'import' },
      { id: 7, username: 'ada', is_staff: true },
    ],
  ])('%s: is the same user, logged out if --update adds rights', async (_what, holder, line) => {
    expect((await importOver(holder, line)).report).toMatchObject({ existing: 1, rejected: 0 })
    const { report, user } = await importOver(holder, line, '--update')
    expect(report).toMatchObject({ updated: 1, rejected: 0 })
    expect(user).toMatchObject({ isStaff: true, sessionEpoch: 1 })
  })
})

test.each([
  ['CSV', 'users.csv', 'username,password\nada,x\n'],
  ['JSON lines', 'users.jsonl', '{"username":"ada"}\n{"username":"bob","password":"x"}\n'],
])('rejects --map with a column missing from the %s, and imports nobody', async (_what, name, text) => {
  const place = await open('libsql', text, name)
  for (const map of ['passwordHash=pasword', 'passwordHash=kind:{password}:{pasword}', 'email=']) {
    const { code, stdout, stderr } = await runCli(place.folder, ['import', name, '--map', map], {
      env: place.env,
    })
    const column = map === 'email=' ? '' : 'pasword'
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: `--map names a column that the file does not have: ${column}\n`,
    })
  }
  expect(await place.users()).toEqual([])
  const { code, report } = await place.import('--map', 'passwordHash=password')
  expect({ code, report }).toMatchObject({ code: 0, report: { rejected: 0 } })
})

test.each([
  ['CSV', 'users.csv', 'username,encrypted_password\nada,x\n'],
  ['JSON lines', 'users.jsonl', '{"username":"ada"}\n{"username":"bob","encrypted_password":"x"}\n'],
])('stops at an unmapped column of hashes in %s, and imports nobody', async (_what, name, text) => {
  const place = await open('libsql', text, name)
  const response = await runCli(place.folder, ['import', name], { env: place.env })
  expect(response).toMatchObject({ code: 2, stdout: '' })
  expect(response.stderr).toContain('did you mean --map passwordHash=encrypted_password?')
  expect(await place.users()).toEqual([])
  expect((await place.import('--set', 'passwordHash=')).report).toMatchObject({
    withoutPassword: 1 + Number(name !== 'users.csv'),
  })
})

test('treats text that starts with ! as no hash, which needs no hasher', async () => {
  const text = `username,password_hash\nada,!XyVbTKdBWbGvUdDyRAdgMeCZMPGWRTKSbDBmdSbQ\nbob,${hash}\n`
  const place = await open('libsql', text)
  const config = `
    import { createMemoryUserStore } from 'fastify-accounts'
    export const options = { userStore: createMemoryUserStore() }
  `
  writeFileSync(join(place.folder, 'own.config.mjs'), config)
  const { report } = await place.import('--config', 'own.config.mjs')
  expect(report).toMatchObject({ created: 2, withoutPassword: 1, unreadable: 1 })
  await place.import()
  expect((await place.users()).map(({ passwordHash }) => passwordHash)).toContain('!')
})

test('makes the id map readable only by its owner, even if the file existed', async () => {
  const place = await open('libsql', 'id,username\n17,ada\n')
  const file = join(place.folder, 'ids.csv')
  writeFileSync(file, 'old')
  chmodSync(file, 0o644)
  await place.import('--id-map', 'ids.csv')
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  expect(readFileSync(file, 'utf8')).toMatch(/^old,new\n17,/)
})

test('overwrites only its own list of rejected lines', async () => {
  const text = `username,password_hash\nada,${hash}\n`
  const place = await open('libsql', text)
  const file = join(place.folder, 'users.csv')
  writeFileSync(join(place.folder, 'notes.txt'), 'mine')
  for (const [args, reason] of [
    [['--errors', 'users.csv'], 'three different files'],
    [['--id-map', './users.csv'], 'three different files'],
    [['--errors', 'bad.csv', '--id-map', 'bad.csv'], 'three different files'],
    [['--errors', 'notes.txt'], 'notes.txt exists, and is not a list of rejected lines'],
  ] as const) {
    const response = await runCli(place.folder, ['import', 'users.csv', ...args], { env: place.env })
    expect(response).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) })
  }
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(readFileSync(join(place.folder, 'notes.txt'), 'utf8')).toBe('mine')
})

test('--dry-run checks but imports nothing', async () => {
  const place = await open(
    'libsql',
    `username,email,password_hash\nada,nonsense,\nbob,,\ncarl,,\ndora,,${hash}\n`,
  )
  const { code, report } = await place.import('--dry-run')
  expect({ code, report }).toMatchObject({
    code: 1,
    report: { lines: 4, rejected: 1, created: 0, withoutPassword: 2, dryRun: true },
  })
  const { stdout } = await runCli(place.folder, ['import', 'users.csv', '--dry-run'], { env: place.env })
  expect(stdout).toContain('4 lines read, 1 rejected, nothing imported')
  expect(stdout).toContain('2 users have no password hash')
  expect(stdout).toContain('Without accounts.config.js, the hashes can’t be checked')
  expect(await place.users()).toEqual([])
})

test('an app with the default hasher verifies only its own hashes', async () => {
  const own = await createScryptHasher({ logN: 14 }).hash('seven green lanterns')
  const rows = ['username,password_hash', `ada,${own}`, 'bob,$2b$10$of.another.system', 'carl,hello']
  const place = await open('libsql', `${rows.join('\n')}\n`)
  const config = `
    import { createKyselyUserStore, openDatabase } from '@fastify-accounts/kysely'
    import { createRequire } from 'node:module'
    const db = openDatabase(process.env.DATABASE_URL, createRequire(import.meta.url))
    export const options = { userStore: createKyselyUserStore({ db }) }
    export const close = () => db.destroy()
  `
  writeFileSync(join(place.folder, 'own.config.mjs'), config)
  const args = ['import', 'users.csv', '--dry-run', '--config', 'own.config.mjs']
  const { stdout } = await runCli(place.folder, args, { env: place.env })
  expect(stdout).toContain('2 users have a hash that the app cannot verify')
})

test('reports an unreadable file in one line, also with --json', async () => {
  const place = await open('libsql', 'username\n')
  mkdirSync(join(place.folder, 'folder.csv'))
  const { code, stdout, stderr } = await runCli(place.folder, ['import', 'folder.csv', '--json'], {
    env: place.env,
  })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ error: "can't read folder.csv: it is a directory" })
})

test('rejects malformed lines and imports the others', async () => {
  const place = await open(
    'libsql',
    `{"username":"ada"}\n{"username":\n[1]\n"x"\n\n{"username":"bo\\u0000b"}\n{"username":{}}\n${'x'.repeat(1_200_000)}\n{"username":"carl"}`,
    'users.jsonl',
  )
  const { report } = await place.import()
  expect(report).toMatchObject({ created: 2, rejected: 6 })
  expect(place.errors().trim().split('\n').slice(1)).toEqual([
    '2,is not valid JSON',
    '3,is not a JSON object',
    '4,is not a JSON object',
    '6,username: contains a character that cannot be stored',
    '7,username: is not text',
    '8,too long',
  ])
})

test.each(['users.jsonl', 'users.csv'])('rejects a line that is nested too deeply, in %s', async (file) => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const values = [deep(20), deep(100_000), deep(5000), deep(150), '"x"']
  const rows = values.map((value, n) =>
    file === 'users.csv'
      ? `user-${n},"${value.replaceAll('"', '""')}"`
      : `{"username":"user-${n}","bio":${value}}`,
  )
  const header = file === 'users.csv' ? ['username,identities'] : []
  const place = await open('libsql', [...header, ...rows].join('\n'), file)
  const { report } = await place.import(...(file === 'users.csv' ? [] : ['--map', 'fields.bio=bio']))
  const first = file === 'users.csv' ? 2 : 1
  const reason = file === 'users.csv' ? 'identities: is nested too deeply' : 'is nested too deeply'
  const rejected = place.errors().trim().split('\n').slice(1)
  for (const n of [1, 2, 3]) expect(rejected).toContain(`${first + n},${reason}`)
  expect(report).toMatchObject({ lines: 5 })
})

test('an unclosed quote is one rejected line, however much follows', async () => {
  const place = await open('libsql', `username\nada\n"bob\n${'carl\n'.repeat(300_000)}`)
  const { report } = await place.import()
  expect(report).toMatchObject({ created: 1, rejected: 1 })
  expect(place.errors()).toMatch(/^line,reason\n3,/)
})

test('CSV records the line where a record starts, and reads a stray quote as text', async () => {
  const text = 'name;note\r\n"a\r\nb";x\r\n\r\nsay "hi";"she ""said"" so"\nc\n"Ada" L.;\n"d";"no end\n\n'
  async function* chunks(): AsyncGenerator<string> {
    yield* text
  }
  const records: SourceRecord[] = []
  for await (const record of readCsv(chunks(), ';')) records.push(record)
  expect(records).toEqual([
    { line: 2, values: { name: 'a\r\nb', note: 'x' } },
    { line: 5, values: { name: 'say "hi"', note: 'she "said" so' } },
    { line: 6, values: null, reason: '1 columns, but the first line has 2' },
    { line: 7, values: { name: '"Ada" L.', note: '' } },
    { line: 8, values: null, reason: expect.stringContaining('a quote is not closed') },
  ])
})

test('reports a missing header, a missing file or an unreachable store in one line, with exit code 1', async () => {
  const place = await open('libsql', 'a,a\n1,2\n')
  expect(await place.import()).toMatchObject({
    code: 1,
    report: { error: expect.stringContaining('the first line must name the columns') },
  })
  const unreadable = { 'missing.csv': 'no such file', '.': 'it is a directory' }
  for (const [file, reason] of Object.entries(unreadable)) {
    const { code, stderr } = await runCli(place.folder, ['import', file, '--format', 'csv'], {
      env: place.env,
    })
    expect([code, stderr.trim()]).toEqual([1, `can't read ${file}: ${reason}`])
  }
  const gone = await runCli(place.folder, ['import', 'users.csv'], {
    env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
  })
  expect(gone.code).toBe(1)
})

test('reads standard input', async () => {
  const place = await open('libsql', '')
  const { code, stdout } = await runCli(
    place.folder,
    ['import', '-', '--format', 'csv', '--delimiter', ';', '--json'],
    { env: place.env, input: 'username;email\nada;ada@example.org\n' },
  )
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, created: 1 })
})

test('with a custom store, creates users one by one and validates their fields', async () => {
  const config = `
import { createMemoryUserStore, createScryptHasher } from 'fastify-accounts'
const userStore = createMemoryUserStore()
export default {
  options: {
    userStore,
    passwordHasher: createScryptHasher(),
    users: {
      fields: {
        type: 'object',
        properties: { age: { type: 'integer' }, name: { type: 'string' } },
        required: ['age', 'name'],
      },
    },
  },
  async close() { console.error(JSON.stringify(await userStore.list({ limit: 10 }))) },
}`
  const lines = [
    'username,email,age,name,password_hash',
    'ada,ada@example.org,36,7,x',
    'bob,,old,Bob,x',
    'ADA,,1,,',
    'carl,ada@example.org,1,,',
  ]
  const folder = makeProject({ 'accounts.config.mjs': config, 'users.csv': lines.join('\n') })
  const args = ['import', 'users.csv', '--json', '--map', 'fields.age=age', '--map', 'fields.name=name']
  const { code, stdout, stderr } = await runCli(folder, args)
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    created: 1,
    existing: 0,
    rejected: 3,
    withoutPassword: 0,
    unreadable: 1,
  })
  expect(JSON.parse(stderr)).toMatchObject([{ username: 'ada', fields: { age: 36, name: '7' } }])
  expect(await runCli(folder, [...args, '--keep-ids'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('creates its own ids'),
  })
})

test('rejects addresses that the app refuses, as create-user does', async () => {
  const config = `
import { createMemoryUserStore } from 'fastify-accounts'
export const options = {
  baseUrl: 'http://localhost:3000',
  secret: 'a-secret-of-enough-bytes-for-this-test!!',
  userStore: createMemoryUserStore(),
  emailAddresses: 'ascii',
}`
  const rows = ['username,email', 'petr,пётр@example.org', 'ada,ada@bücher.example']
  const folder = makeProject({ 'accounts.config.mjs': config, 'users.csv': rows.join('\n') })
  const { code, stdout } = await runCli(folder, ['import', 'users.csv', '--json'])
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, created: 1, rejected: 1 })
  expect(readFileSync(join(folder, 'users.csv.errors.csv'), 'utf8')).toContain('2,"email: needs SMTPUTF8,')
  const create = ['create-user', '--username', 'petr', '--email', 'пётр@example.org']
  const made = await runCli(folder, create, { input: 'seven green lanterns\n' })
  expect(made).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('email: We can’t send email to addresses with'),
  })
})

test('imports usernames that are others’ addresses, counts them, and doctor lists them', async () => {
  const place = await open(
    'libsql',
    [
      'username,email',
      'ada,ada@example.org',
      'Ada@Example.org,',
      'bob@example.org,bob@example.org',
      'free@example.org,eve@example.org',
      '',
    ].join('\n'),
  )
  expect((await place.import('--dry-run')).report).toMatchObject({ created: 0, addressNames: 2 })
  expect((await place.import()).report).toMatchObject({ created: 4, rejected: 0, addressNames: 2 })
  const ids = (await place.users())
    .filter(({ username }) => /^(Ada@|free)/.test(`${username}`))
    .map(({ id }) => id)
  const { stdout } = await runCli(place.folder, ['doctor', '--json'], { env: place.env })
  const { findings } = JSON.parse(stdout)
  const names = findings.find(({ what }: { what: string }) => what === 'usernames')
  expect(names.state).toBe('warning')
  expect(names.detail).toContain('2 are addresses that the account does not have, 1 of them another account')
  for (const id of ids) expect(names.detail).toContain(id)
})

describe('--invite', () => {
  const rows = [
    'username,email,is_verified,is_staff,is_active,password_hash,city',
    'ada,ada@example.org,,,,,Ulm',
    'bob,bob@example.org,,,,$2b$10$of.another.system,Ulm',
    `carl,carl@example.org,,,,${hash},Ulm`,
    'dora,dora@example.org,yes,,,,Ulm',
    'eve,eve@example.org,,yes,,,Ulm',
    'fay,,,,,,Ulm',
    'gus,gus@example.org,,,no,,Ulm',
    'hal,hal@example.org,,,,,',
  ]
  const counts = { invited: 2, invitedBefore: 0, notInvited: 2, unreachable: 2, inviteFailed: 1 }
  const config = (hooks = '', mailer = '{ async send() { throw new Error("not from here") } }') => `
    import { createKyselyInvitationStore, createKyselyUserStore, openDatabase } from '@fastify-accounts/kysely'
    import { createRequire } from 'node:module'
    import { appendFileSync } from 'node:fs'
    import { createScryptHasher, InvalidArgumentError, invitations } from 'fastify-accounts'
    const db = openDatabase(process.env.DATABASE_URL, createRequire(import.meta.url))
    const users = createKyselyUserStore({ db })
    users.outbox.add = async () => { throw new Error('emails are stored with their invitation') }
    const { canVerify, ...scrypt } = createScryptHasher()
    export const options = {
      secret: 'a test needs no better secret than this one',
      baseUrl: 'https://example.org',
      userStore: users,
      invitationStore: createKyselyInvitationStore({ db, userStore: users }),
      mailer: ${mailer},
      features: [invitations()],
      users: {
        fields: { type: 'object', properties: { city: { type: 'string', minLength: 1 } }, required: ['city'] },
      },
      passwordHasher: { ...scrypt, canVerify: (hash) => hash.startsWith('pbkdf2') },
      ${hooks}
    }
    export const close = () => db.destroy()
  `

  async function inviting(text: string) {
    const place = await open('libsql', `${rows.join('\n')}\n`)
    const importing = (...args: string[]) => place.import('--map', 'fields.city=city', ...args)
    writeFileSync(join(place.folder, 'accounts.config.mjs'), text)
    const invitations = () => place.on((db) => createKyselyInvitationStore({ db }).list({ limit: 10 }))
    const invited = async () => (await invitations()).map(({ email }) => email).toSorted()
    const waiting = async () =>
      JSON.parse((await runCli(place.folder, ['outbox', '--json'], { env: place.env })).stdout).waiting
    return { ...place, import: importing, invitations, invited, waiting }
  }

  test('invites those without a usable password, once, by the outbox', async () => {
    const place = await inviting(config())
    expect((await place.import('--invite', '--dry-run')).report).toMatchObject({ created: 0, invited: 3 })
    expect(await place.users()).toEqual([])

    // As if the first run had been interrupted before its invitations.
    await place.import()
    expect(await place.invited()).toEqual([])
    const { code, report } = await place.import('--invite')
    expect({ code, report }).toMatchObject({ code: 1, report: { existing: 8, ...counts } })
    expect(await place.invited()).toEqual(['ada@example.org', 'bob@example.org'])
    expect(await place.waiting()).toBe(2)
    expect(place.errors()).toContain('9,not invited: city: required')

    const users = await place.users()
    const again = await runCli(
      place.folder,
      ['import', 'users.csv', '--invite', '--map', 'fields.city=city'],
      { env: place.env },
    )
    expect(again.stdout).toContain('0 users invited; 2 had an open invitation before.')
    expect(again.stdout).toContain('2 users were not invited, because their address is verified')
    expect(again.stdout).toContain('2 users are disabled or without an address')
    expect(await place.users()).toEqual(users)
    expect(await place.waiting()).toBe(2)
  })

  test('without an outbox sends from here, and invites again whose email failed', async () => {
    const mailer = (fails: string) => `{
      async send({ to, kind }) {
        if (to.address === '${fails}') throw new InvalidArgumentError('no such mailbox')
        appendFileSync(new URL('mails.txt', import.meta.url), kind + ' ' + to.address + '\\n')
      },
    }`
    const withoutOutbox = 'userStore: { ...users, outbox: undefined },'
    const place = await inviting(config(withoutOutbox, mailer('ada@example.org')))
    const first = await place.import('--invite')
    expect(first.report).toMatchObject({ created: 8, ...counts, invited: 1, inviteFailed: 2 })
    expect(await place.invited()).toEqual(['bob@example.org'])
    expect(place.errors()).toMatch(/^2,.*not invited: .*no such mailbox/m)
    writeFileSync(join(place.folder, 'accounts.config.mjs'), config(withoutOutbox, mailer('')))
    expect((await place.import('--invite')).report).toMatchObject({ invited: 1, invitedBefore: 1 })
    const mails = readFileSync(join(place.folder, 'mails.txt'), 'utf8').trim().split('\n')
    expect(mails).toEqual(['invitation bob@example.org', 'invitation ada@example.org'])
  })

  test('invites again once the invitation of the app is over, though staff have invited the address', async () => {
    const place = await inviting(config())
    await place.import('--invite')
    await place.on(async (db) => {
      const store = createKyselyInvitationStore({ db })
      for (const { version, ...own } of await store.list({ limit: 10 })) {
        await store.create({ ...own, id: [...own.id].toReversed().join(''), inviterId: 'staff' })
        if (own.email === 'ada@example.org') await store.delete(own.id)
        else await store.update(own.id, { expiresAt: new Date() }, version)
      }
    })
    expect((await place.import('--invite')).report).toMatchObject({ invited: 2, invitedBefore: 0 })
    expect(await place.invitations()).toHaveLength(4)
    expect((await place.import('--invite')).report).toMatchObject({ invited: 0, invitedBefore: 2 })
  })

  test('lists an address that was emailed too often, and invites it later', async () => {
    const spent =
      '{ increment: async () => ({ count: 1e6, resetMs: 1000 }), async decrement() {}, async clear() {} }'
    const place = await inviting(config(`throttle: { store: ${spent} },`))
    const { code, report } = await place.import('--invite')
    expect({ code, report }).toMatchObject({ code: 1, report: { created: 8, invited: 0, inviteFailed: 3 } })
    expect(place.errors()).toContain('2,not invited: too many emails to this address')
    expect(await place.invited()).toEqual([])
    writeFileSync(join(place.folder, 'accounts.config.mjs'), config())
    expect((await place.import('--invite')).report).toMatchObject({ existing: 8, ...counts })
  })

  test('who accepts gets the account as it was imported, and is not invited again', async () => {
    const place = await inviting(config())
    await place.import('--invite')
    const before = (await place.users()).find(({ username }) => username === 'ada')
    await place.on(async (db) => {
      const users = createKyselyUserStore({ db })
      const sessions = createKyselySessionStore({ db, userStore: users })
      const invitations = createKyselyInvitationStore({ db, userStore: users })
      const service = await testAppOn({ users, sessions, invitations }, { features: [invitationsFeature()] })
      const link = linkPath(await service.mail('invitation', 'ada@example.org'))
      const chosen = { new_password: goodPassword, confirm_password: goodPassword }
      expect((await service.send('POST', link, chosen)).statusCode).toBe(200)
      await logIn(service, 'ada')
      await service.app.close()
    })
    const { id, username, fields } = before as User
    const after = await place.users()
    expect(after.find((user) => user.id === id)).toMatchObject({ username, fields, isVerified: true })
    expect((await place.import('--invite')).report).toMatchObject({ invited: 0, invitedBefore: 1 })
    expect(await place.invited()).toEqual(['bob@example.org'])
  })

  test('imports nothing where nobody can be invited', async () => {
    for (const [from, to, lacks] of [
      ['features: [invitations()]', 'features: []', 'invitations() in features'],
      ['mailer:', 'unused:', 'mailer'],
      ['invitationStore:', 'unused:', 'invitationStore'],
    ] as const) {
      const place = await inviting(config().replace(from, to))
      const { code, report } = await place.import('--invite')
      const error = `--invite needs the app's options, and accounts.config.mjs lacks ${lacks}`
      expect({ code, report }).toMatchObject({ code: 1, report: { error } })
      expect(await place.users()).toEqual([])
    }
  })
})
