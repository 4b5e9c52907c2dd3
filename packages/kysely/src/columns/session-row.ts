import type { Session, SessionUpdate } from 'fastify-accounts'
import type { Selectable } from 'kysely'
import type { SessionsTable } from '../base/schema.js'
import {
  type Encoder,
  fromText,
  fromTime,
  limits,
  oneOf,
  orNull,
  toJson,
  toLongText,
  toText,
  toTime,
  toWhole,
} from '../base/values.js'

/** A session as its columns store it; times in milliseconds. */
export interface SessionRow {
  id: string
  kind: string
  name: string | null
  user_id: string
  epoch: number
  created_at: number
  last_seen_at: number
  expires_at: number
  details: string | null
  methods: string
  confirmed_at: number | null
  prior_confirmed_at: number | null
  confirmation: number
  generation: number
  seen_generation: number
  base_generation: number
  next_base: number | null
  settles_at: number | null
}

const kinds: readonly Session['kind'][] = ['cookie', 'token']
const toId: Encoder<string> = (name, value) => toText(name, value, limits.id)

/** Where each field of a session is stored, and how. */
const columns: { [Field in keyof Session]: [column: keyof SessionRow, encode: Encoder<Session[Field]>] } = {
  id: ['id', toId],
  kind: ['kind', oneOf(kinds)],
  name: ['name', orNull(toLongText)],
  userId: ['user_id', toId],
  epoch: ['epoch', toWhole],
  createdAt: ['created_at', toTime],
  lastSeenAt: ['last_seen_at', toTime],
  expiresAt: ['expires_at', toTime],
  details: ['details', orNull(toJson)],
  methods: ['methods', toJson],
  confirmedAt: ['confirmed_at', orNull(toTime)],
  priorConfirmedAt: ['prior_confirmed_at', orNull(toTime)],
  confirmation: ['confirmation', toWhole],
  generation: ['generation', toWhole],
  seenGeneration: ['seen_generation', toWhole],
  baseGeneration: ['base_generation', toWhole],
  nextBase: ['next_base', orNull(toWhole)],
  settlesAt: ['settles_at', orNull(toTime)],
}
const fieldNames = Object.keys(columns) as (keyof Session)[]

/** All columns, so a query selects no column that the host has added. */
export const sessionColumns: readonly (keyof SessionsTable)[] = fieldNames.map((field) => columns[field][0])

function encode<Field extends keyof Session>(
  row: Record<string, string | number | null>,
  field: Field,
  value: Session[Field],
): void {
  const [column, encoder] = columns[field]
  row[column] = encoder(field, value)
}

/** @throws InvalidArgumentError */
export function toSessionRow(session: Session): SessionRow {
  const row = {}
  for (const field of fieldNames) encode(row, field, session[field])
  // The loop fills every column, but only `columns` knows that: the types can't express it.
  return row as SessionRow
}

const changeable = fieldNames.filter(
  (field): field is keyof SessionUpdate => !['id', 'kind', 'userId', 'createdAt'].includes(field),
)

/**
 * The columns of the fields that are set; `undefined` is not set.
 * @throws InvalidArgumentError
 */
export function toSessionColumns(changes: SessionUpdate): Partial<SessionRow> {
  const row = {}
  for (const field of changeable) {
    const value = changes[field]
    if (value !== undefined) encode(row, field, value)
  }
  return row
}

/** Whether it has not expired by now: a row kept in memory may have. */
export function isLive({ expires_at }: Pick<Selectable<SessionsTable>, 'expires_at'>): boolean {
  return Number(expires_at) > Date.now()
}

const numbers = [
  'epoch',
  'created_at',
  'last_seen_at',
  'expires_at',
  'confirmed_at',
  'prior_confirmed_at',
  'confirmation',
  'generation',
  'seen_generation',
  'base_generation',
  'next_base',
  'settles_at',
] as const

/**
 * The session of a row. SQLite stores any text in any column: a row that was corrupted and has no time, so no limit
 * would ever end it, is not a session. Neither is one of a kind that only a newer version knows.
 */
export function toSession(row: Selectable<SessionsTable>): Session | null {
  const kind = kinds.find((each) => each === fromText(row.kind))
  // `null` counts as 0 here.
  const isSound = numbers.every((column) => Number.isSafeInteger(Number(row[column])))
  if (kind === undefined || !isSound || row.methods === null) return null
  return {
    id: fromText(row.id),
    kind,
    name: row.name,
    userId: fromText(row.user_id),
    epoch: Number(row.epoch),
    createdAt: fromTime(row.created_at),
    lastSeenAt: fromTime(row.last_seen_at),
    expiresAt: fromTime(row.expires_at),
    details: row.details === null ? null : JSON.parse(row.details),
    methods: methodsIn(row.methods),
    confirmedAt: row.confirmed_at === null ? null : fromTime(row.confirmed_at),
    priorConfirmedAt: row.prior_confirmed_at === null ? null : fromTime(row.prior_confirmed_at),
    confirmation: Number(row.confirmation),
    generation: Number(row.generation),
    seenGeneration: Number(row.seen_generation),
    baseGeneration: Number(row.base_generation),
    nextBase: row.next_base === null ? null : Number(row.next_base),
    settlesAt: row.settles_at === null ? null : fromTime(row.settles_at),
  }
}

/** There are few ways to log in, and each request reads one: a copy takes less time than parsing it. */
const lists = new Map<string, readonly string[]>()

function methodsIn(text: string): readonly string[] {
  const cachedList = lists.get(text)
  if (cachedList !== undefined) return [...cachedList]
  const list: readonly string[] = JSON.parse(text)
  if (lists.size >= 100) lists.clear()
  lists.set(text, list)
  return [...list]
}
