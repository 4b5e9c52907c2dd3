import { isNotPrepared } from './errors.js'
import { createPreparedNames } from './prepared-names.js'
import { createServerLimit, type ServerLimit } from './server-limit.js'

/** What this package needs of a client of pg. */
export interface OpenPostgresClient {
  on(event: 'error', listener: (error: Error) => void): unknown
  query(...args: never[]): unknown
  end(): Promise<void>
}

/** What this package needs of a `Pool` of pg. */
export interface OpenPostgres {
  connect(): Promise<unknown>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'connect', listener: (client: OpenPostgresClient) => void): unknown
}

/** Options of `openPostgres` and `postgresDialect`. */
export interface PostgresOptions {
  /**
   * Which statements each connection keeps prepared, so PostgreSQL parses and plans them once: those of the stores,
   * with `true` all that have values (up to 200), with `false` none. A pooler in transaction mode that doesn't support
   * prepared statements (PgBouncer does, with `max_prepared_statements`) rejects one: from then on the pool prepares
   * none, and the stores run theirs again. Statements of your own, with `true`, reject that once.
   * @default 'stores'
   */
  prepare?: boolean | 'stores' | undefined

  /**
   * Milliseconds that the server may take for a statement; for a lock it waits half a second less. Keep it below
   * `query_timeout` of the pool, which ends the wait on this side only: the server would go on, and do later what was
   * answered 503. A limit that the role, the database or the pool sets already stays. `false` where a pooler hands
   * connections out transaction by transaction: give the role its limits there.
   * @default 3500
   */
  statementTimeout?: number | false | undefined
}

/** Milliseconds that a transaction may stay open while the server waits for us; then it ends the connection. */
const idleTimeout = 10_000

/**
 * Has a connection that the server cuts fail the query that was on it, and be dropped by the pool: without this, pg's
 * `error` events end the process. So is one on which a query met `query_timeout`: the pool by itself hands it out again
 * with that answer still to come. Each connection is told how long the server may take for a statement, wait for a lock,
 * and keep a transaction open that nobody goes on with.
 * @param pool new, without connections yet
 * @returns after how long the server gives up a statement
 * @throws TypeError where an option is wrong
 */
export function limitPostgres(pool: OpenPostgres, options: PostgresOptions): ServerLimit {
  const { prepare = 'stores', statementTimeout = 3500 } = options
  if (typeof prepare !== 'boolean' && prepare !== 'stores') {
    throw new TypeError("prepare must be true, false or 'stores'")
  }
  if (statementTimeout !== false && (!Number.isSafeInteger(statementTimeout) || statementTimeout < 1)) {
    throw new TypeError('statementTimeout must be a whole number of milliseconds, at least 1, or false')
  }
  const names = createPreparedNames(prepare)
  const limit = createServerLimit()
  // Nothing is lost here: the pool knows already, and a query under way rejects with the same error.
  const known = (): void => {}
  pool.on('error', known)
  pool.on('connect', (client) => {
    client.on('error', known)
    const query = client.query as (...args: unknown[]) => unknown
    if (statementTimeout !== false) {
      // pg sends it before anything else that this connection is asked. A server that refuses it gets no question.
      const limited = query.call(client, limits(statementTimeout)) as Promise<{ rows: { ms: string }[] }>
      limited.catch(() => client.end().catch(known))
      limit.ask(limited.then(({ rows: [first] }) => Number(first?.ms)))
    }
    client.query = (...args: unknown[]): unknown => {
      const result = query.apply(client, names.named(args))
      if (!(result instanceof Promise)) return result
      return result.then(
        (answer: unknown) => {
          limit.answered()
          return answer
        },
        (error: unknown) => {
          if (isNotPrepared(error)) names.stop()
          // A client that is ending does not go back into the pool.
          if (!isAnswer(error)) client.end().catch(known)
          throw error
        },
      )
    }
  })
  return limit
}

/** SQL that sets the limits of a connection which has none, and answers in milliseconds which it has, the statement's first. */
function limits(statementTimeout: number): string {
  const values = {
    statement_timeout: statementTimeout,
    lock_timeout: Math.max(statementTimeout - 500, Math.ceil(statementTimeout / 2)),
    idle_in_transaction_session_timeout: idleTimeout,
  }
  const rows = Object.entries(values).map(([name, value]) => `('${name}', '${value}')`)
  const own =
    "case current_setting(name) when '0' then set_config(name, value, false) else current_setting(name) end"
  return `select extract(epoch from (${own})::interval) * 1000 as ms from (values ${rows.join(', ')}) as l (name, value)`
}

/** Whether the server itself refused: then the connection is in order. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error
}
