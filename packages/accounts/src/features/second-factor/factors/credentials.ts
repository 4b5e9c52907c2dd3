import { randomBytes } from 'node:crypto'
import type { Vault } from '../../../tokens/vault.js'
import type { Credential, StoredUser, UserChanges } from '../../../user.js'

/** An authenticator app. */
export interface TotpCredential extends Credential {
  kind: 'totp'
  id: string
  /** The secret in base32. */
  sealed: string
  /** The last step whose code was accepted: each works once. */
  step: number
  /** Wrong codes in a row. */
  misses: number
  /** RFC 3339. What is newer than a lock-down goes with it. */
  createdAt: string
}

export function totpCredential(vault: Vault, secret: string, step: number): TotpCredential {
  const id = randomBytes(9).toString('base64url')
  return {
    kind: 'totp',
    id,
    sealed: vault.seal(secret),
    step,
    misses: 0,
    createdAt: new Date().toISOString(),
  }
}

export function isTotp(credential: Credential): credential is TotpCredential {
  return credential.kind === 'totp'
}

/** So many wrong codes in a row turn the app off until another factor was given (NIST SP 800-63B-4 section 3.2.2). */
const mostMisses = 100

/** So many apps an account may have: each one's codes are right answers to a guess. */
export const mostApps = 10

/** The apps whose codes count. */
export function appsOf({ credentials }: StoredUser): TotpCredential[] {
  return credentials.filter(isTotp).filter(({ misses }) => misses < mostMisses)
}

export function missesOf({ credentials }: StoredUser): number {
  return Math.max(0, ...credentials.filter(isTotp).map(({ misses }) => misses))
}

/** The same credentials, with each app changed. */
export function withApps(
  credentials: readonly Credential[],
  change: (app: TotpCredential) => Partial<TotpCredential>,
): Credential[] {
  return credentials.map((each): Credential => (isTotp(each) ? Object.assign({}, each, change(each)) : each))
}

/** Takes every app and every recovery code away; passkeys stay, but are no factor any more where `all` is set. */
export function withoutFactors(
  { factors, credentials }: Pick<StoredUser, 'factors' | 'credentials'>,
  { all }: { all: boolean },
): Pick<UserChanges, 'factors' | 'credentials'> {
  const left = all ? [] : factors.filter((factor) => factor !== 'totp')
  // Codes that complete nothing are none.
  const kept = credentials.filter(
    ({ kind }) => kind !== 'totp' && (kind !== 'recovery-code' || left.length > 0),
  )
  return { factors: left, credentials: kept }
}
