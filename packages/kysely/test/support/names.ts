import type { Naming } from '@fastify-accounts/kysely'

/**
 * Other names for everything. They include a reserved word, a space, a quote, and two swapped column names, so
 * anything not translated, or translated twice, is detected.
 */
export const otherNames = {
  tables: {
    users: 'people',
    identities: 'people_known',
    sessions: 'Logins of people',
    invitations: 'Invited to',
    activity: 'Seen "by"',
    organizations: 'Teams of people',
    organizationMembers: 'Who is where',
    outbox: 'group',
    migrations: 'people_steps',
  },
  columns: {
    users: {
      id: 'person',
      kind: 'case',
      origin: 'kind',
      username: 'login',
      username_key: 'order',
      email: 'E-mail "address"',
      email_key: 'mail.key',
      password_hash: 'secret',
      is_verified: 'verified',
      is_staff: 'staff',
      is_active: 'active',
      roles: 'invited_at',
      created_at: 'last_login_at',
      last_login_at: 'created_at',
      session_epoch: 'epoch_1',
      reset_epoch: 'epoch_2',
      verify_epoch: 'epoch_3',
      version: 'fields',
      fields: 'version',
      credentials: 'identity_keys',
      identity_keys: 'credentials',
      account_notes: 'email',
    },
    identities: { identity_key: 'user_id', user_id: 'identity_key' },
    sessions: {
      id: 'user_id',
      user_id: 'id',
      kind: 'name',
      name: 'kind',
      epoch: 'group',
      created_at: 'made',
      last_seen_at: 'seen',
      expires_at: 'ends',
      generation: 'seen_generation',
      seen_generation: 'generation',
    },
    invitations: { id: 'target', target: 'id', inviter_id: 'from', gives: 'version', version: 'gives' },
    activity: { id: 'user_id', user_id: 'id', happened_at: 'order', data: 'the data' },
    organizations: { id: 'slug', slug: 'id', members: 'owners', owners: 'members', fields: 'the "fields"' },
    organizationMembers: {
      organization_id: 'user_id',
      user_id: 'organization_id',
      since: 'order',
      roles: 'group',
    },
    outbox: { id: 'letter', mail: 'select', posted_at: 'due_at', due_at: 'posted_at', claim: 'held by' },
  },
} as const satisfies Naming
