import { guard, guardSync } from '../adapters/guard.js'
import { createOutage, type Outage, type OutageLog } from '../adapters/outages.js'
import { createStoreClock } from '../adapters/store-clock.js'
import { watchHasher } from '../adapters/watch-hasher.js'
import { createConsoleMailer } from '../defaults/console-mailer.js'
import { createHmacSigner } from '../defaults/hmac-signer.js'
import { createMemoryInvitationStore } from '../defaults/memory-invitation-store.js'
import { createMemoryOutbox } from '../defaults/memory-outbox.js'
import { createMemorySessionStore } from '../defaults/memory-session-store.js'
import { createMemoryThrottleStore } from '../defaults/memory-throttle-store.js'
import { createMemoryUserStore } from '../defaults/memory-user-store.js'
import { createScryptHasher } from '../defaults/scrypt-hasher.js'
import type { PostmansOutbox } from '../emails/postman.js'
import { activityBounds } from '../options/activity.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { withPepper } from '../passwords/pepper.js'
import { type ActivityStoreCalls, activityStoreMethods } from '../seams/activity-store.js'
import { type InvitationStoreCalls, invitationStoreMethods } from '../seams/invitation-store.js'
import type { Mailer } from '../seams/mailer.js'
import type { Effect } from '../seams/methods.js'
import { outboxMethods } from '../seams/outbox.js'
import type { PasswordCheck, PasswordFault } from '../seams/password-check.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import {
  type Session,
  type SessionStore,
  sessionStoreMethods,
  withUsersMethods,
} from '../seams/session-store.js'
import { type ThrottleStore, throttleStoreMethods } from '../seams/throttle-store.js'
import type { TokenSigner } from '../seams/token-signer.js'
import { userStoreMethods } from '../seams/user-store.js'
import type { WritableUsers } from '../sessions/user-updates.js'
import type { User } from '../user.js'

/** The adapters in use, each call with a deadline. */
export interface Adapters {
  /** Changes a user and their sessions in one write if one database has both. */
  users: WritableUsers
  /** The user store's, or one in memory. */
  outbox: PostmansOutbox
  /** Whether the user store has the outbox, and stores emails with their change. */
  storesMails: boolean
  sessions: Omit<SessionStore, 'close' | 'deleteExpired' | 'withUsers'>
  invitations: InvitationStoreCalls
  /** Whether the invitation store stores emails with an invitation, in the outbox of the users. */
  storesInvitationMails: boolean
  /** What has happened to accounts; `null` without the option `activity`. */
  activity: ActivityStoreCalls | null
  /** A session that hasn't expired, and its user if there is one. */
  findVisit(id: string): Promise<{ session: Session; user: User | null } | null>
  /** Without a deadline, because nobody waits for it. */
  deleteExpired: Readonly<Record<'sessions' | 'invitations', () => Promise<number>>> & {
    /** `null` without the option `activity`. */
    readonly activity: (() => Promise<number>) | null
  }
  mailer: Pick<Mailer, 'send'>
  signer: TokenSigner
  /** The deadline is for the work itself; the queue limits the wait before it. */
  hasher: PasswordHasher
  throttleStore: ThrottleStore
  /** The option `password.check`: if it fails open, a failed call rejects nothing. */
  passwordCheck: PasswordCheck | undefined
  /** The hashes in progress. */
  hashes: ReturnType<typeof watchHasher>['hashes']
  /** The clock of the users' database, if the store provides it. */
  now: (() => Promise<Date>) | undefined
  /** How many calls have been given up because others kept changing the same rows. */
  givenUp(): number
}

/** Milliseconds. Emails are sent after the response, so they may take longer than other adapters. */
const mailTimeout = 60_000

/**
 * Uses your adapters, and the defaults for missing ones.
 * @param log gets outages, except the mailer's, which delivery logs: it retries each email
 */
export function chooseAdapters(options: ResolvedOptions, log: OutageLog): Adapters {
  const { adapterTimeout } = options
  const users = options.userStore ?? createMemoryUserStore()
  const sessions = options.sessionStore ?? createMemorySessionStore()
  const invitations = options.invitationStore ?? createMemoryInvitationStore()
  // Under our realms for emails there are only our emails.
  const outbox = (users.outbox ?? createMemoryOutbox()) as unknown as PostmansOutbox
  const { hasher: watched, hashes } = watchHasher(options.passwordHasher ?? createScryptHasher())
  const hasher = withPepper(watched, options.password.pepper)
  const throttleStore: ThrottleStore =
    (options.throttle !== false && options.throttle.store) || createMemoryThrottleStore()
  const outages = {
    users: createOutage('the user store', log),
    sessions: createOutage('the session store', log),
    invitations: createOutage('the invitation store', log),
    activity: createOutage('the activity store', log),
    throttle: createOutage('the throttle store', log),
    hasher: createOutage('the password hasher', log),
    outbox: createOutage('the outbox', log),
  }
  /** All methods of its seam. */
  const guarded = <
    Store extends object,
    One extends keyof Store & string,
    Other extends keyof Store & string,
  >(
    store: Store,
    { required, optional }: { required: Record<One, Effect>; optional: Record<Other, Effect> },
    outage: Outage,
  ) => guard<Store, One | Other>(store, { ...required, ...optional }, adapterTimeout, outage)
  const guardedUsers = {
    ...guarded(users, userStoreMethods, outages.users),
    listsBy: users.listsBy,
    runsCreated: users.runsCreated,
  }
  const guardedSessions = guarded(sessions, sessionStoreMethods, outages.sessions)
  const guardedInvitations = guarded(invitations, invitationStoreMethods, outages.invitations)
  const { activity } = options
  // Usable only if the session store knows this user store, not another one.
  const withUsers =
    sessions.withUsers?.users === users
      ? guarded(sessions.withUsers, withUsersMethods, outages.sessions)
      : undefined
  return {
    users: { ...guardedUsers, updateWithSessions: withUsers?.update },
    outbox: {
      ...guarded(outbox, outboxMethods, outages.outbox),
      releaseHeld: outbox.releaseHeld,
    },
    storesMails: users.outbox !== undefined,
    sessions: guardedSessions,
    async findVisit(id) {
      const session = await guardedSessions.find(id)
      return session && { session, user: await guardedUsers.findById(session.userId) }
    },
    ...(withUsers && { findVisit: withUsers.find }),
    invitations: { ...guardedInvitations, time: createStoreClock(guardedInvitations.now) },
    activity: activity ? guarded(activity, activityStoreMethods, outages.activity) : null,
    storesInvitationMails: invitations.outbox !== undefined && invitations.outbox === users.outbox,
    deleteExpired: {
      sessions: deleteExpired(sessions, outages.sessions),
      invitations: deleteExpired(invitations, outages.invitations),
      activity: activity ? deleteExpired(activity, outages.activity, activityBounds.keptFor) : null,
    },
    mailer: guard(options.mailer ?? createConsoleMailer(), { send: 'writes' }, mailTimeout),
    signer: guard(
      options.tokenSigner ?? createHmacSigner({ secret: options.secret }),
      { sign: 'reads', verify: 'reads' },
      adapterTimeout,
      createOutage('the token signer', log),
    ),
    hasher: {
      ...guard(hasher, { hash: 'reads', verify: 'reads' }, adapterTimeout, outages.hasher),
      canVerify: guardSync((hash) => hasher.canVerify(hash), outages.hasher),
      needsRehash: guardSync((hash) => hasher.needsRehash(hash), outages.hasher),
    },
    passwordCheck: options.password.check && guardedCheck(options.password.check, adapterTimeout, log),
    hashes,
    now: guardedUsers.now,
    throttleStore: guarded(throttleStore, throttleStoreMethods, outages.throttle),
    givenUp: () => Object.values(outages).reduce((sum, outage) => sum + outage.collisions(), 0),
  }
}

/** @param age milliseconds since which a row has expired */
function deleteExpired(
  store: Pick<SessionStore, 'deleteExpired'>,
  outage: Outage,
  age = 0,
): () => Promise<number> {
  return async () => {
    try {
      return await store.deleteExpired(new Date(Date.now() - age))
    } catch (error) {
      outage.failed(error, { begins: false })
      throw error
    }
  }
}

function guardedCheck(check: PasswordCheck, timeout: number, log: OutageLog): PasswordCheck {
  const outage = createOutage('the password check', log)
  const { ask } = guard(
    { ask: async (...args: Parameters<PasswordCheck>) => asFault(await check(...args)) },
    { ask: 'reads' },
    timeout,
    outage,
  )
  return async (...args) => {
    try {
      return await ask(...args)
    } catch (error) {
      // The outage is logged.
      if (check.failsOpen) return null
      throw error
    }
  }
}

/** An untyped check may return something that is neither a fault nor `null`. */
function asFault(fault: PasswordFault | null): PasswordFault | null {
  if (fault === null || fault === undefined || fault === 'breached' || fault === 'too_common') return fault
  if (typeof fault === 'object' && typeof fault.message === 'string') return fault
  throw new TypeError('password.check must return null, breached, too_common or an object with a message')
}
