import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readCode } from '../../identifiers/typed-code.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { deriveKeys } from '../../options/secret-keys.js'
import { minute } from '../../options/time.js'
import { type Credential, type StoredUser, type User, type UserChanges, withChanges } from '../../user.js'
import type { CodeKind } from '../awaiting-factor.js'

/** How long a code is valid once emailed, in milliseconds. */
export const codeLifetime = 10 * minute

/** The number of wrong codes that invalidate the right one. */
export const codeTries = 3

/** The most codes of a kind that an account keeps; the oldest requests are dropped. */
export const mostCodes = 10

/**
 * An emailed code. Others of its kind stay valid, because a request elsewhere must not end the owner's. The
 * code itself isn't stored: it is derived from `id` with a key that isn't in the database. A used one is
 * kept, so sending its email again doesn't revive it.
 */
export interface MailedCode extends Credential {
  kind: CodeKind
  /** The seed. */
  id: string
  /** A digest of the account's state: a new password, a reset, a disabled account or another address ends the code. */
  state: string
  /** Milliseconds since 1970. Not a string, because a lockdown must not forget that the code is used. */
  expiresAt: number
  /** Remaining attempts; 0 once used. */
  left: number
  /** Milliseconds since 1970; `null` if unused. Codes requested before then no longer work. */
  usedAt: number | null
}

type KeyOptions = Pick<ResolvedOptions, 'secret' | 'session'>

type Keys = ReturnType<typeof deriveKeys>

/** By a mount's list of secrets, and then by purpose. */
const derivedKeys = new WeakMap<KeyOptions['secret'], Map<string, Keys>>()

/**
 * Separate for each realm, as sessions are bound to the cookie name as well, and for each kind of code. Derived once, as a code
 * that somebody types is compared with several.
 */
function keysOf({ secret, session }: KeyOptions, kind: CodeKind): Keys {
  const purpose = `${kind}:${session.cookieName}`
  const byPurpose = derivedKeys.get(secret) ?? new Map<string, Keys>()
  derivedKeys.set(secret, byPurpose)
  const keys = byPurpose.get(purpose) ?? deriveKeys(secret, purpose)
  byPurpose.set(purpose, keys)
  return keys
}

/** What a code is derived from. It starts with the time of the request. */
export function newSeed(): string {
  return `${Date.now().toString(36)}-${randomBytes(16).toString('base64url')}`
}

/** When a code was requested, in milliseconds since 1970. */
export function askedAt(seed: string): number {
  return Number.parseInt(seed, 36)
}

/** Without 0, 1, I, L and O, which look like others. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const length = 8

function derived(key: Buffer, seed: string, emailKey: string): string {
  const bytes = createHmac('sha256', key)
    .update(JSON.stringify([seed, emailKey]))
    .digest()
  // 2^64 is so much larger than 31^8 that codes differ in likelihood by at most one in ten million.
  let rest = bytes.readBigUInt64BE()
  let code = ''
  for (let at = 0; at < length; at += 1) {
    code += alphabet[Number(rest % BigInt(alphabet.length))]
    rest /= BigInt(alphabet.length)
  }
  return code
}

/** What a code belongs to. */
interface CodeSource {
  kind: CodeKind
  seed: string
  emailKey: string
}

/** The code of a seed as emailed: `ABCD-EFGH`. */
export function codeFor(options: KeyOptions, { kind, seed, emailKey }: CodeSource): string {
  const code = derived(keysOf(options, kind)[0], seed, emailKey)
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** Whether somebody typed the code of a seed. */
export function isCodeFor(options: KeyOptions, { kind, seed, emailKey }: CodeSource, typed: string): boolean {
  const typedDigest = digest(readCode(typed))
  return keysOf(options, kind).some((key) =>
    timingSafeEqual(digest(derived(key, seed, emailKey)), typedDigest),
  )
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The codes of a kind, in the order in which they were requested. */
export function codesOf({ credentials }: Pick<StoredUser, 'credentials'>, kind: CodeKind): MailedCode[] {
  return credentials.filter((each): each is MailedCode => each.kind === kind)
}

/** The code of a seed if it still works, otherwise `null`. */
export function liveCode(user: StoredUser, kind: CodeKind, seed: string): MailedCode | null {
  const code = codesOf(user, kind).find(({ id }) => id === seed)
  const isLive =
    code !== undefined && code.left > 0 && Date.now() < code.expiresAt && code.state === stateOf(user)
  return isLive && user.isActive ? code : null
}

/** The credentials with this code updated, or added. */
export function withCode(credentials: readonly Credential[], code: MailedCode): Credential[] {
  const { kind } = code
  const others = codesOf({ credentials }, kind).filter(({ id }) => id !== code.id)
  const codes = [...others, code].sort((one, other) => askedAt(one.id) - askedAt(other.id))
  return [...credentials.filter((each) => each.kind !== kind), ...codes.slice(-mostCodes)]
}

/** The credentials once this code is used, which ends all others of its kind. */
function withUsed(credentials: readonly Credential[], code: MailedCode): Credential[] {
  const others = credentials.filter(({ kind }) => kind !== code.kind)
  return [...others, { ...code, left: 0, usedAt: Date.now() }]
}

/** Changes, and the use of a code with them; `null` if it no longer works, or there are none. */
export function usingCode(
  current: StoredUser,
  kind: CodeKind,
  seed: string,
  changesFor: (current: StoredUser) => UserChanges | null,
): UserChanges | null {
  const code = liveCode(current, kind, seed)
  const changes = code && changesFor(current)
  if (code === null || changes === null) return null
  const { credentials } = withChanges(current, changes)
  return { ...changes, credentials: withUsed(credentials, code) }
}

export function stateOf({ id, sessionEpoch, resetEpoch, emailKey }: User): string {
  return digest(JSON.stringify([id, sessionEpoch, resetEpoch, emailKey])).toString('base64url')
}
