import { randomUUID } from 'node:crypto'
import {
  createKyselyActivity,
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  migrate,
  type Naming,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import { dialectFor, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { newActivityEntry, newInvitation, newPendingMail } from '@fastify-accounts/testing'
import { newMembership, newOrganization } from '@fastify-accounts/testing/organizations'
import type { PendingMessage, SessionChanges, UserFilter } from 'fastify-accounts'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { otherNames } from './support/names.js'
import { newSession, newUser } from './support/users.js'

/** How each engine explains a query, and what its plan must not contain. */
const plans: Record<Engine, { explain: string; forbidden: RegExp }> = {
  sqlite: { explain: 'explain query plan', forbidden: /TEMP B-TREE|SCAN (?!\S+ USING (COVERING )?INDEX)/ },
  postgres: { explain: 'explain (format json)', forbidden: /Seq Scan|Sort/ },
  mysql: { explain: 'explain format = json', forbidden: /"access_type": "ALL"|filesort/ },
}

/** How each plan shows a scan of all users. */
const wholeTable: Record<Engine, RegExp> = {
  sqlite: /SCAN (u|accounts_users)(?! USING COVERING)/,
  postgres: /"Seq Scan"[^{}]*"accounts_users"/,
  mysql: /"table_name": "(u|accounts_users)",(\\n|\s)*"access_type": "(ALL|index)"/,
}

/** How each plan shows that all rows of any table are read. */
const fullScan: Record<Engine, RegExp> = {
  sqlite: /SCAN (?!\S+ USING (COVERING )?INDEX)/,
  postgres: /Seq Scan/,
  mysql: /"access_type": "ALL"/,
}

/** How many different queries the stores run here; `pg` has five more, for the lookups of a turn. */
const counts: Record<Engine, number> = { sqlite: 114, postgres: 114, mysql: 117 }

/** Enough rows that no engine prefers a full scan. */
const many = 2000

/** Not queries of the stores, or run once per start: whether a table is in the main file. */
const besides = /^(begin|commit|rollback)|sqlite_schema/

describe.each(await driversHere())('plans: $title', ({ name, engine }) => {
  const { explain, forbidden } = plans[engine]

  test('every query uses an index, and no page is sorted', async () => {
    const database = await makeDatabase(name)
    const asked = new Map<string, CompiledQuery>()
    const db = new Kysely<unknown>({
      dialect: await dialectFor(database.place, 1),
      log: ({ query }) => void (besides.test(query.sql) || asked.set(query.sql, query)),
    })
    const planOf = async ({ sql: text, parameters }: CompiledQuery): Promise<string> => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]))
      return JSON.stringify(rows).replaceAll('\\"', '"')
    }
    await migrate(db)
    const moment = Date.now()
    for (let from = 0; from < many; from += 100) {
      const rows = Array.from({ length: 100 }, (_, n) => from + n)
      await sql`insert into accounts_users (id, kind, username, username_key, email, email_key, password_hash, is_verified,
        is_staff, is_active, created_at, last_login_at, session_epoch, reset_epoch, verify_epoch, version, fields)
        values ${sql.join(rows.map((n) => sql`(${`id-${n}`}, ${n % 100 === 0 ? 'service' : 'person'}, 'x', ${`x-${n}`}, null, ${`m-${n}`}, 'x', 0, 0, 1, ${n}, ${n % 4 === 0 ? null : n}, 0, 0, 0, 1, '{}')`))}`.execute(
        db,
      )
      await sql`insert into accounts_identities (identity_key, user_id)
        values ${sql.join(rows.map((n) => sql`(${`i-${n}`}, ${`id-${n}`})`))}`.execute(db)
      await sql`insert into accounts_sessions (id, user_id, epoch, created_at, last_seen_at, expires_at)
        values ${sql.join(rows.map((n) => sql`(${`s-${n}`}, ${`u-${n % 20}`}, 0, ${n}, ${n}, ${moment + n * 1000})`))}`.execute(
        db,
      )
      await sql`insert into accounts_outbox (id, realm, mail, posted_at, due_at, attempts)
        values ${sql.join(rows.map((n) => sql`(${`o-${n}`}, ${n % 20 === 0 ? 'accounts' : 'elsewhere'}, '{}', ${n}, ${moment + 3_600_000 + n}, 0)`))}`.execute(
        db,
      )
      await sql`insert into accounts_invitations (id, target, inviter_id, email, email_key, gives, created_at, expires_at, sends, version)
        values ${sql.join(rows.map((n) => sql`(${`v-${n}`}, 'accounts', ${`u-${n % 4}`}, 'x', ${`m-${n}`}, '{}', ${n}, ${moment + n * 1000}, 1, 1)`))}`.execute(
        db,
      )
      await sql`insert into accounts_activity (id, user_id, type, happened_at, actor, data)
        values ${sql.join(rows.map((n) => sql`(${`a-${n}`}, ${`u-${n % 20}`}, 'x', ${n}, 'host', '{}')`))}`.execute(
        db,
      )
      await sql`insert into accounts_organizations (id, slug, name, fields, created_at, members, owners, version)
        values ${sql.join(rows.map((n) => sql`(${`g-${n}`}, ${`slug-${n}`}, 'x', '{}', ${n}, 1, 1, 1)`))}`.execute(
        db,
      )
      await sql`insert into accounts_organization_members (organization_id, user_id, roles, since)
        values ${sql.join(rows.map((n) => sql`(${`g-${n < 1000 ? n : n % 10}`}, ${`u-${n < 1000 ? n % 10 : n}`}, '[]', ${n})`))}`.execute(
        db,
      )
    }
    const tables =
      'accounts_users, accounts_identities, accounts_sessions, accounts_invitations, accounts_activity, accounts_organizations, accounts_organization_members, accounts_outbox'
    const analyze = engine === 'mysql' ? `analyze table ${tables}` : 'analyze'
    await db.executeQuery(CompiledQuery.raw(analyze))
    asked.clear()

    const users = createKyselyUserStore({ db })
    const user = await users.create(newUser('ada', { createdAt: new Date(many - 100) }))
    await expect(users.create(newUser('ada'))).rejects.toMatchObject({ field: 'username' })
    await users.findById(user.id)
    await users.findByUsername('ada')
    await users.findByEmail('ada@example.com')
    await users.list({ limit: 10 })
    await users.list({ limit: 10, after: user })
    for (const by of ['createdAt', 'usernameKey'] as const) {
      for (const descending of [false, true]) {
        await users.list({ limit: 10, order: { by, descending } })
        await users.list({ limit: 10, order: { by, descending }, after: user })
      }
    }
    // The kind and each flag have their own index, in order of creation.
    const filters: UserFilter[] = [
      ...[{ kind: 'service' as const }, { isActive: false }, { isStaff: true }, { isVerified: true }],
      ...[
        { kind: 'person' as const, isStaff: true },
        { kind: 'person' as const, isActive: true },
        { kind: 'person' as const, isUsed: true },
      ],
    ]
    for (const where of filters) {
      for (const descending of [false, true]) {
        const query = { limit: 10, where, order: { by: 'createdAt', descending } } as const
        await users.list(query)
        await users.list({ ...query, after: user })
      }
    }
    await users.update(user.id, { isStaff: true }, 1)
    await users.update(user.id, { identityKeys: ['passkey:a'] }, 2)
    await users.update(user.id, { identityKeys: ['passkey:b'] }, 3)
    await users.findByIdentity?.('passkey:b')
    await users.delete(user.id, [newPendingMail()])
    const sessions = createKyselySessionStore({ db, userStore: users })
    const session = newSession('s1')
    await sessions.create(session)
    await sessions.find('s1')
    await sessions.withUsers?.find('s1')
    const { lastSeenAt, expiresAt } = session
    await sessions.touch('s1', { lastSeenAt, expiresAt })
    await sessions.change('s1', session, { generation: 1, confirmedAt: new Date() })
    await sessions.listByUser('ada')
    await sessions.deleteByUser('ada', 's1')
    await sessions.deleteByUser('ada')
    await sessions.delete('s1')
    await sessions.deleteExpired(new Date(moment + 5000))
    const bob = await users.create(newUser('bob'), [newPendingMail()])
    const { withUsers } = sessions
    const change = async (version: number, messages: PendingMessage[], then: SessionChanges) =>
      withUsers?.update?.(bob.id, { lastLoginAt: new Date() }, version, messages, then)
    await change(1, [], { create: newSession('s2', { userId: bob.id }) })
    await change(2, [newPendingMail()], {
      create: newSession('s3', { userId: bob.id }),
      deleteOthers: true,
    })
    await change(3, [], {
      change: { id: 's3', from: newSession('s3'), changes: { generation: 1 } },
      deleteOthers: true,
    })
    const { outbox } = users
    if (outbox === undefined) throw new Error('there is no outbox')
    const [now, until] = [new Date(moment + 1_800_000), new Date(moment + 1_860_000)]
    const [taken] = await outbox.claim({ realms: ['accounts'], now, until, limit: 1 })
    const [other, split] = await outbox.claim({ realms: ['accounts', 'staff'], now, until, limit: 5 })
    if (!taken || !other || !split) throw new Error('three messages were due')
    await outbox.renew(taken, until)
    await outbox.remove(taken)
    await outbox.split(split, [newPendingMail()])
    await outbox.count('accounts')
    await outbox.oldestDue?.('accounts')
    await outbox.realms?.()
    await outbox.postpone(other, { dueAt: null, attempts: 1, error: 'refused' })
    await outbox.retry(other.id, now)
    await outbox.discard(other.id)

    const invitations = createKyselyInvitationStore({ db, userStore: users })
    const invitation = newInvitation({ inviterId: 'u-1', emailKey: 'm-1' })
    expect(await invitations.create(invitation)).toBe(false)
    await invitations.create({ ...invitation, emailKey: 'new' }, [newPendingMail()])
    const after = { createdAt: new Date(100), id: 'v-1000' }
    await invitations.find(invitation.id)
    await invitations.listByEmail('m-1')
    for (const target of [undefined, 'accounts'])
      for (const inviterId of [undefined, 'u-1']) {
        await invitations.list({ target, inviterId, limit: 10 })
        await invitations.list({ target, inviterId, limit: 10, after })
      }
    await invitations.update(invitation.id, { sends: 2 }, 1)
    await invitations.delete(invitation.id, 2)
    await invitations.delete(invitation.id)
    await invitations.deleteExpired(new Date(moment + 5000))

    const activity = createKyselyActivity({ db })
    // One row: SQLite scans several as a table of constants.
    await activity.add([newActivityEntry({ userId: 'u-1' })], 5)
    await activity.list('u-1', { limit: 10 })
    await activity.list('u-1', { limit: 10, after: { at: new Date(1900), id: 'a-1900' } })
    await activity.removeAll('u-3')
    await activity.deleteExpired(new Date(5))

    const organizations = createKyselyOrganizationStore({ db, userStore: users })
    const organization = newOrganization({ createdAt: new Date(many) })
    const member = newMembership({ organizationId: organization.id, userId: 'u-1' })
    await organizations.create(organization, [member])
    await organizations.find({ id: 'g-1' })
    await organizations.find({ slug: 'slug-1' })
    await organizations.findFor({ id: 'g-1' }, 'u-1')
    await organizations.findFor({ slug: 'slug-1' }, 'u-1')
    await organizations.list({ limit: 10 })
    await organizations.list({ limit: 10, after: { createdAt: new Date(1900), id: 'g-1900' } })
    await organizations.listMembers('g-1', { limit: 10 })
    await organizations.listMembers('g-1', { limit: 10, after: { since: new Date(1001), userId: 'u-1001' } })
    await organizations.listOfUser('u-1', { limit: 10 })
    const place = { since: new Date(11), organizationId: 'g-11' }
    await organizations.listOfUser('u-1', { limit: 10, after: place })
    await organizations.countOfUser('u-1')
    const { id: organizationId } = organization
    const ofIt = { organizationId, changes: { name: 'Other' }, put: [member], remove: ['u-2'] }
    await organizations.write([{ ...ofIt, expectedVersion: 1 }])
    await organizations.write([{ organizationId, expectedVersion: 2, isDeletion: true }])
    // On PostgreSQL, lookups of one turn share a query. So few of the rows that no full scan would be cheaper.
    const ids = Array.from({ length: 3 }, (_, n) => `id-${n}`)
    await Promise.all(
      ids.flatMap((id, n) => [
        users.findById(id),
        sessions.find(id),
        sessions.withUsers?.find(id),
        organizations.findFor({ id: `g-${n}` }, `u-${n}`),
        organizations.findFor({ slug: `slug-${n}` }, `u-${n}`),
      ]),
    )
    expect(asked.size).toBe(counts[engine] + (name === 'pg' ? 5 : 0))
    for (const query of [...asked.values()]) expect(await planOf(query), query.sql).not.toMatch(forbidden)
    asked.clear()
    // A range of the index, which nobody sorts: a prefix of everybody costs what one of few does.
    for (const prefix of [{ usernameKey: 'x-' }, { usernameKey: 'x-199' }, { emailKey: 'm-' }]) {
      const [first] = await users.list({ limit: 10, prefix })
      await users.list({ limit: 10, prefix, after: first })
    }
    expect(asked.size).toBe(4)
    for (const query of [...asked.values()]) expect(await planOf(query), query.sql).not.toMatch(forbidden)
    const scan = CompiledQuery.raw(`select * from accounts_users as u where password_hash = 'y'`)
    expect(await planOf(scan)).toMatch(wholeTable[engine])
    const bare = CompiledQuery.raw(`select * from accounts_users where password_hash = 'y'`)
    expect(await planOf(bare)).toMatch(forbidden)
    await db.destroy()
    await database.drop()
  })

  test.each([
    ['their text', {}],
    ['UUIDs as well', { sessions: { user_id: { as: 'uuid' } } }],
  ] as const)(
    'columns of other types are found by their indexes, also joined with sessions whose user ids are %s',
    async (_, others) => {
      const naming: Naming = {
        columns: {
          users: {
            id: { as: 'uuid' },
            is_verified: { as: 'boolean' },
            is_staff: { as: 'boolean' },
            is_active: { name: 'blocked', as: 'not boolean' },
            created_at: { as: 'timestamptz' },
          },
          identities: { user_id: { as: 'uuid' } },
          ...others,
        },
      }
      const database = await makeDatabase(name)
      const asked = new Map<string, CompiledQuery>()
      const db = new Kysely<unknown>({
        dialect: await dialectFor(database.place, 1),
        log: ({ query }) => void (besides.test(query.sql) || asked.set(query.sql, query)),
      })
      await migrate(db, naming)
      const users = createKyselyUserStore({ db, ...naming })
      const sessions = createKyselySessionStore({ db, ...naming, userStore: users })
      const named = Array.from({ length: many }, (_, n) =>
        newUser(`u${n}`, {
          createdAt: new Date(1e12 + n * 1000),
          isStaff: false,
          isVerified: false,
          identityKeys: [`i:${n}`],
        }),
      )
      await users.createMany?.(named)
      const [user] = await users.list({ limit: 1 })
      if (user === undefined) throw new Error('no user was created')
      const table = sql.table('accounts_sessions')
      const forUuid = sql.raw('sessions' in others && engine === 'postgres' ? '::uuid' : '')
      for (let from = 0; from < many; from += 100) {
        const rows = Array.from({ length: 100 }, (_, n) => from + n)
        await sql`insert into ${table} (id, user_id, epoch, created_at, last_seen_at, expires_at, methods)
          values ${sql.join(rows.map((n) => sql`(${`s-${n}`}, ${n === 0 ? user.id : randomUUID()}${forUuid}, 0, ${n}, ${n}, ${Date.now() + 3_600_000}, '[]')`))}`.execute(
          db,
        )
      }
      const tables = 'accounts_users, accounts_identities, accounts_sessions'
      await db.executeQuery(CompiledQuery.raw(engine === 'mysql' ? `analyze table ${tables}` : 'analyze'))
      asked.clear()
      await users.findById(user.id)
      expect((await sessions.withUsers?.find('s-0'))?.user?.id).toBe(user.id)
      await sessions.listByUser(user.id)
      await sessions.deleteByUser(user.id, 's-0')
      for (const where of [{ isActive: false }, { isStaff: true }, { isVerified: true }]) {
        await users.list({ limit: 10, where, order: { by: 'createdAt', descending: true } })
        await users.list({ limit: 10, where, order: { by: 'createdAt', descending: true }, after: user })
      }
      await users.update(user.id, { isStaff: true }, 1)
      await users.delete(user.id)
      expect(asked.size).toBeGreaterThan(9)
      for (const { sql: text, parameters } of [...asked.values()]) {
        const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]))
        expect(JSON.stringify(rows).replaceAll('\\"', '"'), text).not.toMatch(fullScan[engine])
      }
      await db.destroy()
      await database.drop()
    },
  )
})

test.each([
  ['with default names', {}],
  ['with other names', otherNames],
])('a query is compiled once, however often it runs: columns %s', async (_, naming) => {
  const compiled = new Set<object>()
  const db = new Kysely<unknown>({
    dialect: await dialectFor({ driver: 'libsql', url: ':memory:' }),
    log: ({ query }) => void (besides.test(query.sql) || compiled.add(query.query)),
  })
  await migrate(db, naming)
  compiled.clear()
  const users = createKyselyUserStore({ db, ...naming })
  const { id } = await users.create(newUser('ada'))
  for (let version = 1; version <= 5; version++) {
    await users.findById(id)
    await users.update(id, { isStaff: true, isActive: version % 2 === 0 }, version)
  }
  // An INSERT, a SELECT and an UPDATE.
  expect(compiled.size).toBe(3)
  await db.destroy()
})
