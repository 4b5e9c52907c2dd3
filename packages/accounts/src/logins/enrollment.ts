import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { givesTwoFactors, hasGivenFactor, type Login, rememberedMethod } from '../sessions/session-rules.js'
import type { StoredUser, User } from '../user.js'
import { confirming } from './asked-factors.js'

/** Whether a user must have a second factor, queried at each request. `undefined` if nobody must. */
export type MustHaveFactor = ((user: User) => Promise<boolean>) | undefined

/**
 * The error for a user who must have a second factor: until they have one, and have given it recently in this
 * session or on this device, they may only enroll. `null` if nothing is missing.
 */
export async function factorOwed(
  { user, login }: { user: User; login: Pick<Login, 'methods'> },
  mustHaveFactor: MustHaveFactor,
): Promise<AccountsError | null> {
  if (mustHaveFactor === undefined || !(await mustHaveFactor(user))) return null
  if (givesTwoFactors(login)) return null
  if (user.factors.length === 0) return enrollmentRequired(user)
  if (hasGivenFactor(login) || login.methods.includes(rememberedMethod)) return null
  return new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', { ...confirming(user), userId: user.id })
}

/**
 * The error for a program with a key of a user who must have a second factor and has none. A program gives none itself;
 * what nobody logs in to has nobody who could, and a login by passkey is two by itself. `null` if nothing is missing.
 */
export async function factorMissing(
  user: StoredUser,
  { mustHaveFactor, hasWayIn }: { mustHaveFactor: MustHaveFactor } & Pick<Deps, 'hasWayIn'>,
): Promise<AccountsError | null> {
  const isExempt = user.kind === 'service' || user.factors.length > 0 || isByPasskeyAlone(user, hasWayIn)
  if (isExempt || mustHaveFactor === undefined || !(await mustHaveFactor(user))) return null
  return enrollmentRequired(user)
}

/** Whether nothing but a passkey logs in to it. */
function isByPasskeyAlone(user: StoredUser, hasWayIn: Deps['hasWayIn']): boolean {
  const credentials = user.credentials.filter(({ kind }) => kind !== 'passkey')
  return hasWayIn(user) && !hasWayIn({ ...user, credentials })
}

function enrollmentRequired({ id }: Pick<User, 'id'>): AccountsError {
  return new AccountsError('ACCOUNTS_ENROLLMENT_REQUIRED', { userId: id })
}
