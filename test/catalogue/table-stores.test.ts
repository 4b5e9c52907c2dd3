import { cookieOf, goodPassword, otherPassword, whoIs } from '@fastify-accounts/test-support/app'
import { runSql, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { makeTables, openSql, storesOn } from '@fastify-accounts/test-support/tables/open-tables'
import { type Sql, sqlTables, type Tables } from '@fastify-accounts/test-support/tables/sql-tables'
import type { Alongside } from 'fastify-accounts'
import { afterEach, expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { choice, passwordsThatWork } from './passwords.js'
import type { Scene, Service } from './service.js'

const on = ['SQLite', 'PostgreSQL', 'MariaDB'] as const
const where = { on, because: 'an author’s tables need a database' }

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A database of the ground's kind, with an author's tables. */
async function tablesLike({ place }: Scene): Promise<TestDatabase> {
  if (place === undefined) throw new Error('this ground has no database')
  const database = await makeTables(place.driver)
  opened.push(() => database.drop())
  return database
}

type Author = (right: Tables, sql: Sql) => Partial<Tables>

/** An app on them, with functions of the author replaced. */
async function startOn(
  { start }: Scene,
  { place }: TestDatabase,
  author: Author = () => ({}),
  options: Parameters<Scene['start']>[0] = {},
): Promise<Service> {
  const sql = await openSql(place)
  opened.push(() => sql.close())
  const right = sqlTables(sql)
  const { users: userStore, sessions: sessionStore } = storesOn({ ...right, ...author(right, sql) })
  return start({ ...options, users: { list: true }, userStore, sessionStore })
}

const body = (username: string, email?: string) => ({
  username,
  password: goodPassword,
  confirm_password: goodPassword,
  ...(email && { email }),
})
const logIn = async (service: Service, username = 'alice') =>
  cookieOf(await service.send('POST', '/login/', { username, password: goodPassword }))
const statusOf = async (response: Promise<{ statusCode: number }>) => (await response).statusCode

cases('Table stores', ({ storage }) => {
  storage(
    'TBL-01',
    {
      tried: 'five sign-ups for one name at once, in two processes’ connections',
      expected: 'one account; the others are told that the name is taken',
      ...where,
    },
    async (scene) => {
      const database = await tablesLike(scene)
      const first = await startOn(scene, database)
      // A second writer of SQLite in one process would wait for the first.
      const second = database.place.driver === 'libsql' ? first : await startOn(scene, database)
      const statuses = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          statusOf((n % 2 ? first : second).send('POST', '/user/', body('alice'))),
        ),
      )
      expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 4 }, () => 409)])
      const rows = await runSql(database.place, 'SELECT count(*) AS count FROM users')
      expect(Number(rows[0]?.count)).toBe(1)
    },
  )

  storage(
    'TBL-02',
    {
      tried: 'using a reset link ten times at once',
      expected: 'it works once',
      ...where,
    },
    async (scene) => {
      const service = await startOn(scene, await tablesLike(scene))
      await service.send('POST', '/user/', body('alice', 'alice@example.org'))
      const link = await resetLink(service, 'alice@example.org')
      const passwords = Array.from({ length: 10 }, (_, n) => `${otherPassword} ${n}`)
      const statuses = await Promise.all(
        passwords.map((password) => statusOf(service.send('POST', link, choice(password)))),
      )
      expect(statuses.filter((status) => status < 300)).toHaveLength(1)
      expect(await passwordsThatWork(service, passwords, 'alice@example.org')).toHaveLength(1)
    },
  )

  storage(
    'TBL-03',
    {
      tried: 'a new password, while the database can’t end the other sessions',
      expected: '503; the old password and all sessions stay as they were, and no email is sent',
      ...where,
    },
    async (scene) => {
      let isDown = false
      const service = await startOn(scene, await tablesLike(scene), ({ sessions }) => ({
        sessions: {
          ...sessions,
          async removeByUser(tx, userId, keptId) {
            if (isDown) throw new Error('the connection is lost')
            return sessions.removeByUser(tx, userId, keptId)
          },
        },
      }))
      await service.send('POST', '/user/', body('alice', 'alice@example.org'))
      const cookies = [await logIn(service), await logIn(service)]
      isDown = true
      const change = { old_password: goodPassword, ...choice(otherPassword) }
      const headers = { cookie: cookies[0] ?? '' }
      expect(await statusOf(service.send('POST', '/change-password/', change, { headers }))).toBe(503)
      for (const cookie of cookies) expect(await whoIs(service, cookie)).toBe('alice')
      expect(await passwordsThatWork(service, [goodPassword, otherPassword])).toEqual([goodPassword])
      expect(service.mails.filter(({ kind }) => kind === 'password-changed')).toEqual([])
    },
  )

  storage(
    'TBL-04',
    {
      tried: 'a row that somebody has damaged',
      expected: '503 without a word of the row; nobody is logged in as somebody else',
      ...where,
    },
    async (scene) => {
      const database = await tablesLike(scene)
      const service = await startOn(scene, database)
      await service.send('POST', '/user/', body('alice'))
      const cookie = await logIn(service)
      await runSql(database.place, `UPDATE users SET factors = '{"leaked": true}'`)
      const responses = [
        await service.app.inject({ url: '/me/', headers: { cookie } }),
        await service.send('POST', '/login/', { username: 'alice', password: goodPassword }),
      ]
      for (const { statusCode, body: text } of responses)
        expect([statusCode, text.includes('leaked')]).toEqual([503, false])
      await runSql(database.place, `UPDATE users SET factors = '[]'`)
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  storage(
    'TBL-05',
    {
      tried: 'a sign-up with a taken address, where the app’s own rows are made alongside',
      expected: 'the same response as with a free one; nothing of the app’s is left',
      ...where,
    },
    async (scene) => {
      const database = await tablesLike(scene)
      await runSql(database.place, 'CREATE TABLE workspaces (title VARCHAR(100) NOT NULL)')
      const alongside: Alongside<Parameters<Tables['users']['remove']>[0]> = {
        async created(tx, { username }) {
          await tx.run('INSERT INTO workspaces (title) VALUES (?)', [username])
        },
      }
      const author: Author = ({ users }) => ({ users: { ...users, alongside } })
      const service = await startOn(scene, database, author, { requireEmailConfirmation: true })
      const signUp = async (username: string, email: string) => {
        const { statusCode, body: text } = await service.send('POST', '/signup/', body(username, email))
        return { statusCode, text: text.replaceAll(username, '').replaceAll(email, '') }
      }
      const free = await signUp('alice', 'alice@example.org')
      const taken = await signUp('mallory', 'alice@example.org')
      expect(taken).toEqual(free)
      const rows = await runSql(database.place, 'SELECT title FROM workspaces')
      expect(rows.map(({ title }) => title)).toEqual(['alice'])
    },
  )
})
