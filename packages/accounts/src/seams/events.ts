import type { FeatureEvents } from '../feature-names.js'
import type { AccountOrigin } from '../user.js'
import type { PendingMessage } from './outbox.js'

/** Nothing but what every event has. */
type Nothing = Record<string, never>

/** What each type of event tells besides the user: ids and names, never a secret, an address or a value. */
export interface EventData extends FeatureEvents {
  /** Also for accounts that nobody has proven to own yet. */
  'user.created': { origin: AccountOrigin }
  /**
   * The address is known to be the user's: whenever `verified` of `alongside` runs, so also for a new address. A plain proof,
   * after which a stranger may own the account, is `user.updated`.
   */
  'user.verified': Nothing
  /** The names of what has changed as the user sees it, own fields included, apart from what has a type of its own. */
  'user.updated': { fields: string[] }
  'user.email_changed': Nothing
  'user.password_changed': { has_password: boolean }
  'user.disabled': Nothing
  'user.enabled': Nothing
  'user.roles_changed': { added: string[]; removed: string[]; is_staff: boolean }
  /** The account is its owner's now; somebody else may have used it before. `former_id`: the account that it replaces, if any. */
  'user.handed_over': { former_id: string | null }
  'user.secured': Nothing
  /** The last event of a user, whatever its version. */
  'user.deleted': Nothing
  /** One for each run of the command, in place of `user.created`. */
  'users.imported': { count: number }
  'invitation.created': { invitation_id: string }
  'invitation.accepted': { invitation_id: string }
  'invitation.withdrawn': { invitation_id: string }
  /** `factor`: `totp` or `passkey`, one of which a login now requires, or no longer. */
  'factor.added': { factor: string }
  'factor.removed': { factor: string }
  'passkey.added': { passkey_id: string }
  'passkey.removed': { passkey_id: string }
  /** `issuer`: who vouches for the user. */
  'identity.added': { issuer: string }
  'identity.removed': { issuer: string }
  'api_key.added': { api_key_id: string }
  'api_key.removed': { api_key_id: string }
  'service.created': Nothing
  'service.deleted': Nothing
  /** Best effort, as all of sessions except `session.tokens_reused`. */
  'session.created': { methods: string[] }
  'session.ended': Nothing
  /** How often since the last one somebody was refused who wasn't logged in, and at what: an action of the audit trail. */
  'session.refused': { action: string; count: number }
  'session.tokens_reused': Nothing
  /** Best effort. */
  'mail.given_up': { kind: string }
}

/** The type of an event. */
export type EventType = keyof EventData & string

/** Who caused an event. */
export type EventActor =
  /** A request. `id`: the logged-in user; `null` for a link, a code or a sign-up. */
  | {
      kind: 'request'
      id: string | null
      /** Browser and system, as far as known; `null` for requests about somebody else's account. */
      device: string | null
      /** Their network, as the option `session.ip` says; `null` as `device`. */
      network: string | null
    }
  /** The app's own code, and who and why as it says. */
  | { kind: 'host'; id: string | null; reason: string | null }
  /** The command line. */
  | { kind: 'command' }
  /** The plugin itself, as at `mail.given_up`. */
  | { kind: 'plugin' }

/** Something that has happened, as plain JSON. Of one type, or of any. */
export type AccountEvent<Type extends EventType = EventType> = Type extends EventType
  ? {
      /** What to deduplicate by: each event is delivered at least once, to each subscriber. A UUID. */
      id: string
      type: Type
      /** When, RFC 3339 in UTC. Events aren't in order. */
      at: string
      /** The mount: its `decorateAs.instance`. */
      realm: string
      /**
       * Whom it is about; `null` if nobody. Of two events the one with the higher `version` is newer; `null`: it changed no
       * record.
       */
      user: { id: string; version: number | null } | null
      actor: EventActor
      data: EventData[Type]
    }
  : never

/**
 * Gets an event, at least once. It counts as delivered once this resolves; if it rejects, or takes longer than 30 seconds,
 * it is called again, later and up to 40 times in about a day.
 * @param call.signal aborted after 30 seconds, and seven seconds after the app begins to close
 */
export type EventHandler<Type extends EventType = EventType> = (
  event: AccountEvent<Type>,
  call: { signal: AbortSignal },
) => unknown

/** Handlers by type of event; `*` for all types without one. */
export type Subscriber = { readonly [Type in EventType]?: EventHandler<Type> | undefined } & {
  readonly '*'?: EventHandler | undefined
}

/** Events that wait: those of one change, or a batch of what is best effort. */
export interface PendingEvents extends PendingMessage {
  /** At least one. `user.id` is `''` for a user who was just being created: it is `userId` then. */
  events: readonly AccountEvent[]
  /** The subscribers that the writer knows, by name; `null`: all that the reader knows. With none it is only dropped. */
  to: readonly string[] | null
  /** Whether it is best effort: dropped if too many wait. Default: stored with what it tells of, and kept. */
  isDroppable?: boolean | undefined
}

/** Whether a message is events that wait, and no email. */
export const isEvents = (message: PendingMessage): message is PendingEvents => 'events' in message
