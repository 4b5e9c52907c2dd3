import type { NewUser, User, UserChanges } from 'fastify-accounts'
import type { Insertable, Selectable } from 'kysely'
import type { UsersTable } from './schema.js'
import { fromText, fromTime, limits, toFlag, toJson, toText, toTime, toWhole } from './values.js'

type Column = Exclude<keyof UsersTable, 'id' | 'version'>
type Encoder<T> = (name: string, value: T) => string | number | null

const text =
  (limit: number): Encoder<string> =>
  (name, value) =>
    toText(name, value, limit)
const orNull =
  <T>(encode: Encoder<T>): Encoder<T | null> =>
  (name, value) =>
    value === null ? null : encode(name, value)

/** Where each field of a user goes, and how. */
const columns: { [Field in keyof NewUser]: [column: Column, encode: Encoder<NewUser[Field]>] } = {
  username: ['username', text(limits.text)],
  usernameKey: ['username_key', text(limits.key)],
  email: ['email', orNull(text(limits.text))],
  emailKey: ['email_key', orNull(text(limits.key))],
  passwordHash: ['password_hash', text(limits.hash)],
  isVerified: ['is_verified', toFlag],
  isStaff: ['is_staff', toFlag],
  isActive: ['is_active', toFlag],
  createdAt: ['created_at', toTime],
  lastLoginAt: ['last_login_at', orNull(toTime)],
  emailChangedAt: ['email_changed_at', orNull(toTime)],
  sessionEpoch: ['session_epoch', toWhole],
  resetEpoch: ['reset_epoch', toWhole],
  verifyEpoch: ['verify_epoch', toWhole],
  fields: ['fields', toJson],
}
const fieldNames = Object.keys(columns) as (keyof NewUser)[]

/** All columns, so that a query asks for no column that the host has added. */
export const userColumns: (keyof UsersTable)[] = [
  'id',
  'version',
  ...fieldNames.map((field) => columns[field][0]),
]

export type UserRow = Required<Insertable<UsersTable>>

function encode<Field extends keyof NewUser>(field: Field, value: NewUser[Field]): string | number | null {
  const [, encoder] = columns[field]
  return encoder(field, value)
}

/**
 * The columns of the fields that are there; `undefined` is not there.
 * @throws InvalidArgumentError
 */
export function toColumns(changes: UserChanges): Partial<UserRow> {
  const given: { [Field in keyof NewUser]?: NewUser[Field] | undefined } = changes
  const row: Record<string, string | number | null> = {}
  for (const field of fieldNames) {
    const value = given[field]
    if (value !== undefined) row[columns[field][0]] = encode(field, value)
  }
  return row
}

/** @throws InvalidArgumentError */
export function toRow(id: string, user: NewUser): UserRow {
  const row: Record<string, string | number | null> = { id, version: 1 }
  for (const field of fieldNames) row[columns[field][0]] = encode(field, user[field])
  // The loop fills every column, which only `columns` knows: the types cannot follow it there.
  return row as unknown as UserRow
}

export function toUser(row: Selectable<UsersTable>): User {
  return {
    id: fromText(row.id),
    username: row.username,
    usernameKey: fromText(row.username_key),
    email: row.email,
    emailKey: row.email_key === null ? null : fromText(row.email_key),
    passwordHash: row.password_hash,
    isVerified: Number(row.is_verified) === 1,
    isStaff: Number(row.is_staff) === 1,
    isActive: Number(row.is_active) === 1,
    createdAt: fromTime(row.created_at),
    lastLoginAt: row.last_login_at === null ? null : fromTime(row.last_login_at),
    emailChangedAt: row.email_changed_at === null ? null : fromTime(row.email_changed_at),
    sessionEpoch: Number(row.session_epoch),
    resetEpoch: Number(row.reset_epoch),
    verifyEpoch: Number(row.verify_epoch),
    version: Number(row.version),
    fields: JSON.parse(row.fields),
  }
}
