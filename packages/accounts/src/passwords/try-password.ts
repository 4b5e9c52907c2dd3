import type { AccountBudget } from '../options/limits.js'
import type { Throttle } from '../throttle/throttle.js'
import type { User } from '../user.js'
import type { Caller, Passwords } from './passwords.js'

interface PasswordDeps {
  passwords: Pick<Passwords, 'verify'>
  throttle: Throttle
}

/**
 * Whether a password matches a hash. It is counted before it is hashed, which limits how many concurrent
 * attempts reach the hash.
 * @param counted.budgets where it is counted, under `key`
 * @param counted.failures those of them where only wrong ones stay counted; by default all
 * @throws AccountsError ACCOUNTS_THROTTLED; ACCOUNTS_UNAVAILABLE, which doesn't count as an attempt
 */
export async function tryPassword(
  { passwords, throttle }: PasswordDeps,
  { password, hash, caller }: { password: string; hash: string | undefined; caller: Caller },
  {
    budgets,
    failures = budgets,
    key,
  }: { budgets: readonly AccountBudget[]; failures?: readonly AccountBudget[]; key: string },
): Promise<boolean> {
  const attempt = async (caller: Caller): Promise<boolean> => {
    await throttle.spend(budgets, key)
    let right: boolean
    try {
      right = await passwords.verify(password, hash, caller)
    } catch (error) {
      await throttle.giveBack(budgets, key).catch(() => {})
      throw error
    }
    if (right) await throttle.clear(failures, key)
    return right
  }
  // Wrong ones have limits of their own: someone with an old device cookie must not spend what the owner's devices need.
  return withPriority(throttle, caller, attempt, Boolean)
}

/**
 * Makes a hash, counted for the caller's account. Beyond `priorityHashes` its hashes wait with those of strangers, so
 * someone who keeps logging in to their own accounts can't keep others out.
 * @param counts whether a result stays counted. Default: each does; what failed doesn't
 */
export async function withPriority<T>(
  throttle: Throttle,
  caller: Caller,
  hash: (caller: Caller) => Promise<T>,
  counts: (result: T) => boolean = () => true,
): Promise<T> {
  if (typeof caller === 'string') return hash(caller)
  const { account } = caller
  const spent = await throttle.count('priorityHashes', account)
  let isCounted = false
  try {
    const result = await hash({ ...caller, isFrequent: spent !== null && spent.nth > spent.max })
    isCounted = counts(result)
    return result
  } finally {
    // The response doesn't wait for it: a throttle store that hangs would hold it up twice.
    if (!isCounted) void throttle.giveBack('priorityHashes', account).catch(() => {})
  }
}

/**
 * The same for a logged-in user, whose browser somebody else may be using. Correct ones are also limited, in
 * the short run: each is a hashing that goes before those of strangers. The routes limit them by client.
 * @throws AccountsError ACCOUNTS_THROTTLED, ACCOUNTS_UNAVAILABLE
 */
export async function tryOwnPassword(deps: PasswordDeps, user: User, password: string): Promise<boolean> {
  return tryPassword(
    deps,
    { password, hash: user.passwordHash, caller: { account: user.id } },
    { budgets: ['changePassword', 'changePasswordDay'], failures: ['changePasswordDay'], key: user.id },
  )
}
