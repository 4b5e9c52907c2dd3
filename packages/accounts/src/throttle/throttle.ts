import { hash } from 'node:crypto'
import { AccountsError } from '../errors.js'
import type { AccountBudget, Limits } from '../options/limits.js'
import type { ThrottleStore } from '../seams/throttle-store.js'
import type { User } from '../user.js'

/** The budgets that count failed logins of one account, the shorter first. */
export const loginLimits: readonly AccountBudget[] = ['loginAccount', 'loginAccountDay']

/** Counts by account, so another name for it brings no new attempts. */
export const accountKey = (user: Pick<User, 'id'>): string => `id:${user.id}`

/** Counts by the typed address, the same whether or not an account has it. */
export const addressKey = (emailKey: string): string => `address:${emailKey}`

/** Counts by device if it has logged in to the account before, so guessing elsewhere doesn't lock it out. */
export const deviceBudgetKey = (device: string): string => `device:${device}`

/**
 * Clears an account's failed attempts after its owner has proved who they are, so others' failures don't lock
 * them out. Emails to other addresses stay limited. Never throws, and isn't awaited: the owner's change has
 * already succeeded.
 */
export function clearAttempts(throttle: Pick<Throttle, 'clear'>, user: User): void {
  void Promise.allSettled([
    throttle.clear(loginLimits, accountKey(user)),
    user.emailKey !== null && throttle.clear(loginLimits, addressKey(user.emailKey)),
    throttle.clear(['changePassword', 'changePasswordDay'], user.id),
  ])
}

/** A budget, or several with one key. */
export type Budgets = AccountBudget | readonly AccountBudget[]

/** Counts attempts by account, before any hash is made for them. */
export interface Throttle {
  /**
   * Spends one attempt of each budget, in order; those after an exhausted one stay unchanged.
   * @throws AccountsError ACCOUNTS_THROTTLED if one has none left
   */
  spend(budgets: Budgets, key: string): Promise<void>
  /** Spends one attempt if one is left, and returns whether it was. */
  allows(budget: AccountBudget, key: string): Promise<boolean>
  /**
   * Spends one attempt, whether or not one is left. Returns its number within its window, and how many
   * milliseconds that window still lasts. `null` if nothing is limited.
   * @param longer milliseconds by which its window is longer than the limit says
   */
  count(
    budget: AccountBudget,
    key: string,
    longer?: number,
  ): Promise<{ nth: number; max: number; resetMs: number } | null>
  /**
   * Gives back an attempt that couldn't be made, unless its window is over.
   * @param age the maximum number of milliseconds since it was spent
   */
  giveBack(budgets: Budgets, key: string, age?: number): Promise<void>
  /** Forgets the attempts. */
  clear(budgets: Budgets, key: string): Promise<void>
}

/** @param realm the realm of these attempts, if several share a store */
export function createThrottle(
  store: ThrottleStore,
  limits: Readonly<Limits> | false,
  realm: string,
): Throttle {
  // Hashed, because names and addresses don't belong in a shared store, and so long ones take no more room.
  // The braces keep all budgets of one key in one slot of a Redis cluster, where one script reaches them all.
  const digestOf = (key: string): string => hash('sha256', `${realm}:${key}`, 'base64url')
  const storeKey = (budget: AccountBudget, key: string): string => `${budget}:{${digestOf(key)}}`

  async function countAt(key: string, { max, window }: Limits[AccountBudget], longer = 0) {
    const { count: nth, resetMs } = await store.increment(key, window + longer)
    return { nth, max, resetMs }
  }

  /** A refused attempt doesn't count, or giving one back later would free nothing. */
  async function forget(counted: string): Promise<void> {
    // The result is known, even if the store fails now.
    await store.decrement(counted).catch(() => {})
  }

  return {
    count: async (budget, key, longer) =>
      limits === false ? null : countAt(storeKey(budget, key), limits[budget], longer),
    async spend(budgets, key) {
      if (limits === false) return
      const attempts = [budgets].flat().map((budget) => {
        const { max, window } = limits[budget]
        return { key: storeKey(budget, key), windowMs: window, max }
      })
      const counts = await incrementAll(store, attempts)
      for (const [at, { max }] of attempts.entries()) {
        // A missing count must not lift the limit.
        const { count = Number.POSITIVE_INFINITY, resetMs = 0 } = counts[at] ?? {}
        if (count <= max) continue
        await forget(attempts[at]?.key ?? '')
        throw new AccountsError('ACCOUNTS_THROTTLED', {
          limit: max,
          retryAfter: Math.max(1, Math.ceil(resetMs / 1000)),
        })
      }
    },
    async allows(budget, key) {
      if (limits === false) return true
      const counted = storeKey(budget, key)
      const { nth, max } = await countAt(counted, limits[budget])
      if (nth <= max) return true
      await forget(counted)
      return false
    },
    async giveBack(budgets, key, age = 0) {
      if (limits === false) return
      const running = [budgets].flat().filter((budget) => age < limits[budget].window)
      await Promise.all(running.map((budget) => store.decrement(storeKey(budget, key))))
    },
    async clear(budgets, key) {
      if (limits === false) return
      const keys = [budgets].flat().map((budget) => storeKey(budget, key))
      if (keys.length > 1 && store.clearAll) await store.clearAll(keys)
      else await Promise.all(keys.map((each) => store.clear(each)))
    },
  }
}

type Attempts = Parameters<NonNullable<ThrottleStore['incrementAll']>>[0]

/** In one call, if the store can. */
async function incrementAll(store: ThrottleStore, attempts: Attempts) {
  if (attempts.length > 1 && store.incrementAll) return store.incrementAll(attempts)
  const counts: { count: number; resetMs: number }[] = []
  for (const { key, windowMs, max } of attempts) {
    const counted = await store.increment(key, windowMs)
    counts.push(counted)
    if (counted.count > max) break
  }
  return counts
}
