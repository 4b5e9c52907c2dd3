import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeProject, run, runCli, runModule, runProcess } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'

const env = { DATABASE_URL: 'file:accounts.db' }

/** Adds one waiting mail and the given number of dead letters. */
const fill = `
import { createKyselyUserStore, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
const { outbox } = createKyselyUserStore({ db })
const mail = { realm: 'accounts', kind: 'verify-email', userId: 'ada', emailKey: null, language: 'en', state: null, variant: 'user', device: null }
for (let n = 0; n < Number(process.argv[2]); n += 1) await outbox.add([{ ...mail, to: 'user-' + n + '@example.org' }])
const now = new Date()
for (const entry of await outbox.claim({ realms: ['accounts'], now, until: now, limit: 1000 })) {
  await outbox.postpone(entry, { dueAt: null, attempts: 40, error: '550 no such \\u001b[31mmailbox' })
}
await outbox.add([{ ...mail, to: 'waiting@example.org' }])
await db.destroy()
`

async function project(dead: number): Promise<string> {
  const folder = makeProject({ 'fill.mjs': fill })
  expect(await runCli(folder, ['migrate'], { env })).toMatchObject({ code: 0 })
  expect(await runModule(folder, ['fill.mjs', String(dead)])).toMatchObject({ code: 0, stderr: '' })
  return folder
}

test('lists dead letters, as text and as JSON', async () => {
  const folder = await project(3)
  const { code, stdout } = await runProcess(folder, ['outbox'], { env })
  expect(code).toBe(0)
  const [waiting, dead, ...letters] = stdout.trim().split('\n')
  expect([waiting, dead, letters.length]).toEqual(['waiting: 1', 'abandoned: 3', 3])
  expect(letters[0]).toMatch(
    /^\S{36} {2}\S+Z {2}verify-email {2}user-0@example\.org {2}40 attempts: 550 no such /,
  )
  // Escape codes from a mail server never reach the terminal.
  expect(stdout).not.toContain('\u001b')
  const json = await runCli(folder, ['outbox', '--json', '--limit', '2'], { env })
  const data = JSON.parse(json.stdout)
  expect(data).toMatchObject({
    waiting: 1,
    dead: 3,
    letters: [{ to: 'user-0@example.org', attempts: 40 }, {}],
  })
  expect((await runCli(folder, ['outbox', '--limit', '2'], { env })).stdout).toContain('and 1 more')
  const doctor = await runCli(folder, ['doctor'], { env })
  expect(doctor.stdout).toContain('warning outbox: 3 emails and events were abandoned')
})

const shifted = `
import { createKyselyUserStore, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
const store = createKyselyUserStore({ db })
export const options = {
  secret: 'a test needs no better secret than this one',
  baseUrl: 'https://example.org',
  userStore: { ...store, now: async () => new Date(Date.now() + Number(process.env.AHEAD)) },
}
export const close = () => db.destroy()
`

test('doctor warns about emails that nobody delivers, and about a wrong clock', async () => {
  const folder = await project(0)
  await writeFile(join(folder, 'accounts.config.mjs'), shifted)
  const doctor = async (AHEAD: string) => (await runCli(folder, ['doctor'], { env: { AHEAD } })).stdout
  const fine = await doctor('0')
  expect(fine).toContain('ok      outbox: responds; 1 waiting')
  expect(fine).toContain("ok      clock: agrees with the database's")
  const late = await doctor('180000')
  expect(late).toContain('warning outbox: an email or event has been due for 3 minutes: does a process')
  expect(late).toContain("warning clock: the clock of this process is 180 s behind the database's: codes of")
  expect(await doctor('-6000')).toContain(
    "warning clock: the clock of this process is 6 s ahead of the database's",
  )
})

test('retries and deletes one or all dead letters, and fails for an unknown id', async () => {
  const folder = await project(4)
  const outbox = async (...args: string[]) => {
    const { code, stdout } = await runCli(folder, ['outbox', ...args, '--json'], { env })
    return { code, ...JSON.parse(stdout) }
  }
  const { letters } = await outbox()
  const [first, second] = letters.map(({ id }: { id: string }) => id)
  expect(await outbox('retry', first)).toEqual({ code: 0, retried: 1 })
  expect(await outbox('retry', first)).toEqual({ code: 1, error: `there is no dead letter ${first}` })
  expect(await outbox('delete', second)).toEqual({ code: 0, deleted: 1 })
  expect(await outbox()).toMatchObject({ code: 0, waiting: 2, dead: 2 })
  expect(await outbox('retry', '--all')).toEqual({ code: 0, retried: 2 })
  expect(await outbox('delete', '--all')).toEqual({ code: 0, deleted: 0 })
  expect(await outbox()).toEqual({ code: 0, waiting: 4, dead: 0, subscribers: [], letters: [] })
})

test('deletes dead letters older than --older-than days', async () => {
  const age = `
import Database from 'libsql'
const db = new Database('accounts.db')
const posted = Date.now() - 40 * 86400000
db.exec("update accounts_outbox set posted_at = " + posted + " where mail like '%user-1@%' or mail like '%waiting@%'")
`
  const folder = await project(3)
  expect(await run(folder, ['--input-type=module', '--eval', age])).toMatchObject({ code: 0, stderr: '' })
  const outbox = async (...args: string[]) =>
    JSON.parse((await runCli(folder, ['outbox', ...args, '--json'], { env })).stdout)
  expect(await outbox('delete', '--older-than', '41')).toEqual({ deleted: 0 })
  expect(await outbox('delete', '--older-than', '39')).toEqual({ deleted: 1 })
  const { letters, ...counts } = await outbox()
  expect(counts).toEqual({ waiting: 1, dead: 2, subscribers: [] })
  expect(letters.map(({ to }: { to: string }) => to)).toEqual(['user-0@example.org', 'user-2@example.org'])
})

test('lists an unreadable dead letter', async () => {
  const spoil = `
import Database from 'libsql'
new Database('accounts.db').exec("update accounts_outbox set mail = '{' where due_at is null")
`
  const folder = await project(1)
  expect(await run(folder, ['--input-type=module', '--eval', spoil])).toMatchObject({ code: 0, stderr: '' })
  const { stdout } = await runCli(folder, ['outbox'], { env })
  expect(stdout).toMatch(
    /^waiting: 1\nabandoned: 1\n\S{36} {2}\S+Z {2}unreadable {2}40 attempts: 550 no such /,
  )
  const json = await runCli(folder, ['outbox', '--json'], { env })
  expect(JSON.parse(json.stdout).letters).toMatchObject([
    { kind: null, userId: null, to: null, attempts: 40 },
  ])
})

test('says whom an email of the app was for', async () => {
  const own = `
import { createKyselyUserStore, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
const { outbox } = createKyselyUserStore({ db })
await outbox.add([{ realm: 'accounts:mails', kind: 'welcome', userId: 'ada', emailKey: null, to: null, data: { plan: 'free' } }])
const now = new Date()
for (const entry of await outbox.claim({ realms: ['accounts:mails'], now, until: now, limit: 1 }))
  await outbox.postpone(entry, { dueAt: null, attempts: 40, error: 'no template' })
await db.destroy()
`
  const folder = await project(0)
  expect(await run(folder, ['--input-type=module', '--eval', own])).toMatchObject({ code: 0, stderr: '' })
  const { stdout } = await runCli(folder, ['outbox'], { env })
  expect(stdout).toMatch(/ {2}welcome {2}to user ada {2}40 attempts: no template$/m)
  const json = JSON.parse((await runCli(folder, ['outbox', '--json'], { env })).stdout)
  expect(json.letters).toMatchObject([{ kind: 'welcome', userId: 'ada', to: null }])
})

test('other commands leave mails in the outbox', async () => {
  const folder = await project(0)
  const args = ['create-user', '--username', 'ada', '--email', 'ada@example.org']
  expect(await runCli(folder, args, { env, input: 'seven green lanterns\n' })).toMatchObject({ code: 0 })
  expect(await runCli(folder, ['outbox'], { env })).toMatchObject({ stdout: 'waiting: 1\nabandoned: 0\n' })
})

test.each([
  [['retry']],
  [['delete']],
  [['retry', 'an-id', '--all']],
  [['--all']],
  [['send', 'an-id']],
  [['retry', 'an-id', 'another']],
  [['--limit', '0']],
  [['delete', '--older-than', 'a month']],
  [['delete', '--older-than', '-1']],
  [['delete', '--older-than', '']],
  [['delete', 'an-id', '--older-than', '30']],
  [['delete', '--all', '--older-than', '30']],
  [['retry', '--older-than', '30']],
  [['--older-than', '30']],
])('outbox %j is wrong usage', async (args) => {
  const { code, stderr } = await runCli(makeProject(), ['outbox', ...args], { env })
  expect(code).toBe(2)
  expect(stderr).toMatch(/^.+\n$/)
})

const events = `
import { createKyselyUserStore, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
const { outbox } = createKyselyUserStore({ db })
const event = { id: 'e1', type: 'user.created', at: new Date().toISOString(), realm: 'accounts', user: { id: 'ada', version: 1 }, actor: { kind: 'command' }, data: { origin: 'self' } }
const to = (name) => ({ realm: 'accounts:to:' + name, userId: 'ada', events: [event], to: [name] })
await outbox.add([to('crm'), to('crm'), to('search'), { ...to('mail'), realm: 'accounts', kind: 'x', events: undefined }])
const now = new Date()
const [first, second] = await outbox.claim({ realms: ['accounts:to:crm'], now, until: now, limit: 2 })
await outbox.postpone(first, { dueAt: null, attempts: 40, error: 'the CRM is down' })
await outbox.postpone(second, { dueAt: new Date(Date.now() + 3600000), attempts: 4, error: 'the CRM is down' })
await db.destroy()
`
const withCrm = `
import { createKyselyUserStore, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
export const options = {
  secret: 'a test needs no better secret than this one',
  baseUrl: 'https://example.org',
  userStore: createKyselyUserStore({ db }),
  on: { search: { '*': () => {} } },
}
export const close = () => db.destroy()
`

test('lists events with their subscriber, and deletes what waits for one that was removed', async () => {
  const folder = makeProject({ 'events.mjs': events })
  expect(await runCli(folder, ['migrate'], { env })).toMatchObject({ code: 0 })
  expect(await runModule(folder, ['events.mjs'])).toMatchObject({ code: 0, stderr: '' })
  await writeFile(join(folder, 'accounts.config.mjs'), withCrm)
  const { stdout } = await runCli(folder, ['outbox'])
  const lines = stdout.trim().split('\n')
  expect(lines.slice(0, 4)).toEqual([
    'waiting: 3',
    'waiting for the subscriber crm: 1',
    'waiting for the subscriber search: 1',
    'abandoned: 1',
  ])
  expect(lines[4]).toMatch(/ {2}user\.created {2}to crm about user ada {2}40 attempts: the CRM is down$/)
  const json = JSON.parse((await runCli(folder, ['outbox', '--json'])).stdout)
  expect(json).toMatchObject({
    subscribers: [{ realm: 'accounts:to:crm', subscriber: 'crm', waiting: 1 }, { subscriber: 'search' }],
    letters: [{ events: ['user.created'], to: ['crm'], userId: 'ada' }],
  })
  expect((await runCli(folder, ['doctor'])).stdout).toContain(
    "warning outbox: 1 message waits for the subscriber crm, which these options don't have",
  )
  const own = await runCli(folder, ['outbox', 'delete', '--subscriber', 'search'])
  expect([own.code, own.stderr]).toEqual([1, expect.stringContaining('remove it first')])
  expect((await runCli(folder, ['outbox', 'retry', '--subscriber', 'crm'])).code).toBe(2)
  expect((await runCli(folder, ['outbox', 'delete', '--subscriber', 'crm'])).stdout).toBe('deleted: 2\n')
  expect((await runCli(folder, ['outbox'])).stdout.trim().split('\n')).toEqual([
    'waiting: 2',
    'waiting for the subscriber search: 1',
    'abandoned: 0',
  ])
  expect((await runCli(folder, ['doctor'])).stdout).not.toContain('the subscriber crm')
})
