import type { ColumnDescription, TableDescription } from 'fastify-accounts'
import type { MembershipRow, OrganizationRow } from './organization-row.js'
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

const organizations: Record<keyof OrganizationRow, Shape> = {
  id,
  slug: key,
  name: text,
  fields: longText,
  createdAt: timestamp,
  members: whole,
  owners: whole,
  version: whole,
}

const organizationMembers: Record<keyof MembershipRow, Shape> = {
  organizationId: id,
  userId: id,
  roles: longText,
  since: timestamp,
  invitationId: orNull(id),
}

/**
 * Tables whose rows are those of `createTableUserStore`, `createTableSessionStore`, `createTableInvitationStore` and
 * `createTableOrganizationStore`, for an app that has none yet. A session or membership has no reference to its user: the plugin
 * deletes both, and one that is left over opens nothing.
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
    table('identities', identities, { others: [['userId']], userReference: 'userId' }),
    table('sessions', sessions, { others: [['userId', 'createdAt'], ['expiresAt']] }),
    table('invitations', invitations, {
      unique: [['target', 'inviterId', 'emailKey']],
      others: [['emailKey'], ['createdAt', 'id'], ['inviterId', 'createdAt', 'id'], ['expiresAt']],
    }),
    table('outbox', outbox, { others: [['realm', 'dueAt', 'id']] }),
    table('organizations', organizations, { unique: [['slug']], others: [['createdAt', 'id']] }),
    table('organizationMembers', organizationMembers, {
      primaryKey: ['organizationId', 'userId'],
      others: [
        ['organizationId', 'since', 'userId'],
        ['userId', 'since', 'organizationId'],
      ],
    }),
  ]
}

interface Keys {
  /** Default: the first column. */
  primaryKey?: string[]
  unique?: string[][]
  others?: string[][]
  userReference?: string
}

function table(
  holds: TableDescription['holds'],
  shapes: Record<string, Shape>,
  { primaryKey = Object.keys(shapes).slice(0, 1), unique = [], others = [], userReference }: Keys,
): TableDescription {
  const name = `accounts_${columnName(holds)}`
  const indexes = (isUnique: boolean) => (fields: string[]) => {
    const columns = fields.map(columnName)
    return { name: `${name}_${columns.find((column) => column !== 'realm')}`, columns, isUnique }
  }
  return {
    holds,
    name,
    columns: Object.entries(shapes).map(([field, shape]) => ({ field, name: columnName(field), ...shape })),
    primaryKey: primaryKey.map(columnName),
    indexes: [...unique.map(indexes(true)), ...others.map(indexes(false))],
    userReference: userReference && columnName(userReference),
  }
}

function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
