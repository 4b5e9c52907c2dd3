import type { Session } from 'fastify-accounts'
import type { Selectable } from 'kysely'
import type { SessionsTable } from './schema.js'
import { fromText, fromTime, limits, toJson, toText, toTime, toWhole } from './values.js'

/** A session as its columns store it; times in milliseconds. */
export interface SessionRow {
  id: string
  user_id: string
  epoch: number
  created_at: number
  last_seen_at: number
  expires_at: number
  details: string | null
  methods: string | null
  confirmed_at: number | null
}

/** All columns, so a query selects no column that the host has added. */
export const sessionColumns: readonly (keyof SessionsTable)[] = [
  'id',
  'user_id',
  'epoch',
  'created_at',
  'last_seen_at',
  'expires_at',
  'details',
  'methods',
  'confirmed_at',
]

/** @throws InvalidArgumentError */
export function toSessionRow(session: Session): SessionRow {
  return {
    id: toText('id', session.id, limits.id),
    user_id: toText('userId', session.userId, limits.id),
    epoch: toWhole('epoch', session.epoch),
    created_at: toTime('createdAt', session.createdAt),
    last_seen_at: toTime('lastSeenAt', session.lastSeenAt),
    expires_at: toTime('expiresAt', session.expiresAt),
    details: session.details === null ? null : toJson('details', session.details),
    methods: session.methods === null ? null : toJson('methods', session.methods),
    confirmed_at: session.confirmedAt === null ? null : toTime('confirmedAt', session.confirmedAt),
  }
}

/** Whether it has not expired by now: a row kept in memory may have. */
export function isLive({ expires_at }: Pick<Selectable<SessionsTable>, 'expires_at'>): boolean {
  return Number(expires_at) > Date.now()
}

/**
 * The session of a row. SQLite stores any text in any column: a row that was corrupted and has no time, so no limit
 * would ever end it, is not a session.
 */
export function toSession(row: Selectable<SessionsTable>): Session | null {
  const [epoch, createdAt] = [Number(row.epoch), Number(row.created_at)]
  const [lastSeenAt, expiresAt] = [Number(row.last_seen_at), Number(row.expires_at)]
  const isWhole =
    Number.isSafeInteger(epoch) &&
    Number.isSafeInteger(createdAt) &&
    Number.isSafeInteger(lastSeenAt) &&
    Number.isSafeInteger(expiresAt)
  if (!isWhole) return null
  return {
    id: fromText(row.id),
    userId: fromText(row.user_id),
    epoch,
    createdAt: new Date(createdAt),
    lastSeenAt: new Date(lastSeenAt),
    expiresAt: new Date(expiresAt),
    details: row.details === null ? null : JSON.parse(row.details),
    methods: row.methods === null ? null : methodsIn(row.methods),
    confirmedAt: row.confirmed_at === null ? null : fromTime(row.confirmed_at),
  }
}

/** There are few ways to log in: all sessions with the same ones share a list. */
const lists = new Map<string, readonly string[]>()

function methodsIn(text: string): readonly string[] {
  const known = lists.get(text)
  if (known !== undefined) return known
  const list: readonly string[] = Object.freeze(JSON.parse(text))
  if (lists.size >= 100) lists.clear()
  lists.set(text, list)
  return list
}
