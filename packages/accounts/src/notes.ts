import type { JsonValue, StoredUser, UserNotes } from './user.js'

/*
 * What the plugin notes of who owns an account. No note lets anybody in.
 */

type Noted = Pick<StoredUser, 'notes'>

/**
 * Noted where somebody verified the address who didn't show that they made the account: the owner of the mailbox may have
 * clicked a link about an account of somebody else, who knows its password. It names what must go then, however old, so
 * nothing that uses or renames a credential can lose the mark.
 */
export type PlainProof = {
  /** When, RFC 3339: since then somebody who knows the password may have added more. `null` if staff vouch for it. */
  since: string | null
  /** The credentials and identities of the unproven time: `<kind>:<id>`, as in `identityKeys`. */
  suspects: string[]
  /** The `resetEpoch` of then: with it, the password is still that of the unproven time. */
  epoch?: number
}

/**
 * Roles given at a sign-up to an address that nobody has proven yet. They are the account's once somebody has, who also
 * showed that they made it: otherwise anybody who signs up with another person's address would get that person's roles.
 * Any change of the address raises `verifyEpoch`, which ends the promise.
 */
export type PromisedRoles = {
  emailKey: string
  verifyEpoch: number
  roles: string[]
}

/**
 * Noted with an `unclaimed` account, which keeps what somebody entered at a sign-up with an address that another account has:
 * it gives way once that is over.
 */
export type Decoy = {
  /** The address that was wanted. */
  emailKey: string
  /** The account that had it, if nobody had proven it by then; otherwise `null`. */
  ownerId: string | null
  /** What it gave up for that account, until that has it: see newest-sign-up.ts. */
  wanted?: { username: string | null; identityKeys: string[] }
}

/** The new address that the owner has asked for last. Its link is good only while this is noted. */
export type PendingAddress = {
  email: string
  /** When they asked, and until when the link is good, RFC 3339. */
  at: string
  until: string
  /** The state that the link depends on: another change of the account may have ended it. */
  state: string
}

/**
 * An invitation that an account has accepted, noted by its id: it may still be stored, if the process that accepted it died.
 * What it gave goes if an earlier change of the address is undone: that was for the person who had the address then.
 */
export type AcceptedInvitation = {
  /** When, RFC 3339. */
  at: string
  /** Until when it is noted, RFC 3339. */
  until: string
  /** The roles, and the names of the own fields, that the account didn't have before. */
  roles: string[]
  fields: string[]
}

type AcceptedInvitations = { [id: string]: AcceptedInvitation }

/** How the address was verified, if the person who did it hasn't shown that they made the account; otherwise `null`. */
export const plainProofOf = (user: Noted): PlainProof | null => noteOf<PlainProof>(user, 'plainProof')

export const decoyOf = (user: Noted): Decoy | null => noteOf<Decoy>(user, 'decoy')

export const promisedRolesOf = (user: Noted): PromisedRoles | null =>
  noteOf<PromisedRoles>(user, 'promisedRoles')

/** Whether the address is known to be the user's, by more than a plain proof. Who vouches for it knows whose it is. */
export function isKnownOwner(user: Pick<StoredUser, 'kind' | 'emailKey' | 'isVerified' | 'notes'>): boolean {
  const { since = null } = plainProofOf(user) ?? {}
  const isProven = user.emailKey !== null && user.isVerified && since === null
  return user.kind === 'person' && isProven && !isConfirmedElsewhere(user)
}

/** Whether a change has made an address known to be the user's: `verified` of `alongside` runs, and `user.verified` is told. */
export const hasProven = (before: StoredUser, after: StoredUser): boolean =>
  isKnownOwner(after) && !(isKnownOwner(before) && before.emailKey === after.emailKey)

/** `null` once it has expired. */
export function pendingAddressOf(user: Noted): PendingAddress | null {
  const note = noteOf<PendingAddress>(user, 'pendingAddress')
  return note !== null && Date.parse(note.until) > Date.now() ? note : null
}

/** Whether a new address was confirmed by somebody who didn't show that the account is theirs. Only that is in doubt. */
export const isConfirmedElsewhere = (user: Noted): boolean => user.notes.confirmedElsewhere === true

/** Whether it is what is left of an account that another one replaces. */
export const isReplaced = (user: Noted): boolean => user.notes.replaced === true

export const hasAccepted = (user: Noted, id: string): boolean =>
  Object.hasOwn(acceptedInvitationsOf(user), id)

export const acceptedInvitationsOf = (user: Noted): AcceptedInvitations =>
  noteOf<AcceptedInvitations>(user, 'accepted') ?? {}

function noteOf<Note extends JsonValue>({ notes }: Noted, name: string): Note | null {
  return (notes[name] as Note | undefined) ?? null
}

/** The change that ends a note; none if there is no such note. */
export const endNote = (user: Noted, name: string): { notes?: UserNotes } =>
  user.notes[name] === undefined ? {} : { notes: withNoteOf(user, name, undefined) }

/** The notes with another one, or without it. */
export function withNoteOf({ notes }: Noted, name: string, note: JsonValue | undefined): UserNotes {
  const { [name]: _former, ...others } = notes
  return note === undefined ? others : { ...others, [name]: note }
}
