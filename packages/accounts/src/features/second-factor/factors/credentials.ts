import { randomBytes } from 'node:crypto'
import { missesOf, withoutFactor } from '../../../logins/factor.js'
import type { Vault } from '../../../tokens/vault.js'
import type { Credential, StoredUser } from '../../../user.js'

/** An authenticator app. */
export interface TotpCredential extends Credential {
  kind: 'totp'
  id: string
  /** The secret in base32. */
  sealed: string
  /** The last step whose code was accepted: each works once. */
  step: number
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
    createdAt: new Date().toISOString(),
  }
}

export function isTotp(credential: Credential): credential is TotpCredential {
  return credential.kind === 'totp'
}

/** So many wrong factors in a row turn the app off until another was given (NIST SP 800-63B-4 section 3.2.2). */
const mostMisses = 100

/** So many apps an account may have: each one's codes are right answers to a guess. */
export const mostApps = 10

/** The apps whose codes count. */
export function appsOf({ credentials }: StoredUser): TotpCredential[] {
  return credentials.filter(isTotp).filter((app) => missesOf(app) < mostMisses)
}

/** The same credentials, once the code of a step was used. */
export function withStep(credentials: readonly Credential[], id: string, step: number): Credential[] {
  return credentials.map((each) => (isTotp(each) && each.id === id ? { ...each, step } : each))
}

/** Takes every app away, and the recovery codes where no other factor is left. */
export function withoutApps(user: Pick<StoredUser, 'factors' | 'credentials'>): Factors {
  const { factors, credentials } = withoutFactor(user, 'totp')
  return { factors, credentials: credentials.filter((each) => !isTotp(each)) }
}

/** Takes every app and every recovery code away; passkeys stay as ways to log in. */
export function withoutFactors(user: Pick<StoredUser, 'factors' | 'credentials'>): Factors {
  return user.factors.reduce<Factors>(withoutFactor, withoutApps(user))
}

type Factors = Pick<StoredUser, 'factors' | 'credentials'>
