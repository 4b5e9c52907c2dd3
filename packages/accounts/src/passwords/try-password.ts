import type { AccountBudget } from '../options/limits.js'
import type { Throttle } from '../throttle/throttle.js'
import type { User } from '../user.js'
import type { Caller, Passwords } from './passwords.js'

interface PasswordDeps {
  passwords: Pick<Passwords, 'verify'>
  throttle: Throttle
}

/**
 * Whether a password is the one of a hash. It is counted before it is hashed, so that of many at once only so many reach
 * the hash; only wrong ones stay counted.
 * @param counted where it is counted, and under which key
 * @throws AccountsError ACCOUNTS_THROTTLED; ACCOUNTS_UNAVAILABLE, after which it is not counted
 */
export async function tryPassword(
  { passwords, throttle }: PasswordDeps,
  { password, hash, caller }: { password: string; hash: string | undefined; caller: Caller },
  { budgets, key }: { budgets: readonly AccountBudget[]; key: string },
): Promise<boolean> {
  for (const budget of budgets) await throttle.spend(budget, key)
  let right: boolean
  try {
    right = await passwords.verify(password, hash, caller)
  } catch (error) {
    await Promise.all(budgets.map((budget) => throttle.giveBack(budget, key).catch(() => {})))
    throw error
  }
  if (right) await Promise.all(budgets.map((budget) => throttle.clear(budget, key)))
  return right
}

/**
 * The same for somebody who is logged in, whose browser somebody else may sit at. Right ones are limited too, in the
 * short run: each is a hashing, and goes before those of strangers. By client they are limited at the routes.
 * @throws AccountsError ACCOUNTS_THROTTLED, ACCOUNTS_UNAVAILABLE
 */
export async function tryOwnPassword(deps: PasswordDeps, user: User, password: string): Promise<boolean> {
  await deps.throttle.spend('changePassword', user.id)
  return tryPassword(
    deps,
    { password, hash: user.passwordHash, caller: 'known' },
    { budgets: ['changePasswordDay'], key: user.id },
  )
}
