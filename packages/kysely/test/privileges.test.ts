import { randomBytes } from 'node:crypto'
import {
  createKyselyActivity,
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import {
  connect,
  driversHere,
  makeDatabase,
  type Place,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { setScene } from '@fastify-accounts/test-support/faults/scene'
import { startService } from '@fastify-accounts/test-support/faults/service'
import { newActivityEntry, newInvitation } from '@fastify-accounts/testing'
import { newMembership, newOrganization } from '@fastify-accounts/testing/organizations'
import { createMemoryThrottleStore, type PendingMail, UnavailableError } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newSession, newUser } from './support/users.js'

const drivers = await driversHere(['pg', 'mysql2'])
// A file without tests would fail.
if (drivers.length === 0) test.todo('needs a server: PostgreSQL or MariaDB')

const tables = [
  'accounts_users',
  'accounts_identities',
  'accounts_sessions',
  'accounts_invitations',
  'accounts_activity',
  'accounts_organizations',
  'accounts_organization_members',
  'accounts_outbox',
]
const privileges = ['select', 'insert', 'update', 'delete']
/** Identities and activity are inserted or deleted, never updated. */
const neverUpdated = ['accounts_identities', 'accounts_activity']
const privilegesOn = (table: string) =>
  privileges.filter((each) => !neverUpdated.includes(table) || each !== 'update')

const mail: PendingMail = {
  realm: 'accounts',
  kind: 'password-changed',
  userId: 'ada',
  emailKey: null,
  to: null,
  language: 'en',
  state: null,
  variant: null,
  device: null,
  isProven: true,
  heldUntil: null,
  codeSeed: null,
  isFromOwnBrowser: false,
}

/** Runs each kind of statement on each table once. */
async function touchAll(db: Kysely<unknown>): Promise<void> {
  const users = createKyselyUserStore({ db })
  const sessions = createKyselySessionStore({ db, userStore: users })
  const name = `ada-${randomBytes(6).toString('hex')}`
  const { id } = await users.create(newUser(name, { identityKeys: [name] }), [mail])
  await users.update(id, { resetEpoch: 1, identityKeys: [`${name}-2`] }, 1, [mail])
  await users.findByIdentity?.(name)
  await users.delete(id)
  const session = newSession(name)
  await sessions.create(session)
  await sessions.touch(name, session)
  await sessions.delete(name)
  const invitations = createKyselyInvitationStore({ db })
  const invitation = newInvitation()
  await invitations.create(invitation)
  await invitations.update(invitation.id, { sends: 2 }, 1)
  await invitations.delete(invitation.id)
  const activity = createKyselyActivity({ db })
  const entry = newActivityEntry({ userId: name })
  await activity.add([entry, newActivityEntry({ userId: name })], 1)
  await activity.add([entry], 1)
  await activity.removeAll(name)
  const organizations = createKyselyOrganizationStore({ db })
  const organization = newOrganization()
  const { id: organizationId } = organization
  await organizations.create(organization, [newMembership({ organizationId, userId: name })])
  const put = [newMembership({ organizationId, userId: name })]
  await organizations.write([{ organizationId, expectedVersion: 1, put }])
  await organizations.findFor({ id: organizationId }, name)
  await organizations.write([{ organizationId, expectedVersion: 2, isDeletion: true }])
  const now = new Date()
  const until = new Date(Date.now() + 60_000)
  for (const entry of (await users.outbox?.claim({ realms: [mail.realm], now, until, limit: 10 })) ?? []) {
    await users.outbox?.remove(entry)
  }
}

// The privileges that docs/adapters/kysely.md tells an operator to grant.
describe.each(drivers)(
  'a database user with only the privileges the service needs, on $title',
  ({ name, engine }) => {
    let database: TestDatabase
    let owner: Kysely<unknown>
    let db: Kysely<unknown>
    let role: string
    beforeEach(async () => {
      database = await makeDatabase(name)
      owner = await connect(database.place, 1)
      role = `accounts_role_${randomBytes(6).toString('hex')}`
      const password = randomBytes(12).toString('hex')
      if (engine === 'mysql') await run(`create user ${role}@'%' identified by '${password}'`)
      else await run(`create role ${role} login password '${password}'`)
      const url = new URL(database.place.url)
      Object.assign(url, { username: role, password })
      const place: Place = { driver: name, url: url.href }
      await migrate(owner)
      for (const table of tables) await grant(privilegesOn(table).join(', '), table)
      db = await connect(place, 3)
    })
    afterEach(async () => {
      await db.destroy()
      if (engine === 'postgres') await run(`drop owned by ${role}`)
      await run(engine === 'mysql' ? `drop user ${role}@'%'` : `drop role ${role}`)
      await owner.destroy()
      await database.drop()
    })

    const run = (text: string) => sql.raw(text).execute(owner)
    const whom = () => (engine === 'mysql' ? `${role}@'%'` : role)
    const grant = (what: string, table: string) => run(`grant ${what} on ${table} to ${whom()}`)
    const revoke = (what: string, table: string) => run(`revoke ${what} on ${table} from ${whom()}`)

    /** Every privilege the service needs on its tables. */
    async function story() {
      const users = createKyselyUserStore({ db })
      const sessions = createKyselySessionStore({ db, userStore: users })
      const service = await startService({ users, sessions, throttle: createMemoryThrottleStore() })
      try {
        const { send, cookie, fresh, logIn, whoIs, askForLink, email } = await setScene(service)
        const post = (url: string, payload: object) =>
          send({ method: 'POST', url, headers: { cookie }, payload })
        const pair = { new_password: otherPassword, confirm_password: otherPassword }
        const responses = [
          await post('/user/', { ...fresh, password: goodPassword, confirm_password: goodPassword }),
          await logIn(goodPassword, fresh.username),
          await send({ url: '/user/', headers: { cookie } }),
          await send({
            method: 'PATCH',
            url: '/me/',
            headers: { cookie },
            payload: { username: `${fresh.username}x` },
          }),
          await post('/change-password/', { old_password: goodPassword, ...pair }),
        ]
        for (const { statusCode } of responses) expect(statusCode).toBeLessThan(300)
        expect(await whoIs(cookie)).toBeNull()
        // By an email waiting in the outbox.
        const link = await askForLink('/forgot/', 'reset-password', email)
        const reset = { new_password: goodPassword, confirm_password: goodPassword }
        expect((await send({ method: 'POST', url: link, payload: reset })).statusCode).toBeLessThan(300)
        const again = await logIn(goodPassword, `${fresh.username}x`)
        const own = again.cookies.map((each) => `${each.name}=${each.value}`).join('; ')
        expect((await send({ method: 'POST', url: '/logout/', headers: { cookie: own } })).statusCode).toBe(
          204,
        )
        expect(await sessions.deleteExpired(new Date())).toBe(0)
        const outbox = users.outbox
        await vi.waitFor(async () => expect(await outbox?.count()).toEqual({ waiting: 0, dead: 0 }), 60_000)
      } finally {
        await service.app.close()
      }
    }

    test('is enough for the whole life of an account', story)

    test('needs each of these privileges, and the stores report a missing one', async () => {
      await touchAll(db)
      const stores = [
        createKyselyUserStore({ db }),
        createKyselySessionStore({ db }),
        createKyselyInvitationStore({ db }),
        createKyselyActivity({ db }),
        createKyselyOrganizationStore({ db }),
      ]
      const inspect = async () => (await Promise.all(stores.map((store) => store.inspect?.()))).flat()
      expect(await inspect()).toEqual([])
      const found: string[] = []
      for (const table of tables) {
        for (const privilege of privilegesOn(table)) {
          await revoke(privilege, table)
          const refused = await touchAll(db).catch((error: unknown) => error)
          if (refused instanceof UnavailableError) found.push(`${privilege} on ${table}`)
          expect(await inspect()).toEqual([
            `the database user lacks the privilege ${privilege} on ${table}: grant it`,
          ])
          await grant(privilege, table)
        }
      }
      expect(found).toEqual(
        tables.flatMap((table) => privilegesOn(table).map((each) => `${each} on ${table}`)),
      )
    })

    test("has nothing to migrate if it can read the completed migrations but can't create tables", async () => {
      await grant('select', 'accounts_migrations')
      expect(await migrate(db)).toEqual([])
      for (const table of [...tables, 'accounts_migrations', 'accounts_migrations_lock'])
        await run(`drop table ${table}`)
      expect(await migrate(db).catch((error: unknown) => error)).toBeInstanceOf(UnavailableError)
    })
  },
)
