import type { Invitation, Session, StoredUser } from 'fastify-accounts'

/** A user as a table has it: lists and objects are JSON. */
export type UserRow = Omit<
  StoredUser,
  'roles' | 'fields' | 'factors' | 'credentials' | 'identityKeys' | 'notes'
> & {
  roles: string
  fields: string
  factors: string
  credentials: string
  /** All of them once more, so that one row is the whole user. */
  identityKeys: string
  notes: string
}

/** The columns of a user that each request reads. */
export type VisitorRow = Omit<UserRow, 'credentials' | 'identityKeys' | 'notes'>

/** A session as a table has it: lists and objects are JSON. */
export type SessionRow = Omit<Session, 'details' | 'methods'> & {
  details: string | null
  methods: string
}

/** An invitation as a table has it: what it gives is JSON. */
export type InvitationRow = Omit<Invitation, 'inviterId' | 'gives'> & {
  /** '' for the app's own code: NULL would not be unique. */
  inviterId: string
  gives: string
}

/** A message that waits, or a dead letter. */
export interface OutboxRow {
  id: string
  realm: string
  /** JSON. */
  message: string
  postedAt: Date
  /** `null` for a dead letter. */
  dueAt: Date | null
  /** Names the claim that the message is delivered under; `null` if nobody delivers it. */
  claim: string | null
  attempts: number
  /** Why the last attempt failed, at most 1000 characters; `null` if none has. */
  error: string | null
}

/**
 * A row as it may be read: with flags as 0 and 1, whole numbers as text or bigint, times in milliseconds since 1970, and
 * texts as bytes in UTF-8, as drivers return them. Columns of your own are ignored.
 */
export type ReadRow<Row> = { readonly [Column in keyof Row]: ReadValue<Row[Column]> }

type ReadValue<Value> = Value extends boolean
  ? boolean | number | bigint
  : Value extends number
    ? number | bigint | string
    : Value extends Date
      ? Date | number | bigint | string
      : Value extends string
        ? string | Uint8Array
        : Value

/** How many rows a statement found, as drivers return it; `null` and `undefined` count as none. */
export type RowCount = number | bigint | null | undefined
