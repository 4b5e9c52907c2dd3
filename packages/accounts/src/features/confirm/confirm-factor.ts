import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { type Factor, type FactorSource, tryFactor } from '../../logins/factor.js'
import type { User } from '../../user.js'

/**
 * Checks a factor of a logged-in user, and uses it up.
 * @returns the user as of then, the proven methods, and since when the factor is there
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED if the user's
 * sessions ended meanwhile
 */
export async function confirmFactor(
  deps: Pick<Deps, 'users' | 'throttle' | 'postOffice'>,
  { id, sessionEpoch }: User,
  attempt: { factor: Factor; value: unknown },
  from: Omit<FactorSource, 'step' | 'occasion'>,
): Promise<{ user: User; methods: readonly string[]; since: number }> {
  const { users } = deps
  const isLoggedIn = (user: User): boolean => user.isActive && user.sessionEpoch === sessionEpoch
  const user = await users.findById(id)
  if (user === null || !isLoggedIn(user)) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  const proof = await tryFactor(deps, attempt, user, { ...from, step: 'confirm', occasion: id })
  const text = attempt.factor.wrongText ?? 'factor_incorrect'
  const wrong = () => invalidInput(fieldError(attempt.factor.field, 'incorrect', { text }))
  if (proof === null) throw wrong()
  const changed = await users.change(user, (current) => (isLoggedIn(current) ? proof.spend(current) : null), {
    messages: (later) => proof.mails?.(later, deps.postOffice) ?? [],
  })
  if (changed === null) throw wrong()
  return { user: changed, methods: [...proof.methods, 'mfa'], since: proof.since }
}
