import type { JsonValue } from '../user.js'
import type { SeamMethods } from './methods.js'
import type { OperatedStore } from './operated-store.js'
import type { Outbox, PendingMessage } from './outbox.js'

/** An invitation of an email address, whether or not anybody has an account there. */
export interface Invitation {
  /** Made by the plugin: random, 22 URL-safe characters. */
  id: string
  /**
   * What it invites to: the name of the mount, its `decorateAs.instance`, for an account; with a colon and a word after it, what
   * a feature invites to. At most 255 bytes.
   */
  target: string
  /** The id of the user who invited; `null` for the app's own code. */
  inviterId: string | null
  /** As typed, without surrounding white space. */
  email: string
  /** For comparing addresses. */
  emailKey: string
  /** What it gives, as its target means it. Stored as given, as JSON. */
  gives: JsonValue
  /** To the millisecond. */
  createdAt: Date
  /** From then on it gives nothing. To the millisecond. */
  expiresAt: Date
  /** How many links have been mailed, from 1: only the latest works. */
  sends: number
  /**
   * Until when somebody's acceptance may take effect, by the clock of the store; `null` while it is open. To the millisecond.
   */
  acceptingUntil: Date | null
  /** 1 at creation, plus one at each update; for compare-and-swap. */
  version: number
}

/** What can change of an invitation: absent and `undefined` leave a field alone, `null` clears it. */
export type InvitationChanges = {
  [Field in 'email' | 'gives' | 'expiresAt' | 'sends' | 'acceptingUntil']?: Invitation[Field] | undefined
}

/** A query of `InvitationStore.list`. */
export interface InvitationListQuery {
  /** Only of this target. Default: of all. */
  target?: string | undefined
  /** Only of this inviter; `null`: of the app's own code. Default: of all. */
  inviterId?: string | null | undefined
  /** The most invitations to return, from 1. */
  limit: number
  /** Only those after this position; the one at the position may be gone. Default: from the first. */
  after?: Pick<Invitation, 'createdAt' | 'id'> | undefined
}

/**
 * Stores invitations, one row for each target, inviter and address.
 *
 * - Records are copies, in both directions.
 * - A call sees what every acknowledged call wrote, in any process.
 * - Expired invitations are found like others, until `deleteExpired` removes them.
 * - A deleted invitation never comes back: only `create` makes a row.
 * - Nothing takes effect after `callDeadline()`, as with user stores: a call that begins later rejects with
 *   `UnavailableError`.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`; any other error counts as `UnavailableError`.
 *
 * Its conformance suite is `invitationStoreCases` of `@fastify-accounts/testing`.
 */
export interface InvitationStore extends OperatedStore {
  /**
   * Stores a new invitation with the version 1.
   * @param messages only given if there is an `outbox`: stored in it if and only if the invitation is
   * @returns `false` if there is one with the same `target`, `inviterId` and `emailKey`: then nothing is stored. Of
   * simultaneous calls for one of these, one returns `true`
   * @throws InvalidArgumentError if the id is in use
   */
  create(invitation: Omit<Invitation, 'version'>, messages?: readonly PendingMessage[]): Promise<boolean>

  /** `null` if there is none. An id is only found by its exact spelling. */
  find(id: string): Promise<Invitation | null>

  /**
   * All invitations of an address, the newest first, whatever their target.
   * @param emailKey the whole key, compared byte for byte, without wildcards
   */
  listByEmail(emailKey: string): Promise<Invitation[]>

  /** One page of invitations, by `createdAt` and `id`, the oldest first. Ids may be compared in any fixed way. */
  list(query: InvitationListQuery): Promise<Invitation[]>

  /**
   * Compare-and-swap: applies the changes and adds one to `version` if the invitation exists and still has
   * `expectedVersion`; otherwise changes nothing. Of simultaneous calls with one version, one gets the changed invitation.
   * @param messages only given if there is an `outbox`: stored in it if and only if the changes are
   * @returns `null` if nothing was changed
   */
  update(
    id: string,
    changes: InvitationChanges,
    expectedVersion: number,
    messages?: readonly PendingMessage[],
  ): Promise<Invitation | null>

  /**
   * Returns whether there was one. Of simultaneous deletions, one returns `true`.
   * @param expectedVersion if given, as for `update`: returns `false` and deletes nothing if it has another
   * @param messages only given if there is an `outbox`: stored in it if and only if there was one
   */
  delete(id: string, expectedVersion?: number, messages?: readonly PendingMessage[]): Promise<boolean>

  /** Removes invitations that expired before `now`, in portions that lock nothing for long. Returns how many. */
  deleteExpired(now: Date): Promise<number>

  /**
   * Only used if it is the very outbox of the user store that the plugin was given: emails and events are then stored
   * with the invitation. Default: an invitation is stored first, then its emails and events.
   */
  readonly outbox?: Outbox | undefined

  /**
   * The database's clock, roughly to the millisecond: by it, an acceptance ends. Omit it if the store has no other clock than
   * the process.
   */
  now?(): Promise<Date>
}

/** What every invitation store has, and what the plugin calls if there is more. */
export const invitationStoreMethods = {
  required: {
    create: 'writes',
    find: 'reads',
    listByEmail: 'reads',
    list: 'reads',
    update: 'writes',
    delete: 'writes',
    deleteExpired: 'writes',
  },
  optional: { now: 'reads' },
} as const satisfies SeamMethods<InvitationStore, keyof OperatedStore>

/** An invitation store as operations use it: by its clock, in milliseconds since 1970, an acceptance ends. */
export type InvitationStoreCalls = Pick<
  InvitationStore,
  keyof (typeof invitationStoreMethods)['required']
> & {
  time(): Promise<number>
}
