import { type AccountsError, refusal } from '../errors.js'
import { givesTwoFactors, hasGivenFactor, type Login, rememberedMethod } from '../sessions/login.js'
import type { User } from '../user.js'

/** Who must have a second factor; asked at each request. `undefined` where nobody must. */
export type MustHaveFactor = ((user: User) => Promise<boolean>) | undefined

/**
 * What stands in the way of somebody who must have a second factor: until they have one, and have given it in this
 * session or on this device lately, they may enroll and nothing else. `null` where nothing does.
 */
export async function factorOwed(
  { user, login }: { user: User; login: Pick<Login, 'methods'> },
  mustHaveFactor: MustHaveFactor,
): Promise<AccountsError | null> {
  if (mustHaveFactor === undefined || !(await mustHaveFactor(user))) return null
  if (givesTwoFactors(login)) return null
  if (user.factors.length === 0) return refusal('ACCOUNTS_ENROLLMENT_REQUIRED', { userId: user.id })
  if (hasGivenFactor(login) || login.methods?.includes(rememberedMethod)) return null
  return refusal('ACCOUNTS_CONFIRMATION_REQUIRED', { userId: user.id })
}
