import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { type Factor, type FactorSource, tryFactor } from '../../logins/factor.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Checks a factor of a logged-in user, and uses it up.
 * @returns the user as of then, the proven methods, and since when the factor is there
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED if the user's
 * sessions ended meanwhile
 */
export async function confirmFactor(
  deps: Pick<Deps, 'users' | 'throttle' | 'postOffice'>,
  owner: User,
  attempt: { factor: Factor; value: unknown },
  from: Omit<FactorSource, 'step' | 'occasion'>,
): Promise<{ user: User; methods: readonly string[]; since: number }> {
  const { users } = deps
  const user = await ownRecord(deps, owner)
  const proof = await tryFactor(deps, attempt, user, { ...from, step: 'confirm', occasion: user.id })
  const text = attempt.factor.wrongText ?? 'factor_incorrect'
  const wrong = () => invalidInput(fieldError(attempt.factor.field, 'incorrect', { text }))
  if (proof === null) throw wrong()
  const isLoggedIn = (current: User) => current.isActive && current.sessionEpoch === owner.sessionEpoch
  const changed = await users.change(user, (current) => (isLoggedIn(current) ? proof.spend(current) : null), {
    messages: (later) => proof.mails?.(later, deps.postOffice) ?? [],
  })
  if (changed === null) throw wrong()
  return { user: changed, methods: [...proof.methods, 'mfa'], since: proof.since }
}
