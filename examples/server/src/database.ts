import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  createKyselyActivity,
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  type Database,
  migrate,
  openMysql,
  openPostgres,
  openSqlite,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import type { OrganizationStore } from '@fastify-accounts/organizations/store'
import type { ActivityStore, InvitationStore, SessionStore, UserStore } from 'fastify-accounts'
import { type DatabasePlace, SettingError } from './config.js'

export interface Stores {
  userStore: UserStore
  sessionStore: SessionStore
  invitationStore: InvitationStore
  organizationStore: OrganizationStore
  activity: ActivityStore
  close(): Promise<void>
}

/**
 * Opens the database and migrates its tables. Creates a missing SQLite file.
 * @throws SettingError
 */
export async function openDatabase(place: DatabasePlace): Promise<Stores> {
  try {
    const db = await open(place)
    await migrate(db)
    const userStore = createKyselyUserStore({ db })
    return {
      userStore,
      sessionStore: createKyselySessionStore({ db, userStore }),
      invitationStore: createKyselyInvitationStore({ db, userStore }),
      organizationStore: createKyselyOrganizationStore({ db, userStore }),
      activity: createKyselyActivity({ db }),
      close: () => db.destroy(),
    }
  } catch (error) {
    throw new SettingError('DATABASE_URL', `names ${nameOf(place)}, which cannot be used: ${reason(error)}`)
  }
}

/** The database without its password. */
export function nameOf(place: DatabasePlace): string {
  if (place.engine === 'sqlite') return place.file
  const { protocol, host, pathname } = new URL(place.url)
  return `${protocol}//${host}${pathname}`
}

/** Milliseconds; the plugin abandons a call after five seconds. */
const connectTimeout = 3000

/** Loads only the driver in use. */
async function open(place: DatabasePlace): Promise<Database> {
  switch (place.engine) {
    case 'sqlite': {
      mkdirSync(dirname(place.file), { recursive: true, mode: 0o700 })
      return openSqlite(place.file)
    }
    case 'postgres': {
      const { default: pg } = await import('pg')
      const options = { connectionTimeoutMillis: connectTimeout, query_timeout: 4000 }
      return openPostgres(new pg.Pool({ connectionString: place.url, ...options }))
    }
    case 'mysql': {
      const { createPool } = await import('mysql2')
      const uri = place.url.replace(/^mariadb:/, 'mysql:')
      return openMysql(createPool({ uri, connectTimeout }))
    }
  }
}

/** The stores only say that they're unavailable; the driver's error, the cause, says why. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reason(error.cause)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
