import { randomBytes } from 'node:crypto'
import { isTurnedOff, withoutFactor } from '../../../logins/factor.js'
import type { Vault } from '../../../tokens/vault.js'
import type { Credential, StoredUser } from '../../../user.js'
import type { ListedApp } from '../routes/schemas.js'

/** An authenticator app. */
export interface TotpCredential extends Credential {
  kind: 'totp'
  id: string
  /** The name that its owner gave it. */
  name: string
  /** The secret in base32. */
  sealed: string
  /** The last step whose code was accepted: each works once. */
  step: number
  /** RFC 3339. A lockdown removes newer ones. */
  createdAt: string
  /** RFC 3339; `null` until the first code after the one that turned it on. */
  lastUsedAt: string | null
}

/** The name of an app until its owner sets one. */
const namelessApp = 'Authenticator app'

export function totpCredential(
  vault: Vault,
  { secret, step, name = namelessApp }: { secret: string; step: number; name?: string | undefined },
): TotpCredential {
  return {
    kind: 'totp',
    id: randomBytes(9).toString('base64url'),
    name,
    sealed: vault.seal(secret),
    step,
    createdAt: new Date().toISOString(),
    lastUsedAt: null,
  }
}

export function listedApp({ id, name, createdAt, lastUsedAt }: TotpCredential): ListedApp {
  return { id, name, created_at: createdAt, last_used_at: lastUsedAt }
}

export function isTotp(credential: Credential): credential is TotpCredential {
  return credential.kind === 'totp'
}

export function findApp(
  { credentials }: Pick<StoredUser, 'credentials'>,
  id: string,
): TotpCredential | undefined {
  return credentials.filter(isTotp).find((app) => app.id === id)
}

/** The most apps that an account may have: each one's codes make a guess more likely to be right. */
export const mostApps = 10

/** The apps whose codes work. */
export function appsOf({ credentials }: Pick<StoredUser, 'credentials'>): TotpCredential[] {
  return credentials.filter(isTotp).filter((app) => !isTurnedOff(app))
}

/** The same credentials with changes to one app; the others, and their order, stay the same. */
export function withApp(
  credentials: readonly Credential[],
  id: string,
  changes: { name: string } | Pick<TotpCredential, 'step' | 'lastUsedAt'>,
): Credential[] {
  return credentials.map((each) => (isTotp(each) && each.id === id ? { ...each, ...changes } : each))
}

/** Removes an app, and what depends on the last one whose codes work. */
export function withoutApp(user: Pick<StoredUser, 'factors' | 'credentials'>, id: string): Partial<Factors> {
  const credentials = user.credentials.filter((each) => !(isTotp(each) && each.id === id))
  return appsOf({ credentials }).length > 0 ? { credentials } : withoutApps({ ...user, credentials })
}

/** Removes all apps, and the recovery codes if no other factor is left. */
export function withoutApps(user: Pick<StoredUser, 'factors' | 'credentials'>): Factors {
  const { factors, credentials } = withoutFactor(user, 'totp')
  return { factors, credentials: credentials.filter((each) => !isTotp(each)) }
}

/** Removes all apps and recovery codes; passkeys stay as ways to log in. */
export function withoutFactors(user: Pick<StoredUser, 'factors' | 'credentials'>): Factors {
  return user.factors.reduce<Factors>(withoutFactor, withoutApps(user))
}

type Factors = Pick<StoredUser, 'factors' | 'credentials'>
