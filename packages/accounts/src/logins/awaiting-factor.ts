import { createHash } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import { apiKeyKind, isKeyIdentity } from '../tokens/api-key.js'
import { openSealed, seal } from '../tokens/seal.js'
import type { StoredUser } from '../user.js'
import type { Addition } from './addition.js'

/** How long the second step may take, in milliseconds. */
export const pendingLifetime = 600_000

/** A login that has passed its first step and awaits a second. It has no row and no rights. */
export interface PendingLogin {
  userId: string
  /** How the first step was proved. */
  methods: readonly string[]
  /** Whether the session cookie outlives the browser. */
  remember: boolean
  /** What the account gets once the login is complete. */
  adds: Addition | null
  /** Whether nothing has ended it: a new password, a lockdown, another factor, or a completed login. */
  stillValid(user: StoredUser): boolean
}

/** Seals pending logins into texts for the client to send back. */
export interface PendingLogins {
  issue(user: StoredUser, login: Pick<PendingLogin, 'methods' | 'remember' | 'adds'>): string
  /** `null` if it wasn't made here, in this realm, or has expired. */
  open(text: string): PendingLogin | null
}

type SealedLogin = [userId: string, state: string, string[], remember: boolean, Addition | null, end: number]

export function createPendingLogins({
  secret,
  session,
}: Pick<ResolvedOptions, 'secret' | 'session'>): PendingLogins {
  // Bound to the cookie name, as sessions are: each realm has its own keys.
  const keys = deriveKeys(secret, `pending-login:${session.cookieName}`)
  return {
    issue(user, { methods, remember, adds }) {
      const end = Date.now() + pendingLifetime
      return seal(keys[0], JSON.stringify([user.id, stateOf(user), methods, remember, adds, end]))
    },
    open(text) {
      const opened = openSealed(keys, text)
      if (opened === null) return null
      const [userId, state, methods, remember, adds, end]: SealedLogin = JSON.parse(opened)
      if (Date.now() >= end) return null
      const stillValid = (user: StoredUser): boolean => user.isActive && stateOf(user) === state
      return { userId, methods, remember, adds, stillValid }
    },
  }
}

/** A digest that changes with a completed login, new password, reset, lockdown, disabled account, factor or identity. */
function stateOf(user: StoredUser): string {
  const { id, sessionEpoch, resetEpoch, lastLoginAt } = user
  const identityKeys = user.identityKeys.filter((each) => !isKeyIdentity(each))
  const loggedInAt = lastLoginAt?.getTime() ?? null
  const facts = [id, sessionEpoch, resetEpoch, loggedInAt, factorState(user), identityKeys.toSorted()]
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

/** The credential kind of a device that needs no factor; see remembered-devices.ts. */
export const deviceKind = 'remembered-device'

/**
 * The credential kinds that count attempts at an email code: to log in, to confirm, or to reset the password. None is a
 * factor.
 */
const codeKinds = ['login-code', 'confirmation-code', 'reset-code'] as const
export type CodeKind = (typeof codeKinds)[number]

/**
 * Changes with each factor and set of recovery codes that is added or removed. Using one changes nothing,
 * except that the last code of a set removes the set. API keys are none.
 */
export function factorState({ factors, credentials }: Pick<StoredUser, 'factors' | 'credentials'>): string {
  const passing: readonly string[] = [deviceKind, apiKeyKind, ...codeKinds]
  const others = credentials.filter(({ kind }) => !passing.includes(kind))
  const names = new Set(others.map(({ kind, id }) => `${kind}:${id}`))
  return JSON.stringify([factors, [...names].sort()])
}
