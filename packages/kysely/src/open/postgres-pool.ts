import { type AdapterNotes, createAdapterNotes } from '../base/adapter-notes.js'
import { isNotPrepared, saysReadOnly } from '../base/errors.js'
import { createRenewal } from '../base/renewal.js'
import { askForClient, clientRows } from './driver-client.js'
import { createPreparedNames } from './prepared-names.js'

/** What this package needs from a client of pg. */
export interface OpenPostgresClient {
  on(event: 'error', listener: (error: Error) => void): unknown
  query(...args: never[]): unknown
  end(): Promise<void>
  /** Of a client in use. `true`: closes it, so the pool opens another one. */
  release?: (destroy?: boolean) => void
}

/** What this package needs from a `Pool` of pg. */
export interface OpenPostgres {
  connect(): Promise<unknown>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'connect', listener: (client: OpenPostgresClient) => void): unknown
  /** How many connections it has. */
  readonly totalCount?: number
}

/** Options of `openPostgres` and `postgresDialect`. */
export interface PostgresOptions {
  /**
   * Which statements each connection keeps prepared, so PostgreSQL parses and plans them once: `'stores'` for those of
   * the stores, `true` for all with values (up to 200), `false` for none. A pooler in transaction mode may not support
   * prepared statements (PgBouncer does, with `max_prepared_statements`) and rejects one: the pool then prepares no
   * more, and the stores rerun theirs. With `true`, your own statements reject that once.
   * @default 'stores'
   */
  prepare?: boolean | 'stores' | undefined

  /**
   * Milliseconds that the server may take for a statement; for a lock it waits half a second less. Keep it below
   * `query_timeout` of the pool, which ends the wait on this side only: the server would continue, and later do what
   * got a 503. A limit already set by the role, the database or the pool stays. `false` if a pooler
   * assigns connections per transaction: set the limits on the role there.
   * @default 3500
   */
  statementTimeout?: number | false | undefined
}

/** The pools of databases whose dialect this package made. */
export const ownPools: AdapterNotes<OpenPostgres> = createAdapterNotes<OpenPostgres>()

/** Milliseconds that a transaction may stay idle before the server closes the connection. */
const idleTimeout = 10_000

/**
 * If the server closes a connection, its query fails and the pool drops it: without this, pg's `error` events end the
 * process. The same goes for a connection on which a query hit `query_timeout`: by default the pool reuses it with that
 * response still to come. After a write that a read-only server refused, as after a failover, all connections are replaced
 * as they are used. Each connection limits how long the server may run a statement, wait for a lock, and keep an idle
 * transaction open.
 * @param pool new, without connections yet
 * @throws TypeError if an option is wrong
 */
export function limitPostgres(pool: OpenPostgres, options: PostgresOptions): void {
  const { prepare = 'stores', statementTimeout = 3500 } = options
  if (typeof prepare !== 'boolean' && prepare !== 'stores') {
    throw new TypeError("prepare must be true, false or 'stores'")
  }
  if (statementTimeout !== false && (!Number.isSafeInteger(statementTimeout) || statementTimeout < 1)) {
    throw new TypeError('statementTimeout must be a whole number of milliseconds, at least 1, or false')
  }
  // Those would have no limits, and some calls would fail: which ones depends on the connection that they get.
  if (pool.totalCount) {
    throw new TypeError(
      `pool must be new, but it already has connections (${pool.totalCount}): pass it to openPostgres before you use it`,
    )
  }
  const names = createPreparedNames(prepare)
  // Nothing is lost here: the pool already knows, and a query in progress rejects with the same error.
  const noop = (): void => {}
  pool.on('error', noop)
  const renewal = createRenewal()
  pool.on('connect', (client) => {
    const isOutdated = renewal.watch()
    client.on('error', noop)
    const query = client.query as (...args: unknown[]) => unknown
    if (statementTimeout !== false) {
      // pg sends it before any other query on this connection. If the server refuses it, no query follows.
      const limited = query.call(client, limits(statementTimeout)) as Promise<unknown>
      limited.catch(() => client.end().catch(noop))
    }
    client.query = (...args: unknown[]): unknown => {
      if (args[0] === askForClient) return Promise.resolve({ command: 'SELECT', rows: clientRows(client) })
      const result = query.apply(client, names.named(args))
      if (isOutdated()) closeAfterUse(client)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        if (isNotPrepared(error)) names.stop()
        if (saysReadOnly(error)) {
          renewal.refused()
          closeAfterUse(client)
        }
        // A client that is ending does not go back into the pool.
        if (!isResponse(error)) client.end().catch(noop)
        throw error
      })
    }
  })
}

/** Not now: the caller that has the client may have a transaction to roll back. */
function closeAfterUse(client: OpenPostgresClient): void {
  const { release } = client
  if (release !== undefined) client.release = () => release.call(client, true)
}

/** SQL that sets any missing limits of a connection. */
function limits(statementTimeout: number): string {
  const values = {
    statement_timeout: statementTimeout,
    lock_timeout: Math.max(statementTimeout - 500, Math.ceil(statementTimeout / 2)),
    idle_in_transaction_session_timeout: idleTimeout,
  }
  const rows = Object.entries(values).map(([name, value]) => `('${name}', '${value}')`)
  return `select set_config(name, value, false) from (values ${rows.join(', ')}) as l (name, value) where current_setting(name) = '0'`
}

/** Whether the error came from the server itself: then the connection is fine. */
function isResponse(error: unknown): boolean {
  return error instanceof Error && 'severity' in error
}
