// The tables of @fastify-accounts/table-stores on SQLite, as tables of Drizzle: npx fastify-accounts schema drizzle
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'

export const accountsUsers = sqliteTable(
  'accounts_users',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    origin: text('origin').notNull(),
    username: text('username'),
    usernameKey: text('username_key'),
    email: text('email'),
    emailKey: text('email_key'),
    passwordHash: text('password_hash').notNull(),
    isVerified: integer('is_verified', { mode: 'boolean' }).notNull(),
    isStaff: integer('is_staff', { mode: 'boolean' }).notNull(),
    roles: text('roles').notNull(),
    isActive: integer('is_active', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    lastLoginAt: integer('last_login_at', { mode: 'timestamp_ms' }),
    emailChangedAt: integer('email_changed_at', { mode: 'timestamp_ms' }),
    sessionEpoch: integer('session_epoch').notNull(),
    resetEpoch: integer('reset_epoch').notNull(),
    verifyEpoch: integer('verify_epoch').notNull(),
    version: integer('version').notNull(),
    fields: text('fields').notNull(),
    factors: text('factors').notNull(),
    credentials: text('credentials').notNull(),
    identityKeys: text('identity_keys').notNull(),
    notes: text('notes').notNull(),
  },
  (table) => [
    unique('accounts_users_username_key').on(table.usernameKey),
    unique('accounts_users_email_key').on(table.emailKey),
    index('accounts_users_created_at').on(table.createdAt, table.id),
    index('accounts_users_kind').on(table.kind, table.createdAt, table.id),
  ],
)

export const accountsIdentities = sqliteTable(
  'accounts_identities',
  {
    identityKey: text('identity_key').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => accountsUsers.id, { onDelete: 'cascade' }),
  },
  (table) => [index('accounts_identities_user_id').on(table.userId)],
)

export const accountsSessions = sqliteTable(
  'accounts_sessions',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    name: text('name'),
    userId: text('user_id').notNull(),
    epoch: integer('epoch').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    details: text('details'),
    methods: text('methods').notNull(),
    confirmedAt: integer('confirmed_at', { mode: 'timestamp_ms' }),
    priorConfirmedAt: integer('prior_confirmed_at', { mode: 'timestamp_ms' }),
    confirmation: integer('confirmation').notNull(),
    generation: integer('generation').notNull(),
    seenGeneration: integer('seen_generation').notNull(),
    baseGeneration: integer('base_generation').notNull(),
    nextBase: integer('next_base'),
    settlesAt: integer('settles_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    index('accounts_sessions_user_id').on(table.userId, table.createdAt),
    index('accounts_sessions_expires_at').on(table.expiresAt),
  ],
)

export const accountsInvitations = sqliteTable(
  'accounts_invitations',
  {
    id: text('id').primaryKey(),
    target: text('target').notNull(),
    inviterId: text('inviter_id').notNull(),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    gives: text('gives').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    sends: integer('sends').notNull(),
    acceptingUntil: integer('accepting_until', { mode: 'timestamp_ms' }),
    version: integer('version').notNull(),
  },
  (table) => [
    unique('accounts_invitations_target').on(table.target, table.inviterId, table.emailKey),
    index('accounts_invitations_email_key').on(table.emailKey),
    index('accounts_invitations_created_at').on(table.createdAt, table.id),
    index('accounts_invitations_inviter_id').on(table.inviterId, table.createdAt, table.id),
    index('accounts_invitations_expires_at').on(table.expiresAt),
  ],
)

export const accountsOutbox = sqliteTable(
  'accounts_outbox',
  {
    id: text('id').primaryKey(),
    realm: text('realm').notNull(),
    message: text('message').notNull(),
    postedAt: integer('posted_at', { mode: 'timestamp_ms' }).notNull(),
    dueAt: integer('due_at', { mode: 'timestamp_ms' }),
    claim: text('claim'),
    attempts: integer('attempts').notNull(),
    error: text('error'),
  },
  (table) => [index('accounts_outbox_due_at').on(table.realm, table.dueAt, table.id)],
)

export const accountsOrganizations = sqliteTable(
  'accounts_organizations',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    fields: text('fields').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    members: integer('members').notNull(),
    owners: integer('owners').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [
    unique('accounts_organizations_slug').on(table.slug),
    index('accounts_organizations_created_at').on(table.createdAt, table.id),
  ],
)

export const accountsOrganizationMembers = sqliteTable(
  'accounts_organization_members',
  {
    organizationId: text('organization_id').notNull(),
    userId: text('user_id').notNull(),
    roles: text('roles').notNull(),
    since: integer('since', { mode: 'timestamp_ms' }).notNull(),
    invitationId: text('invitation_id'),
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
