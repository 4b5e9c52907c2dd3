// The tables of @fastify-accounts/table-stores on PostgreSQL, as tables of Drizzle: npx fastify-accounts schema drizzle
import {
  bigint,
  boolean,
  customType,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'

/** A text that is compared byte by byte. */
const exactText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

export const accountsUsers = pgTable(
  'accounts_users',
  {
    id: exactText('id').primaryKey(),
    kind: text('kind').notNull(),
    origin: text('origin').notNull(),
    username: text('username'),
    usernameKey: exactText('username_key'),
    email: text('email'),
    emailKey: exactText('email_key'),
    passwordHash: text('password_hash').notNull(),
    isVerified: boolean('is_verified').notNull(),
    isStaff: boolean('is_staff').notNull(),
    roles: text('roles').notNull(),
    isActive: boolean('is_active').notNull(),
    createdAt: timestamp('created_at', { precision: 3, withTimezone: true }).notNull(),
    lastLoginAt: timestamp('last_login_at', { precision: 3, withTimezone: true }),
    emailChangedAt: timestamp('email_changed_at', { precision: 3, withTimezone: true }),
    sessionEpoch: bigint('session_epoch', { mode: 'number' }).notNull(),
    resetEpoch: bigint('reset_epoch', { mode: 'number' }).notNull(),
    verifyEpoch: bigint('verify_epoch', { mode: 'number' }).notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
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

export const accountsIdentities = pgTable(
  'accounts_identities',
  {
    identityKey: exactText('identity_key').primaryKey(),
    userId: exactText('user_id')
      .notNull()
      .references(() => accountsUsers.id, { onDelete: 'cascade' }),
  },
  (table) => [index('accounts_identities_user_id').on(table.userId)],
)

export const accountsSessions = pgTable(
  'accounts_sessions',
  {
    id: exactText('id').primaryKey(),
    kind: text('kind').notNull(),
    name: text('name'),
    userId: exactText('user_id').notNull(),
    epoch: bigint('epoch', { mode: 'number' }).notNull(),
    createdAt: timestamp('created_at', { precision: 3, withTimezone: true }).notNull(),
    lastSeenAt: timestamp('last_seen_at', { precision: 3, withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { precision: 3, withTimezone: true }).notNull(),
    details: text('details'),
    methods: text('methods').notNull(),
    confirmedAt: timestamp('confirmed_at', { precision: 3, withTimezone: true }),
    priorConfirmedAt: timestamp('prior_confirmed_at', { precision: 3, withTimezone: true }),
    confirmation: bigint('confirmation', { mode: 'number' }).notNull(),
    generation: bigint('generation', { mode: 'number' }).notNull(),
    seenGeneration: bigint('seen_generation', { mode: 'number' }).notNull(),
    baseGeneration: bigint('base_generation', { mode: 'number' }).notNull(),
    nextBase: bigint('next_base', { mode: 'number' }),
    settlesAt: timestamp('settles_at', { precision: 3, withTimezone: true }),
  },
  (table) => [
    index('accounts_sessions_user_id').on(table.userId, table.createdAt),
    index('accounts_sessions_expires_at').on(table.expiresAt),
  ],
)

export const accountsInvitations = pgTable(
  'accounts_invitations',
  {
    id: exactText('id').primaryKey(),
    target: exactText('target').notNull(),
    inviterId: exactText('inviter_id').notNull(),
    email: text('email').notNull(),
    emailKey: exactText('email_key').notNull(),
    gives: text('gives').notNull(),
    createdAt: timestamp('created_at', { precision: 3, withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { precision: 3, withTimezone: true }).notNull(),
    sends: bigint('sends', { mode: 'number' }).notNull(),
    acceptingUntil: timestamp('accepting_until', { precision: 3, withTimezone: true }),
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

export const accountsOutbox = pgTable(
  'accounts_outbox',
  {
    id: exactText('id').primaryKey(),
    realm: exactText('realm').notNull(),
    message: text('message').notNull(),
    postedAt: timestamp('posted_at', { precision: 3, withTimezone: true }).notNull(),
    dueAt: timestamp('due_at', { precision: 3, withTimezone: true }),
    claim: exactText('claim'),
    attempts: bigint('attempts', { mode: 'number' }).notNull(),
    error: text('error'),
  },
  (table) => [index('accounts_outbox_due_at').on(table.realm, table.dueAt, table.id)],
)

export const accountsOrganizations = pgTable(
  'accounts_organizations',
  {
    id: exactText('id').primaryKey(),
    slug: exactText('slug').notNull(),
    name: text('name').notNull(),
    fields: text('fields').notNull(),
    createdAt: timestamp('created_at', { precision: 3, withTimezone: true }).notNull(),
    members: bigint('members', { mode: 'number' }).notNull(),
    owners: bigint('owners', { mode: 'number' }).notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (table) => [
    unique('accounts_organizations_slug').on(table.slug),
    index('accounts_organizations_created_at').on(table.createdAt, table.id),
  ],
)

export const accountsOrganizationMembers = pgTable(
  'accounts_organization_members',
  {
    organizationId: exactText('organization_id').notNull(),
    userId: exactText('user_id').notNull(),
    roles: text('roles').notNull(),
    since: timestamp('since', { precision: 3, withTimezone: true }).notNull(),
    invitationId: exactText('invitation_id'),
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
