import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountOrigin, Credential, UserFields, UserKind, UserNotes } from 'fastify-accounts'

/**
 * The customers table as accounts see it. Columns have the names of the user's properties, so a row is nearly a user.
 * Columns that accounts don't need are left out: an insert uses their defaults.
 */
export const customers = sqliteTable('customers', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  kind: text('kind').$type<UserKind>().notNull(),
  origin: text('origin').$type<AccountOrigin>().notNull(),
  // The old application requires a login: an account without a username gets a random one, without a key.
  username: text('login').notNull(),
  usernameKey: text('username_key'),
  email: text('mail'),
  emailKey: text('mail_key'),
  passwordHash: text('password').notNull(),
  isVerified: integer('is_verified', { mode: 'boolean' }).notNull(),
  isStaff: integer('is_staff', { mode: 'boolean' }).notNull(),
  roles: text('roles', { mode: 'json' }).$type<readonly string[]>().notNull(),
  isBlocked: integer('blocked', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  lastLoginAt: integer('last_login_at', { mode: 'timestamp_ms' }),
  emailChangedAt: integer('email_changed_at', { mode: 'timestamp_ms' }),
  sessionEpoch: integer('session_epoch').notNull(),
  resetEpoch: integer('reset_epoch').notNull(),
  verifyEpoch: integer('verify_epoch').notNull(),
  version: integer('version').notNull(),
  factors: text('factors', { mode: 'json' }).$type<readonly string[]>().notNull(),
  credentials: text('credentials', { mode: 'json' }).$type<readonly Credential[]>().notNull(),
  notes: text('notes', { mode: 'json' }).$type<UserNotes>().notNull(),
  fullName: text('full_name'),
  phone: text('phone'),
  moreFields: text('more_fields', { mode: 'json' }).$type<UserFields>().notNull().default({}),
})

export type CustomerRow = typeof customers.$inferSelect
