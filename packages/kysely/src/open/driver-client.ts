import { CompiledQuery, type Kysely } from 'kysely'
import { type AdapterNotes, createAdapterNotes } from '../base/adapter-notes.js'
import type { Database } from '../base/database.js'
import type { Tables } from '../base/schema.js'

/**
 * A statement that no database gets: a connection of a dialect from this package returns its driver's client. Kysely keeps
 * it to itself.
 */
export const askForClient = 'select the client of the driver'

/** The databases whose connections do so. */
export const ownClients: AdapterNotes<object> = createAdapterNotes<object>()

/** What they return. */
export function clientRows(client: object): { client: object }[] {
  return [{ client }]
}

/** The driver's client of this connection; `undefined` if its dialect is not from this package. */
export async function clientOf(host: Database, on: Kysely<Tables>): Promise<object | undefined> {
  if (ownClients.of(host) === undefined) return undefined
  const { rows } = await on.executeQuery(CompiledQuery.raw(askForClient) as CompiledQuery<{ client: object }>)
  return rows[0]?.client
}

/** Methods of mysql2, and statements, that end the transaction or begin another one, which ends it on MySQL. */
const bounds = ['beginTransaction', 'commit', 'rollback']
const bound = /^\s*(?:begin|start\s+transaction|commit|end|abort|rollback(?!\s+to\b))\b/i

/**
 * The client for as long as `assertOpen` doesn't throw; each call of a method asks it. A query builder's own `transaction`
 * would commit ours, so it is refused.
 * @param client whose methods may be native, and know only the object itself
 */
export function closableClient(client: object, assertOpen: () => void): object {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function' || key === 'constructor') return value
      return (...args: unknown[]): unknown => {
        assertOpen()
        if (bounds.includes(String(key)) || bound.test(textOf(args[0])))
          throw new Error('alongside runs within a transaction: begin and end none, a savepoint will do')
        const result: unknown = Reflect.apply(value, target, args)
        return key === 'prepare' && isStatement(result) ? closableStatement(result, assertOpen) : result
      }
    },
  })
}

/** A prepared statement of SQLite: kept for later, it would run in whatever transaction there is by then. */
function closableStatement(statement: object, assertOpen: () => void): object {
  return new Proxy(statement, {
    get(target, key, proxy) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function' || key === 'constructor') return value
      return (...args: unknown[]): unknown => {
        assertOpen()
        const result: unknown = Reflect.apply(value, target, args)
        // Of better-sqlite3, most return the statement.
        return result === target ? proxy : result
      }
    },
  })
}

const isStatement = (result: unknown): result is object =>
  typeof result === 'object' && result !== null && 'run' in result

/** The SQL of a statement as pg and mysql2 take it. */
function textOf(statement: unknown): string {
  const { text = statement, sql = text } = Object(statement) as { text?: unknown; sql?: unknown }
  return typeof sql === 'string' ? sql : ''
}
