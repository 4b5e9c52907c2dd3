import type { ColumnDescription, TableDescription } from 'fastify-accounts'
import type { InvitationRow, OutboxRow, SessionRow, UserRow } from './rows.js'

type Shape = Pick<ColumnDescription, 'type' | 'isNullable'>

const id: Shape = { type: 'id' }
const key: Shape = { type: 'key' }
const word: Shape = { type: 'word' }
const text: Shape = { type: 'text' }
const longText: Shape = { type: 'longText' }
const boolean: Shape = { type: 'boolean' }
const whole: Shape = { type: 'whole' }
const timestamp: Shape = { type: 'timestamp' }
const orNull = (shape: Shape): Shape => ({ ...shape, isNullable: true })

const users: Record<keyof UserRow, Shape> = {
  id,
  kind: word,
  origin: word,
  username: orNull(text),
  usernameKey: orNull(key),
  email: orNull(text),
  emailKey: orNull(key),
  passwordHash: text,
  isVerified: boolean,
  isStaff: boolean,
  roles: longText,
  isActive: boolean,
  createdAt: timestamp,
  lastLoginAt: orNull(timestamp),
  emailChangedAt: orNull(timestamp),
  sessionEpoch: whole,
  resetEpoch: whole,
  verifyEpoch: whole,
  version: whole,
  fields: longText,
  factors: longText,
  credentials: longText,
  identityKeys: longText,
  notes: longText,
}

const identities: Record<'identityKey' | 'userId', Shape> = { identityKey: key, userId: id }

const sessions: Record<keyof SessionRow, Shape> = {
  id,
  kind: word,
  name: orNull(text),
  userId: id,
  epoch: whole,
  createdAt: timestamp,
  lastSeenAt: timestamp,
  expiresAt: timestamp,
  details: orNull(longText),
  methods: longText,
  confirmedAt: orNull(timestamp),
  priorConfirmedAt: orNull(timestamp),
  confirmation: whole,
  generation: whole,
  seenGeneration: whole,
  baseGeneration: whole,
  nextBase: orNull(whole),
  settlesAt: orNull(timestamp),
}

const invitations: Record<keyof InvitationRow, Shape> = {
  id,
  target: id,
  inviterId: id,
  email: text,
  emailKey: key,
  gives: longText,
  createdAt: timestamp,
  expiresAt: timestamp,
  sends: whole,
  acceptingUntil: orNull(timestamp),
  version: whole,
}

const outbox: Record<keyof OutboxRow, Shape> = {
  id,
  realm: id,
  message: longText,
  postedAt: timestamp,
  dueAt: orNull(timestamp),
  claim: orNull(id),
  attempts: whole,
  error: orNull(longText),
}

/**
 * Tables whose rows are those of `createTableUserStore`, `createTableSessionStore` and `createTableInvitationStore`,
 * for an app that has none yet. A session has no reference to its user: the plugin deletes both, and one that is left over
 * opens nothing.
 */
export function describeTables(): TableDescription[] {
  return [
    table('users', users, {
      unique: [['usernameKey'], ['emailKey']],
      others: [
        ['createdAt', 'id'],
        ['kind', 'createdAt', 'id'],
      ],
    }),
    table('identities', identities, { others: [['userId']] }, 'userId'),
    table('sessions', sessions, { others: [['userId', 'createdAt'], ['expiresAt']] }),
    table('invitations', invitations, {
      unique: [['target', 'inviterId', 'emailKey']],
      others: [['emailKey'], ['createdAt', 'id'], ['inviterId', 'createdAt', 'id'], ['expiresAt']],
    }),
    table('outbox', outbox, { others: [['realm', 'dueAt', 'id']] }),
  ]
}

function table(
  holds: TableDescription['holds'],
  shapes: Record<string, Shape>,
  { unique = [], others = [] }: { unique?: string[][]; others?: string[][] },
  userReference?: string,
): TableDescription {
  const name = `accounts_${holds}`
  const indexes = (isUnique: boolean) => (fields: string[]) => {
    const columns = fields.map(columnName)
    return { name: `${name}_${columns.find((column) => column !== 'realm')}`, columns, isUnique }
  }
  const fields = Object.entries(shapes)
  return {
    holds,
    name,
    columns: fields.map(([field, shape]) => ({ field, name: columnName(field), ...shape })),
    primaryKey: columnName(fields[0]?.[0] ?? ''),
    indexes: [...unique.map(indexes(true)), ...others.map(indexes(false))],
    userReference: userReference && columnName(userReference),
  }
}

function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
