import { makeProject, runCli, runModule, runProcess } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'

const open = `
import { createKyselyInvitationStore, createKyselySessionStore, createKyselyUserStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
export const db = openSqlite(new Database('accounts.db'))
export const userStore = createKyselyUserStore({ db })
export const sessionStore = createKyselySessionStore({ db })
export const invitationStore = createKyselyInvitationStore({ db })
export const migrate = () => migrateTables(db)
`

/** Users as [name, days since sign-up, days since the last login, other properties, in how many days their invitation expires]. */
const fill = `
import { db, invitationStore, migrate, userStore, sessionStore } from './open.mjs'
await migrate()
const ago = (days) => days === null ? null : new Date(Date.now() - days * 86400000)
for (const [name, created, login, more, invited] of JSON.parse(process.argv[2])) {
  const user = await userStore.create({
    username: name, usernameKey: name, email: name + '@example.org', emailKey: name + '@example.org', passwordHash: '!',
    kind: 'person', origin: 'self', roles: [], isVerified: false, isStaff: false, isActive: true,
    createdAt: ago(created), lastLoginAt: ago(login), emailChangedAt: null,
    sessionEpoch: 0, resetEpoch: 0, verifyEpoch: 0, fields: {}, factors: [], credentials: [], identityKeys: [], notes: {}, ...more,
  })
  if (invited !== undefined) await invitationStore.create({
    id: name, target: 'organization', inviterId: 'staff', email: user.email, emailKey: user.emailKey, gives: {},
    createdAt: ago(40), expiresAt: ago(-invited), sends: 1, acceptingUntil: null,
  })
  const now = new Date()
  await sessionStore.create({
    id: name, userId: user.id, epoch: 0, createdAt: now, lastSeenAt: now, expiresAt: ago(-1), details: null, methods: [], confirmedAt: null,
    kind: 'cookie', name: null, generation: 0, seenGeneration: 0, baseGeneration: 0, nextBase: null, settlesAt: null,
    confirmation: 0, priorConfirmedAt: null,
  })
}
await db.destroy()
`

const look = `
import { db } from './open.mjs'
const users = await db.selectFrom('accounts_users').selectAll().orderBy('username').execute()
const sessions = await db.selectFrom('accounts_sessions').selectAll().execute()
console.log(JSON.stringify({ users: users.map((user) => user.username), disabled: users.filter((user) => !user.is_active).map((user) => user.username), sessions: sessions.length }))
await db.destroy()
`

/** An options module whose store has one method replaced. */
const config = (hook: string) => `
import { db, userStore as store } from './open.mjs'
export const options = { userStore: { ...store, ${hook} } }
export const close = () => db.destroy()
`

type Row = [name: string, created: number, login: number | null, more?: object, invited?: number]

async function project(rows: Row[], files: Record<string, string> = {}) {
  const folder = makeProject({ 'open.mjs': open, 'fill.mjs': fill, 'look.mjs': look, ...files })
  expect(await runModule(folder, ['fill.mjs', JSON.stringify(rows)])).toMatchObject({ code: 0, stderr: '' })
  return {
    async remove(...args: string[]) {
      const env = { DATABASE_URL: 'file:accounts.db' }
      const { code, stdout } = await runCli(folder, ['delete-unverified', ...args, '--json'], { env })
      return { code, ...JSON.parse(stdout) }
    },
    async look() {
      return JSON.parse((await runModule(folder, ['look.mjs'])).stdout)
    },
    folder,
  }
}

test('counts users who never verified their address, and deletes them with --yes', async () => {
  const { remove, look, folder } = await project([
    ['anna', 40, null],
    ['ben', 40, 35],
    ['cora', 40, 10],
    ['dan', 10, null],
    ['eve', 40, null, { isVerified: true }],
    ['fay', 40, null, { isStaff: true }],
    ['fred', 40, null, { roles: ['support'] }],
    ['gus', 40, null, { email: null, emailKey: null }],
    ['hal', 40, null, { isActive: false }],
    ['ida', 10, 40],
    ['ivo', 40, null, {}, -1],
    ['ivy', 40, null, {}, 1],
  ])
  const env = { DATABASE_URL: 'file:accounts.db' }
  const before = await look()
  const said = await runProcess(folder, ['delete-unverified', '--older-than', '30'], { env })
  expect(said).toEqual({ code: 0, stdout: 'unverified: 4; --yes deletes them\n', stderr: '' })
  expect(await remove('--older-than', '41')).toEqual({ code: 0, unverified: 0 })
  expect(await look()).toEqual(before)

  expect(await remove('--older-than', '30', '--yes')).toEqual({ code: 0, deleted: 4, kept: 0 })
  expect(await look()).toEqual({
    users: ['cora', 'dan', 'eve', 'fay', 'fred', 'gus', 'ida', 'ivy'],
    disabled: [],
    // With DATABASE_URL, their sessions are deleted as well.
    sessions: 8,
  })
  expect(await remove('--older-than', '30', '--yes')).toEqual({ code: 0, deleted: 0, kept: 0 })
})

test('deletes what is left of replaced accounts, but no user without an address whom the app has disabled', async () => {
  const none = { email: null, emailKey: null, isActive: false }
  const rest = { ...none, notes: { replaced: true }, passwordHash: 'a hash', roles: ['editor'] }
  const { remove, look } = await project([
    ['user-00112233445566778899', 40, 35, rest],
    ['user-aabbccddeeff00112233', 40, 10, rest],
    ['service', 400, null, none],
    ['user-banned', 40, null, { ...none, passwordHash: 'a hash' }],
    ['given-an-address', 40, null, { ...rest, email: 'a@b.example', emailKey: 'a@b.example' }],
  ])
  expect(await remove('--older-than', '30', '--yes')).toEqual({ code: 0, deleted: 1, kept: 0 })
  expect((await look()).users).toEqual([
    'given-an-address',
    'service',
    'user-aabbccddeeff00112233',
    'user-banned',
  ])
})

test('deletes sign-ups with an address that another account has, by age, and no service', async () => {
  const unclaimed = { kind: 'unclaimed', email: null, emailKey: null, passwordHash: 'a hash' }
  const { remove, look } = await project([
    ['old', 40, null, unclaimed],
    ['old-with-passkey', 40, null, { ...unclaimed, identityKeys: ['passkey:1'] }],
    ['recent', 10, null, unclaimed],
    ['robot', 400, null, { kind: 'service' }],
  ])
  expect(await remove('--older-than', '30')).toEqual({ code: 0, unverified: 2 })
  expect(await remove('--older-than', '30', '--yes')).toEqual({ code: 0, deleted: 2, kept: 0 })
  expect((await look()).users).toEqual(['recent', 'robot'])
})

/** An app whose organizations are in memory: the first user owns one with the others. */
const withOrganization = (users: readonly string[]) => `
import { createMemoryOrganizationStore, organizations } from '@fastify-accounts/organizations'
import { invitations } from 'fastify-accounts'
import { db, invitationStore, userStore } from './open.mjs'
const store = createMemoryOrganizationStore()
const id = 'org_0123456789012345678901'
const createdAt = new Date()
const memberships = []
for (const name of ${JSON.stringify(users)}) {
  const user = await userStore.findByUsername(name)
  if (user) memberships.push({ organizationId: id, userId: user.id, roles: [memberships.length ? 'member' : 'owner'], since: createdAt, invitationId: null })
}
await store.create({ id, slug: 'acme', name: 'Acme', fields: {}, createdAt, members: memberships.length, owners: 1 }, memberships)
export const options = { userStore, invitationStore, users: true, features: [invitations(), organizations({ store })] }
export const close = async () => {
  console.error(JSON.stringify(await store.find({ id })))
  await db.destroy()
}
`

test('deletes the memberships of users, and leaves a last owner as they were', async () => {
  const { folder, look } = await project(
    [
      ['anna', 40, null],
      ['ben', 40, 35],
      ['cora', 10, null],
      ['dan', 40, null],
    ],
    { 'accounts.config.mjs': withOrganization(['anna', 'ben', 'cora']) },
  )
  const args = ['delete-unverified', '--older-than', '30', '--yes', '--json']
  const { code, stdout, stderr } = await runCli(folder, args)
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, deleted: 2, kept: 1 })
  expect(await look()).toMatchObject({ users: ['anna', 'cora'], disabled: [] })
  expect(JSON.parse(stderr)).toMatchObject({ slug: 'acme', members: 2, owners: 1 })
})

test('processes every page', async () => {
  const rows = Array.from(
    { length: 450 },
    (_, n): Row => [`user-${n}`, 40, null, { isVerified: n % 3 === 0 }],
  )
  const { remove, look } = await project(rows)
  expect(await remove('--older-than', '30')).toEqual({ code: 0, unverified: 300 })
  expect(await remove('--older-than', '30', '--yes')).toEqual({ code: 0, deleted: 300, kept: 0 })
  expect((await look()).users).toHaveLength(150)
})

test('keeps users who verify their address or log in after being found', async () => {
  const meanwhile = `async list(page) {
    const users = await store.list(page)
    for (const { id, username, version } of users) {
      if (username === 'anna') await store.update(id, { isVerified: true }, version)
      if (username === 'ben') await store.update(id, { lastLoginAt: new Date() }, version)
    }
    return users
  }`
  const { remove, look } = await project(
    [
      ['anna', 40, null],
      ['ben', 40, null],
      ['cora', 40, null],
    ],
    { 'accounts.config.mjs': config(meanwhile) },
  )
  expect(await remove('--older-than', '30', '--yes')).toEqual({ code: 0, deleted: 1, kept: 2 })
  expect(await look()).toMatchObject({ users: ['anna', 'ben'], disabled: [] })
})

test('leaves a user it failed to delete disabled and without valid links, and deletes them next time', async () => {
  const broken = `async delete(id) {
    const { isActive, sessionEpoch, resetEpoch, verifyEpoch } = await store.findById(id)
    throw new Error(JSON.stringify([isActive, sessionEpoch, resetEpoch, verifyEpoch]))
  }`
  const { remove, look } = await project([['anna', 40, null]], { 'broken.mjs': config(broken) })
  const failed = await remove('--older-than', '30', '--yes', '--config', 'broken.mjs')
  expect(failed).toEqual({ code: 1, error: '[false,1,1,1]' })
  expect(await look()).toMatchObject({ users: ['anna'], disabled: ['anna'] })
  expect(await remove('--older-than', '30', '--yes')).toEqual({ code: 0, deleted: 1, kept: 0 })
})

test.each([
  [[]],
  [['--yes']],
  [['--older-than', '0']],
  [['--older-than', '30d']],
  [['--older-than', '9'.repeat(12)]],
  [['30']],
])('delete-unverified %j is wrong usage', async (args) => {
  const { code, stdout, stderr } = await runCli(makeProject(), ['delete-unverified', ...args])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^.+\n$/)
})
