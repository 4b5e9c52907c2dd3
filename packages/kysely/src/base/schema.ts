/** A column as Kysely types it. By hand: column names are public, and need no Kysely. */
interface Column<Read, Written> {
  readonly __select__: Read
  readonly __insert__: Written
  readonly __update__: Written
}

/** A text that is compared byte by byte. MySQL stores it as VARBINARY, whose values are returned as bytes. */
type Key = Column<string | Uint8Array, string>
/** A whole number up to 2^53. PostgreSQL drivers return 64-bit columns as strings. */
type Whole = Column<number | string | bigint, number>
/** 0 or 1: the only boolean that every engine and driver handles alike. */
type Flag = Whole
/** Milliseconds since 1970 in UTC: no session time zone or column precision can change them. */
type Time = Whole

export interface UsersTable {
  id: Key
  kind: Key
  origin: Key
  /** '' for a user without a name. */
  username: string
  /** For a user without a name, a key that matches nobody: see user-row.ts. */
  username_key: Key
  email: string | null
  email_key: Key | null
  password_hash: string
  is_verified: Flag
  is_staff: Flag
  /** JSON as text; `null`: none. */
  roles: string | null
  is_active: Flag
  created_at: Time
  last_login_at: Time | null
  email_changed_at: Time | null
  session_epoch: Whole
  reset_epoch: Whole
  verify_epoch: Whole
  version: Whole
  /** JSON as text: JSON columns reorder keys, and PostgreSQL's refuses some characters. */
  fields: string
  /** JSON as text; `null`: none. */
  factors: string | null
  /** JSON as text; `null`: none. */
  credentials: string | null
  /** JSON as text; `null`: none. Each also has its own row in the table of identities, which keeps them unique. */
  identity_keys: string | null
  /** JSON as text; `null`: none. Not called `notes`, as columns of the host's own often are. */
  account_notes: string | null
}

export interface IdentitiesTable {
  identity_key: Key
  user_id: Key
}

export interface SessionsTable {
  id: Key
  kind: Key
  name: string | null
  user_id: Key
  epoch: Whole
  created_at: Time
  last_seen_at: Time
  expires_at: Time
  /** JSON as text; `null`: none. */
  details: string | null
  /** JSON as text. A session with `null` has ended. */
  methods: string | null
  confirmed_at: Time | null
  prior_confirmed_at: Time | null
  confirmation: Whole
  generation: Whole
  seen_generation: Whole
  base_generation: Whole
  next_base: Whole | null
  settles_at: Time | null
}

export interface InvitationsTable {
  id: Key
  target: Key
  /** '' for the app's own code: NULL would not be unique. */
  inviter_id: Key
  email: string
  email_key: Key
  /** JSON as text. */
  gives: string
  created_at: Time
  expires_at: Time
  sends: Whole
  accepting_until: Time | null
  version: Whole
}

export interface ActivityTable {
  /** The event's. */
  id: Key
  user_id: Key
  type: Key
  happened_at: Time
  actor: Key
  device: string | null
  network: string | null
  /** JSON as text. */
  data: string
}

export interface OrganizationsTable {
  id: Key
  slug: Key
  name: string
  /** JSON as text. */
  fields: string
  created_at: Time
  members: Whole
  owners: Whole
  version: Whole
}

export interface OrganizationMembersTable {
  organization_id: Key
  user_id: Key
  /** JSON as text. */
  roles: string
  since: Time
  invitation_id: Key | null
}

export interface OutboxTable {
  id: Key
  realm: Key
  /** A message of any kind, as JSON text: the column is older than messages that are not emails. */
  mail: string
  posted_at: Time
  /** `null`: a dead letter. */
  due_at: Time | null
  attempts: Whole
  /** The last claim; `null` if unclaimed. */
  claim: Key | null
  /** Why the last attempt failed. */
  error: string | null
}

/** The tables under their default names. */
export interface Tables {
  accounts_users: UsersTable
  accounts_identities: IdentitiesTable
  accounts_sessions: SessionsTable
  accounts_invitations: InvitationsTable
  accounts_activity: ActivityTable
  accounts_organizations: OrganizationsTable
  accounts_organization_members: OrganizationMembersTable
  accounts_outbox: OutboxTable
  accounts_migrations: { name: string }
}
