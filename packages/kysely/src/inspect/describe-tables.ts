import type { ColumnDescription, TableDescription } from 'fastify-accounts'
import type { Engine } from '../base/engine.js'
import type {
  ActivityTable,
  IdentitiesTable,
  InvitationsTable,
  OrganizationMembersTable,
  OrganizationsTable,
  OutboxTable,
  SessionsTable,
  UsersTable,
} from '../base/schema.js'
import { columnName, indexName, type Names, type Naming, resolveNames } from '../columns/names.js'

type Shape = Pick<ColumnDescription, 'type' | 'isNullable' | 'default'>
type Described = TableDescription['holds']

const id: Shape = { type: 'id' }
const key: Shape = { type: 'key' }
const text: Shape = { type: 'text' }
const longText: Shape = { type: 'longText' }
const flag: Shape = { type: 'flag' }
const whole: Shape = { type: 'whole' }
const zero: Shape = { type: 'whole', default: 0 }
const orNull = (shape: Shape): Shape => ({ ...shape, isNullable: true })

/** Each column in the order in which a person reads them. */
const shapes: {
  users: Record<keyof UsersTable, Shape>
  identities: Record<keyof IdentitiesTable, Shape>
  sessions: Record<keyof SessionsTable, Shape>
  invitations: Record<keyof InvitationsTable, Shape>
  activity: Record<keyof ActivityTable, Shape>
  organizations: Record<keyof OrganizationsTable, Shape>
  organizationMembers: Record<keyof OrganizationMembersTable, Shape>
  outbox: Record<keyof OutboxTable, Shape>
} = {
  users: {
    id,
    kind: { ...id, default: 'person' },
    origin: { ...id, default: 'self' },
    username: text,
    username_key: key,
    email: orNull(text),
    email_key: orNull(key),
    password_hash: text,
    is_verified: flag,
    is_staff: flag,
    roles: orNull(longText),
    is_active: flag,
    created_at: whole,
    last_login_at: orNull(whole),
    email_changed_at: orNull(whole),
    session_epoch: whole,
    reset_epoch: whole,
    verify_epoch: whole,
    version: whole,
    fields: longText,
    factors: orNull(longText),
    credentials: orNull(longText),
    identity_keys: orNull(longText),
    account_notes: orNull(longText),
  },
  identities: { identity_key: key, user_id: id },
  sessions: {
    id,
    kind: { ...id, default: 'cookie' },
    name: orNull(longText),
    user_id: id,
    epoch: whole,
    created_at: whole,
    last_seen_at: whole,
    expires_at: whole,
    details: orNull(longText),
    methods: orNull(longText),
    confirmed_at: orNull(whole),
    prior_confirmed_at: orNull(whole),
    confirmation: zero,
    generation: zero,
    seen_generation: zero,
    base_generation: zero,
    next_base: orNull(whole),
    settles_at: orNull(whole),
  },
  invitations: {
    id,
    target: id,
    inviter_id: id,
    email: text,
    email_key: key,
    gives: longText,
    created_at: whole,
    expires_at: whole,
    sends: whole,
    accepting_until: orNull(whole),
    version: whole,
  },
  activity: {
    id,
    user_id: id,
    type: id,
    happened_at: whole,
    actor: id,
    device: orNull(longText),
    network: orNull(longText),
    data: longText,
  },
  organizations: {
    id,
    slug: id,
    name: text,
    fields: longText,
    created_at: whole,
    members: whole,
    owners: whole,
    version: whole,
  },
  organizationMembers: {
    organization_id: id,
    user_id: id,
    roles: longText,
    since: whole,
    invitation_id: orNull(id),
  },
  outbox: {
    id,
    realm: id,
    mail: longText,
    posted_at: whole,
    due_at: orNull(whole),
    attempts: whole,
    claim: orNull(id),
    error: orNull(longText),
  },
}

/** Where it isn't `id`. */
const primaryKeys: Partial<Record<Described, readonly string[]>> = {
  identities: ['identity_key'],
  organizationMembers: ['organization_id', 'user_id'],
}

/** By the column that each is named after. */
const indexes: Record<Described, Record<string, { columns: readonly string[]; isUnique: boolean }>> = {
  users: {
    username_key: { columns: ['username_key'], isUnique: true },
    email_key: { columns: ['email_key'], isUnique: true },
    created_at: { columns: ['created_at', 'id'], isUnique: true },
    is_active: { columns: ['is_active', 'created_at', 'id'], isUnique: false },
    is_staff: { columns: ['is_staff', 'created_at', 'id'], isUnique: false },
    is_verified: { columns: ['is_verified', 'created_at', 'id'], isUnique: false },
    kind: { columns: ['kind', 'created_at', 'id'], isUnique: false },
  },
  identities: { user_id: { columns: ['user_id', 'identity_key'], isUnique: true } },
  sessions: {
    user_id: { columns: ['user_id', 'created_at', 'id'], isUnique: true },
    expires_at: { columns: ['expires_at', 'id'], isUnique: true },
  },
  invitations: {
    target: { columns: ['target', 'inviter_id', 'email_key'], isUnique: true },
    email_key: { columns: ['email_key', 'created_at', 'id'], isUnique: true },
    created_at: { columns: ['created_at', 'id'], isUnique: true },
    inviter_id: { columns: ['inviter_id', 'created_at', 'id'], isUnique: true },
    expires_at: { columns: ['expires_at', 'id'], isUnique: true },
  },
  activity: {
    user_id: { columns: ['user_id', 'happened_at', 'id'], isUnique: true },
    happened_at: { columns: ['happened_at', 'id'], isUnique: true },
  },
  organizations: {
    slug: { columns: ['slug'], isUnique: true },
    created_at: { columns: ['created_at', 'id'], isUnique: true },
  },
  organizationMembers: {
    since: { columns: ['organization_id', 'since', 'user_id'], isUnique: true },
    user_id: { columns: ['user_id', 'since', 'organization_id'], isUnique: true },
  },
  outbox: { due_at: { columns: ['realm', 'due_at', 'id'], isUnique: true } },
}

/**
 * The tables that the stores need, as all migrations together make them: for tools that write them in other words, as
 * `npx fastify-accounts schema` does.
 * @param engine the one that `columns` with `as` are for
 * @throws TypeError of one line if an option is wrong
 */
export function describeTables(naming: Naming = {}, engine: Engine = 'postgres'): TableDescription[] {
  return tablesOf(resolveNames(naming, engine), Object.keys(shapes) as Described[])
}

/** Some of the tables under these names. */
export function tablesOf(names: Names, tables: readonly Described[]): TableDescription[] {
  return tables.map((holds) => {
    const named = (column: string) => columnName(names, holds, column)
    return {
      holds,
      name: names.tables[holds],
      columns: Object.entries<Shape>(shapes[holds]).map(([column, shape]) => ({
        field: camelCase(column),
        name: named(column),
        ...shape,
        ...holdsOther(names, holds, column),
      })),
      primaryKey: (primaryKeys[holds] ?? ['id']).map(named),
      indexes: Object.entries(indexes[holds]).map(([column, { columns, isUnique }]) => ({
        name: indexName(names.tables[holds], column),
        columns: columns.map(named),
        isUnique,
      })),
    }
  })
}

/** A column of another type. */
function holdsOther({ columns }: Names, table: Described, column: string): Pick<Shape, 'type'> | undefined {
  const form = columns[table].forms[column]
  return form && { type: form.holds }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
