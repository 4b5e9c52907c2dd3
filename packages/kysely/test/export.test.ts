import {
  createKyselyActivity,
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
} from '@fastify-accounts/kysely'
import { as, cookieOf, goodPassword, type TestApp, testAppOn } from '@fastify-accounts/test-support/app'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { sampleOfEach } from '@fastify-accounts/test-support/depth'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { apiKeys, invitations, secondFactor } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

/** The columns that an export lacks, each with the reason. */
const reasons: Readonly<Record<string, string>> = {
  'accounts_users.kind': 'only people get an export',
  'accounts_users.username_key': 'the username, for comparing',
  'accounts_users.email_key': 'the address, for comparing',
  'accounts_users.password_hash': 'a secret; has_password says whether there is one',
  'accounts_users.session_epoch': 'ends sessions',
  'accounts_users.reset_epoch': 'ends links',
  'accounts_users.verify_epoch': 'ends links',
  'accounts_users.version': 'counts writes',
  'accounts_users.factors': 'which credentials are on: as totp and passkeys of the second factor',
  'accounts_users.identity_keys': 'names credentials and identities, which are there',
  'accounts_identities.identity_key': 'as identity_keys',
  'accounts_identities.user_id': 'as identity_keys',
  'accounts_sessions.id': 'the digest of a secret; the export has another id',
  'accounts_sessions.epoch': 'ends the session',
  'accounts_sessions.prior_confirmed_at': 'for the time in which two requests confirm',
  'accounts_sessions.confirmation': 'numbers the cookies',
  'accounts_sessions.generation': 'numbers the cookies',
  'accounts_sessions.seen_generation': 'numbers the cookies',
  'accounts_sessions.base_generation': 'numbers the cookies',
  'accounts_sessions.next_base': 'numbers the cookies',
  'accounts_sessions.settles_at': 'numbers the cookies',
  'accounts_invitations.target': 'the mount, whose export this is',
  'accounts_invitations.email_key': 'the address, for comparing',
  'accounts_invitations.sends': 'ends links',
  'accounts_invitations.accepting_until': 'set for seconds, while somebody accepts',
  'accounts_invitations.version': 'counts writes',
  ...Object.fromEntries(
    ['id', 'slug', 'name', 'fields', 'created_at', 'members', 'owners', 'version'].map((column) => [
      `accounts_organizations.${column}`,
      'of an organization; the feature exports id, slug and name with each membership, as its own tests check',
    ]),
  ),
  ...Object.fromEntries(
    ['organization_id', 'user_id', 'roles', 'since', 'invitation_id'].map((column) => [
      `accounts_organization_members.${column}`,
      'the feature, which is not on here, exports organization, roles and since, as its own tests check',
    ]),
  ),
  ...Object.fromEntries(
    ['id', 'realm', 'mail', 'posted_at', 'due_at', 'attempts', 'claim', 'error'].map((column) => [
      `accounts_outbox.${column}`,
      'waits for about a day at most, and is of no single person',
    ]),
  ),
}
/** What JSON within a column has besides, at any depth. */
const innerReasons: Readonly<Record<string, string>> = {
  kind: 'which feature has the credential',
  sealed: 'a secret',
  hash: 'a secret',
  step: 'the last code of an app that was used',
  isPersistent: 'as remember',
  state: 'ends a remembered device or a link',
  realm: 'the mount of an API key',
}

/** Other tables are of no person. */
const isOfPeople = (table: string) => /^accounts_(?!migrations)/.test(table)

const roles = { greeter: ['users:invite'] }
const fields = { type: 'object', properties: { city: { type: 'string' } } } as const
const drivers = sampleOfEach('export', await driversHere(), ({ engine }) => engine)

describe.each(drivers)('what is stored of a person: $title', ({ name }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let service: Pick<TestApp, 'app' | 'send' | 'settle'>
  let cookie: string
  let id: string
  /** The API key's id is part of it. */
  let keyId: string

  beforeAll(async () => {
    database = await makeDatabase(name)
    db = await connect(database.place)
    await migrate(db)
    const users = createKyselyUserStore({ db })
    service = await testAppOn(
      {
        users,
        sessions: createKyselySessionStore({ db, userStore: users }),
        invitations: createKyselyInvitationStore({ db, userStore: users }),
      },
      {
        ...{
          roles,
          users: { fields },
          features: [secondFactor(), apiKeys({ scopes: ['a'] }), invitations()],
        },
        session: { ip: 'full' },
        activity: createKyselyActivity({ db }),
      },
    )
    const ada = { username: 'ada', email: 'ada@example.org', password: goodPassword, isVerified: true }
    const given = { roles: ['greeter'], fields: { city: 'Ghent' } }
    ;({ id } = await service.app.accounts.createUser({ ...ada, ...given }))
    const login = { username: 'ada', password: goodPassword }
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const loggedIn = cookieOf(await service.send('POST', '/login/', login, { headers }))
    ;({ cookie } = await enroll(service, loggedIn, 'Phone'))
    keyId = (await service.app.accounts.createApiKey(id, { name: 'CI', scopes: ['a'] })).id
    await service.send('POST', '/change-email/', { email: 'new@example.org' }, as(cookie))
    await service.send('POST', '/invitations/', { email: 'gus@example.org' }, as(cookie))
    await service.settle()
    const about = async () => (await service.send('GET', '/me/activity/', undefined, as(cookie))).body
    await vi.waitFor(async () => expect(await about()).toContain('invitation.created'), 60_000)
  })
  afterAll(async () => {
    await service.app.close()
    await db.destroy()
    await database.drop()
  })

  /** All rows, by table. */
  async function rows(): Promise<[table: string, row: Record<string, unknown>][]> {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: false })
    const found: [string, Record<string, unknown>][] = []
    for (const { name } of tables.filter((table) => isOfPeople(table.name))) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
      found.push(...rows.map((row): [string, Record<string, unknown>] => [name, row]))
    }
    return found
  }

  test('is in the export, column by column, or there is a reason why not', async () => {
    const document = (await service.send('GET', '/me/export/', undefined, as(cookie))).body
    const columns = await db.introspection.getTables({ withInternalKyselyTables: false })
    const names = columns
      .filter((table) => isOfPeople(table.name))
      .flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`))
    expect(Object.keys(reasons).filter((column) => !names.includes(column))).toEqual([])
    const stored = await rows()
    const open = names.filter((column) => reasons[column] === undefined)
    const missing = open.filter((column) => {
      const [table, field = ''] = column.split('.')
      const of = stored.filter(([name]) => name === table).map(([, row]) => row[field])
      return of.length === 0 || !of.every((value) => isIn(document, field, value))
    })
    expect(missing, 'export it, or say above why not').toEqual([])
  })

  /** Whether the export has a value: a time, a flag by its name, a text, or all texts that are in JSON. */
  function isIn(document: string, column: string, value: unknown): boolean {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString() : value
    // Of the own session these are made for the request.
    const isMade = column === 'last_seen_at' || column === 'expires_at'
    if (text === null || isMade || column.startsWith('is_')) return document.includes(`"${column}":`)
    if (column.endsWith('_at')) return document.includes(new Date(Number(text)).toISOString())
    if (typeof text === 'string' && /^[[{]/.test(text))
      return partsOf('', JSON.parse(text)).every((part) => document.includes(part))
    // A number would be found anywhere.
    return typeof text === 'string' && !/^\d*$/.test(text) && document.includes(JSON.stringify(text))
  }

  /** The texts, numbers and flags in a value, the last two with their names. */
  function partsOf(key: string, value: unknown): string[] {
    if (value === null || value === keyId) return []
    if (typeof value === 'string') return [JSON.stringify(value)]
    if (typeof value !== 'object') return [`"${key}":${value}`]
    // They are counted only.
    if ((value as { kind?: unknown }).kind === 'recovery-code') return []
    const entries = Object.entries(value).filter(([name]) => innerReasons[name] === undefined)
    return entries.flatMap(([name, each]) => partsOf(name, each))
  }

  test('is gone after the deletion, apart from what docs/guides/privacy.md names', async () => {
    expect(await service.app.accounts.deleteUser(id)).toBe(true)
    const texts = [id, 'ada@example.org', 'new@example.org', 'Ghent', '127.0.0.1']
    const left = async () => {
      const found = (await rows()).filter(([, row]) =>
        Object.values(row).some((value) => {
          const text = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)
          return texts.some((each) => text.includes(each))
        }),
      )
      return [...new Set(found.map(([table]) => table))].filter((table) => table !== 'accounts_outbox')
    }
    await vi.waitFor(async () => expect(await left()).toEqual(['accounts_invitations']), 60_000)
  })
})
