import type { Engine } from './engine.js'
import { openMariadb } from './engines/mariadb.js'
import { openMemory } from './engines/memory.js'
import { openPostgres } from './engines/postgres.js'
import { openRedis } from './engines/redis.js'
import { openSqlite } from './engines/sqlite.js'

/** Every engine, by its name in the command. */
const engines = {
  sqlite: { title: 'SQLite, libsql', open: () => openSqlite('libsql') },
  'better-sqlite3': { title: 'SQLite, better-sqlite3', open: () => openSqlite('better-sqlite3') },
  postgres: { title: 'PostgreSQL, pg', open: openPostgres },
  mariadb: { title: 'MariaDB, mysql2', open: openMariadb },
  redis: { title: 'Redis, ioredis', open: openRedis },
  memory: { title: 'Memory', open: openMemory },
} satisfies Record<string, { title: string; open: () => Promise<Engine> }>

export type EngineName = keyof typeof engines
export const engineNames = Object.keys(engines) as EngineName[]

export function titleOf(name: EngineName): string {
  return engines[name].title
}

/**
 * Opens a new database on this engine.
 * @returns the reason in one line if the engine can't be reached
 */
export async function openEngine(name: EngineName): Promise<Engine | string> {
  try {
    return await engines[name].open()
  } catch (error) {
    return `${titleOf(name)} cannot be used here: ${reason(error)}`
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reason(error.cause)
  const [line = ''] = error.message.split('\n')
  return line !== '' ? line : 'code' in error ? String(error.code) : error.name
}
