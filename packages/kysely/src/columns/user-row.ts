import {
  type AccountOrigin,
  InvalidArgumentError,
  type NewUser,
  type StoredUser,
  type User,
  type UserChanges,
  type UserKind,
  type UserNotes,
} from 'fastify-accounts'
import type { Insertable, Selectable } from 'kysely'
import type { UsersTable } from '../base/schema.js'
import {
  type Encoder,
  fromList,
  fromText,
  fromTime,
  limits,
  oneOf,
  orNull,
  toFlag,
  toJson,
  toList,
  toText,
  toTime,
  toWhole,
} from '../base/values.js'
import { type FieldColumn, fromFieldColumns, toFieldColumns } from './field-columns.js'

/** What the plugin stores for no password: no hasher verifies it. */
export const noPassword = '!'

type Column = Exclude<keyof UsersTable, 'id' | 'version'>

const text =
  (limit: number): Encoder<string> =>
  (name, value) =>
    toText(name, value, limit)

/**
 * Both columns of a name have been NOT NULL since the first version, and SQLite can change that only by rebuilding the
 * table, with all the host's additions and references. So a user without a name has an empty one, and a key that is
 * unique like all others: `noName` and the id. As a noncharacter of Unicode, it sorts after every key that is a name.
 */
export const noName = '\u{10ffff}'

/** `withNamelessKey` appends the id, which an encoder does not know. */
const orNoName =
  (encode: Encoder<string>): Encoder<string | null> =>
  (name, value) => {
    if (value === null) return name === 'username' ? '' : noName
    if (value === '') throw new InvalidArgumentError(`${name} must not be empty`)
    return encode(name, value)
  }

/** A name and its key are set together, or neither is. */
function assertNameAndKey({ username, usernameKey }: UserChanges): void {
  if ((username === null) !== (usernameKey === null))
    throw new InvalidArgumentError('usernameKey must be null where username is, and nowhere else')
}

function withNamelessKey<Row extends { username_key?: unknown }>(row: Row, id: string): Row {
  return row.username_key === noName ? { ...row, username_key: noName + id } : row
}

const kinds: readonly UserKind[] = ['person', 'service', 'unclaimed']
const origins: readonly AccountOrigin[] = ['self', 'staff', 'host', 'import']

/** Where each field of a user is stored, and how. */
const columns: { [Field in keyof NewUser]: [column: Column, encode: Encoder<NewUser[Field]>] } = {
  kind: ['kind', oneOf(kinds)],
  origin: ['origin', oneOf(origins)],
  username: ['username', orNoName(text(limits.text))],
  usernameKey: ['username_key', orNoName(text(limits.key))],
  email: ['email', orNull(text(limits.text))],
  emailKey: ['email_key', orNull(text(limits.key))],
  passwordHash: ['password_hash', text(limits.hash)],
  isVerified: ['is_verified', toFlag],
  isStaff: ['is_staff', toFlag],
  roles: ['roles', toList],
  isActive: ['is_active', toFlag],
  createdAt: ['created_at', toTime],
  lastLoginAt: ['last_login_at', orNull(toTime)],
  emailChangedAt: ['email_changed_at', orNull(toTime)],
  sessionEpoch: ['session_epoch', toWhole],
  resetEpoch: ['reset_epoch', toWhole],
  verifyEpoch: ['verify_epoch', toWhole],
  fields: ['fields', toJson],
  factors: ['factors', toList],
  credentials: ['credentials', toList],
  identityKeys: ['identity_keys', toTexts],
  notes: ['account_notes', toNotes],
}
const fieldNames = Object.keys(columns) as (keyof NewUser)[]
const changeable = fieldNames.filter((field) => field !== 'createdAt' && field !== 'origin')

/** All columns, so a query selects no column that the host has added. */
export const userColumns: (keyof UsersTable)[] = [
  'id',
  'version',
  ...fieldNames.map((field) => columns[field][0]),
]

const proofColumns = ['credentials', 'identity_keys', 'account_notes'] as const

/** What each request reads: not what only a proof needs. */
export function requestColumnsOf(own: readonly FieldColumn[]): (keyof UsersTable)[] {
  return userColumnsOf(own).filter((name) => !proofColumns.some((each) => each === name))
}

/** All columns, with those of the host's fields. */
export function userColumnsOf(own: readonly FieldColumn[]): (keyof UsersTable)[] {
  return [...userColumns, ...own.map(({ column }) => column)]
}

export type UserRow = Required<Insertable<UsersTable>>

function encode<Field extends keyof NewUser>(field: Field, value: NewUser[Field]): string | number | null {
  const [, encoder] = columns[field]
  return encoder(field, value)
}

/**
 * The columns of the fields that are set; `undefined` is not set.
 * @param id the user's id
 * @param own the fields with a column of their own
 * @throws InvalidArgumentError
 */
export function toColumns(
  changes: UserChanges,
  id: string = '',
  own: readonly FieldColumn[] = [],
): Partial<UserRow> {
  const record: { [Field in keyof NewUser]?: NewUser[Field] | undefined } = changes
  assertNameAndKey(changes)
  const row: Record<string, string | number | null> = {}
  for (const field of changeable) {
    const value = record[field]
    if (value !== undefined) row[columns[field][0]] = encode(field, value)
  }
  if (record.fields !== undefined && own.length > 0) Object.assign(row, toFieldColumns(record.fields, own))
  return withNamelessKey(row, id)
}

/** @throws InvalidArgumentError */
export function toRow(id: string, user: NewUser, own: readonly FieldColumn[] = []): UserRow {
  assertNameAndKey(user)
  const row: Record<string, string | number | null> = { id, version: 1 }
  for (const field of fieldNames) row[columns[field][0]] = encode(field, user[field])
  if (own.length > 0) Object.assign(row, toFieldColumns(user.fields, own))
  // The loop fills every column, but only `columns` knows that: the types can't express it.
  return withNamelessKey(row, id) as unknown as UserRow
}

export function toStoredUser(row: Selectable<UsersTable>, own: readonly FieldColumn[] = []): StoredUser {
  return {
    ...toUser(row, own),
    credentials: fromList(row.credentials),
    identityKeys: fromList(row.identity_keys),
    notes: row.account_notes === null ? {} : JSON.parse(row.account_notes),
  }
}

/** @param row may lack the columns that requests do not read */
export function toUser(
  row: Omit<Selectable<UsersTable>, (typeof proofColumns)[number]>,
  own: readonly FieldColumn[] = [],
): User {
  // Most have none.
  const fields = row.fields === '{}' ? {} : JSON.parse(row.fields)
  // NULL in rows of an existing table that the app, or another one, has written.
  const isNamed = row.username !== '' && row.username !== null && row.username_key !== null
  return {
    id: fromText(row.id),
    kind: fromText(row.kind) as UserKind,
    // What another program has written counts as a sign-up, which anyone can make.
    origin: origins.find((origin) => origin === fromText(row.origin)) ?? 'self',
    username: isNamed ? row.username : null,
    usernameKey: isNamed ? fromText(row.username_key) : null,
    email: row.email,
    emailKey: row.email_key === null ? null : fromText(row.email_key),
    passwordHash: row.password_hash ?? noPassword,
    isVerified: Number(row.is_verified) === 1,
    isStaff: Number(row.is_staff) === 1,
    roles: fromList(row.roles),
    isActive: Number(row.is_active) === 1,
    createdAt: fromTime(row.created_at),
    lastLoginAt: row.last_login_at === null ? null : fromTime(row.last_login_at),
    emailChangedAt: row.email_changed_at === null ? null : fromTime(row.email_changed_at),
    sessionEpoch: Number(row.session_epoch),
    resetEpoch: Number(row.reset_epoch),
    verifyEpoch: Number(row.verify_epoch),
    version: Number(row.version),
    fields: own.length === 0 ? fields : fromFieldColumns(fields, row, own),
    factors: fromList(row.factors),
  }
}

/** As JSON; nothing if there are none, as in older rows. */
function toNotes(name: string, value: UserNotes): string | null {
  const stored = toJson(name, value)
  return stored === '{}' ? null : stored
}

/** @throws InvalidArgumentError if one is not a key */
function toTexts(name: string, value: readonly string[]): string | null {
  for (const key of value) toText(name, key, limits.key)
  return toList(name, value)
}
