// The tables of @fastify-accounts/table-stores on MySQL or MariaDB, as tables of Drizzle: npx fastify-accounts schema drizzle
import {
  bigint,
  boolean,
  datetime,
  index,
  longtext,
  mysqlTable,
  primaryKey,
  unique,
  varbinary,
  varchar,
} from 'drizzle-orm/mysql-core'

export const accountsUsers = mysqlTable(
  'accounts_users',
  {
    id: varbinary('id', { length: 255 }).primaryKey(),
    kind: varchar('kind', { length: 255 }).notNull(),
    origin: varchar('origin', { length: 255 }).notNull(),
    username: varchar('username', { length: 1024 }),
    usernameKey: varbinary('username_key', { length: 1024 }),
    email: varchar('email', { length: 1024 }),
    emailKey: varbinary('email_key', { length: 1024 }),
    passwordHash: varchar('password_hash', { length: 1024 }).notNull(),
    isVerified: boolean('is_verified').notNull(),
    isStaff: boolean('is_staff').notNull(),
    roles: longtext('roles').notNull(),
    isActive: boolean('is_active').notNull(),
    createdAt: datetime('created_at', { fsp: 3 }).notNull(),
    lastLoginAt: datetime('last_login_at', { fsp: 3 }),
    emailChangedAt: datetime('email_changed_at', { fsp: 3 }),
    sessionEpoch: bigint('session_epoch', { mode: 'number' }).notNull(),
    resetEpoch: bigint('reset_epoch', { mode: 'number' }).notNull(),
    verifyEpoch: bigint('verify_epoch', { mode: 'number' }).notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
    fields: longtext('fields').notNull(),
    factors: longtext('factors').notNull(),
    credentials: longtext('credentials').notNull(),
    identityKeys: longtext('identity_keys').notNull(),
    notes: longtext('notes').notNull(),
  },
  (table) => [
    unique('accounts_users_username_key').on(table.usernameKey),
    unique('accounts_users_email_key').on(table.emailKey),
    index('accounts_users_created_at').on(table.createdAt, table.id),
    index('accounts_users_kind').on(table.kind, table.createdAt, table.id),
  ],
)

export const accountsIdentities = mysqlTable(
  'accounts_identities',
  {
    identityKey: varbinary('identity_key', { length: 1024 }).primaryKey(),
    userId: varbinary('user_id', { length: 255 })
      .notNull()
      .references(() => accountsUsers.id, { onDelete: 'cascade' }),
  },
  (table) => [index('accounts_identities_user_id').on(table.userId)],
)

export const accountsSessions = mysqlTable(
  'accounts_sessions',
  {
    id: varbinary('id', { length: 255 }).primaryKey(),
    kind: varchar('kind', { length: 255 }).notNull(),
    name: varchar('name', { length: 1024 }),
    userId: varbinary('user_id', { length: 255 }).notNull(),
    epoch: bigint('epoch', { mode: 'number' }).notNull(),
    createdAt: datetime('created_at', { fsp: 3 }).notNull(),
    lastSeenAt: datetime('last_seen_at', { fsp: 3 }).notNull(),
    expiresAt: datetime('expires_at', { fsp: 3 }).notNull(),
    details: longtext('details'),
    methods: longtext('methods').notNull(),
    confirmedAt: datetime('confirmed_at', { fsp: 3 }),
    priorConfirmedAt: datetime('prior_confirmed_at', { fsp: 3 }),
    confirmation: bigint('confirmation', { mode: 'number' }).notNull(),
    generation: bigint('generation', { mode: 'number' }).notNull(),
    seenGeneration: bigint('seen_generation', { mode: 'number' }).notNull(),
    baseGeneration: bigint('base_generation', { mode: 'number' }).notNull(),
    nextBase: bigint('next_base', { mode: 'number' }),
    settlesAt: datetime('settles_at', { fsp: 3 }),
  },
  (table) => [
    index('accounts_sessions_user_id').on(table.userId, table.createdAt),
    index('accounts_sessions_expires_at').on(table.expiresAt),
  ],
)

export const accountsInvitations = mysqlTable(
  'accounts_invitations',
  {
    id: varbinary('id', { length: 255 }).primaryKey(),
    target: varbinary('target', { length: 255 }).notNull(),
    inviterId: varbinary('inviter_id', { length: 255 }).notNull(),
    email: varchar('email', { length: 1024 }).notNull(),
    emailKey: varbinary('email_key', { length: 1024 }).notNull(),
    gives: longtext('gives').notNull(),
    createdAt: datetime('created_at', { fsp: 3 }).notNull(),
    expiresAt: datetime('expires_at', { fsp: 3 }).notNull(),
    sends: bigint('sends', { mode: 'number' }).notNull(),
    acceptingUntil: datetime('accepting_until', { fsp: 3 }),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (table) => [
    unique('accounts_invitations_target').on(table.target, table.inviterId, table.emailKey),
    index('accounts_invitations_email_key').on(table.emailKey),
    index('accounts_invitations_created_at').on(table.createdAt, table.id),
    index('accounts_invitations_inviter_id').on(table.inviterId, table.createdAt, table.id),
    index('accounts_invitations_expires_at').on(table.expiresAt),
  ],
)

export const accountsOutbox = mysqlTable(
  'accounts_outbox',
  {
    id: varbinary('id', { length: 255 }).primaryKey(),
    realm: varbinary('realm', { length: 255 }).notNull(),
    message: longtext('message').notNull(),
    postedAt: datetime('posted_at', { fsp: 3 }).notNull(),
    dueAt: datetime('due_at', { fsp: 3 }),
    claim: varbinary('claim', { length: 255 }),
    attempts: bigint('attempts', { mode: 'number' }).notNull(),
    error: longtext('error'),
  },
  (table) => [index('accounts_outbox_due_at').on(table.realm, table.dueAt, table.id)],
)

export const accountsOrganizations = mysqlTable(
  'accounts_organizations',
  {
    id: varbinary('id', { length: 255 }).primaryKey(),
    slug: varbinary('slug', { length: 1024 }).notNull(),
    name: varchar('name', { length: 1024 }).notNull(),
    fields: longtext('fields').notNull(),
    createdAt: datetime('created_at', { fsp: 3 }).notNull(),
    members: bigint('members', { mode: 'number' }).notNull(),
    owners: bigint('owners', { mode: 'number' }).notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (table) => [
    unique('accounts_organizations_slug').on(table.slug),
    index('accounts_organizations_created_at').on(table.createdAt, table.id),
  ],
)

export const accountsOrganizationMembers = mysqlTable(
  'accounts_organization_members',
  {
    organizationId: varbinary('organization_id', { length: 255 }).notNull(),
    userId: varbinary('user_id', { length: 255 }).notNull(),
    roles: longtext('roles').notNull(),
    since: datetime('since', { fsp: 3 }).notNull(),
    invitationId: varbinary('invitation_id', { length: 255 }),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    index('accounts_organization_members_organization_id').on(
      table.organizationId,
      table.since,
      table.userId,
    ),
    index('accounts_organization_members_user_id').on(table.userId, table.since, table.organizationId),
  ],
)
