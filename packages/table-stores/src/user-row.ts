import type {
  Credential,
  NewUser,
  StoredUser,
  User,
  UserChanges,
  UserFields,
  UserNotes,
} from 'fastify-accounts'
import type { ReadRow, UserRow, VisitorRow } from './rows.js'
import {
  type Columns,
  flag,
  fromRow,
  json,
  limits,
  list,
  oneOf,
  orNull,
  text,
  time,
  toColumns,
  toRow,
  whole,
} from './values.js'

const key = text(limits.key)
const credential = json<Credential>()

const changeable: Columns<Omit<StoredUser, 'id' | 'version' | 'createdAt' | 'origin'>, UserRow> = {
  kind: oneOf(['person', 'service', 'unclaimed']),
  username: orNull(text(limits.text)),
  usernameKey: orNull(key),
  email: orNull(text(limits.text)),
  emailKey: orNull(key),
  passwordHash: text(limits.hash),
  isVerified: flag,
  isStaff: flag,
  roles: list(text(limits.text).write),
  isActive: flag,
  lastLoginAt: orNull(time),
  emailChangedAt: orNull(time),
  sessionEpoch: whole,
  resetEpoch: whole,
  verifyEpoch: whole,
  fields: json<UserFields>(),
  factors: list(text(limits.text).write),
  credentials: list(credential.write),
  identityKeys: list(key.write),
  notes: json<UserNotes>(),
}

const columns: Columns<StoredUser, UserRow> = {
  ...changeable,
  id: text(limits.id),
  version: whole,
  createdAt: time,
  origin: oneOf(['self', 'staff', 'host', 'import']),
}

/** What each request reads: not what only a proof needs. */
const { credentials: _, identityKeys: _keys, notes: _notes, ...visitorColumns } = columns

/** @throws InvalidArgumentError */
export function toUserRow(id: string, user: NewUser): UserRow {
  return toRow(columns, { ...user, id, version: 1 })
}

/** The columns of the fields that change. @throws InvalidArgumentError */
export function toUserColumns(changes: UserChanges): Partial<UserRow> {
  return toColumns(changeable, changes)
}

/** @throws UnavailableError if the row is unreadable */
export function toUser(row: ReadRow<UserRow>): StoredUser {
  return fromRow(columns, row)
}

/** @throws UnavailableError if the row is unreadable */
export function toVisitor(row: ReadRow<VisitorRow>): User {
  return fromRow<User, VisitorRow>(visitorColumns, row)
}
