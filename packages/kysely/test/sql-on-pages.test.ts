import { randomUUID } from 'node:crypto'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { outboxCases } from '@fastify-accounts/testing'
import {
  createMemoryUserStore,
  InvalidArgumentError,
  type Outbox,
  type PendingMessage,
} from 'fastify-accounts'
import { CompiledQuery, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const claimDue =
  blocksOf('docs/adapters/user-store.md').find(({ code }) => code.includes('SKIP LOCKED'))?.code ??
  expect.fail('the page has no statement that claims')

/** The outbox of docs/adapters/user-store.md. */
const table = `
  CREATE TABLE outbox (
    id text PRIMARY KEY, realm text, message text, posted_at timestamptz, due_at timestamptz, claim text,
    attempts integer, error text
  )`

/** What a statement returned, in columns of whatever type, and how many rows it changed. */
interface Reply {
  rows: Record<string, never>[]
  changed: number
}

const [pg] = await driversHere(['pg'])

describe.skipIf(pg === undefined)('on PostgreSQL, the outbox on the page about user stores', () => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let schemas = 0

  beforeAll(async () => {
    database = await makeDatabase('pg')
    db = await connect(database.place)
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  async function query(text: string, values: readonly unknown[] = [], on = db): Promise<Reply> {
    const { rows, numAffectedRows } = await on.executeQuery<Record<string, never>>(
      CompiledQuery.raw(text, [...values]),
    )
    return { rows, changed: Number(numAffectedRows ?? 0) }
  }

  /** Only what the laws about claims need. */
  async function outbox(): Promise<Outbox> {
    schemas += 1
    const schema = `law_${schemas}`
    const run = (text: string, values: readonly unknown[] = [], on?: Kysely<unknown>) =>
      query(text.replaceAll(/(?<=\b(?:TABLE|INTO|FROM|UPDATE) )outbox\b/g, `${schema}.outbox`), values, on)
    await query(`CREATE SCHEMA ${schema}`)
    await run(table)
    const isOne = async (reply: Promise<Reply>) => (await reply).changed === 1
    async function insert(messages: readonly PendingMessage[], on?: Kysely<unknown>) {
      for (const message of messages) {
        const values = 'VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp(), NULL, 0, NULL)'
        await run(`INSERT INTO outbox ${values}`, [randomUUID(), message.realm, JSON.stringify(message)], on)
      }
    }
    const notHere = () => Promise.reject(new Error('no law about claims asks for it'))
    return {
      add: (messages) => insert(messages),
      async claim({ realms, now, until, limit }) {
        if (limit < 1) throw new InvalidArgumentError('limit must be at least 1')
        const { rows } = await run(claimDue, [realms, now, until, randomUUID(), limit])
        return rows.map(({ id, claim, message, attempts }) => ({
          id: id ?? expect.fail(),
          claim: claim ?? expect.fail(),
          message: JSON.parse(message ?? expect.fail()),
          attempts: attempts ?? expect.fail(),
        }))
      },
      postpone: ({ id, claim }, { dueAt, attempts, error }) =>
        isOne(
          run(
            'UPDATE outbox SET due_at = $3, attempts = $4, error = $5, claim = NULL WHERE id = $1 AND claim = $2',
            [id, claim, dueAt, attempts, error],
          ),
        ),
      renew: ({ id, claim }, until) =>
        isOne(run('UPDATE outbox SET due_at = $3 WHERE id = $1 AND claim = $2', [id, claim, until])),
      remove: ({ id, claim }) => isOne(run('DELETE FROM outbox WHERE id = $1 AND claim = $2', [id, claim])),
      split: ({ id, claim }, messages) =>
        db.transaction().execute(async (on) => {
          const gone = await isOne(run('DELETE FROM outbox WHERE id = $1 AND claim = $2', [id, claim], on))
          if (gone) await insert(messages, on)
          return gone
        }),
      async count(realm) {
        const { rows } = await run(
          'SELECT count(*)::integer AS all, count(due_at)::integer AS waiting FROM outbox WHERE realm = coalesce($1, realm)',
          [realm ?? null],
        )
        const { all = 0, waiting = 0 } = rows[0] ?? {}
        return { waiting, dead: all - waiting }
      },
      listDead: notHere,
      retry: notHere,
      discard: notHere,
    }
  }

  async function now(): Promise<Date> {
    const { rows } = await query('SELECT clock_timestamp() AS now')
    return rows[0]?.now ?? expect.fail()
  }
  const claims = outboxCases(async () => ({
    ...createMemoryUserStore(),
    outbox: await outbox(),
    now,
  })).filter(
    // The others are about what the page leaves to you.
    ({ name }) => /^law ([2-6]|15):/.test(name),
  )
  for (const { name, run } of claims) test.concurrent(name, run)
  test('the laws about claims are known', () => {
    expect(claims.map(({ name }) => name).join()).toContain('share')
  })
})
