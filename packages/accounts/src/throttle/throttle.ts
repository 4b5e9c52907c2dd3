import { hash } from 'node:crypto'
import { refusal } from '../errors.js'
import type { AccountBudget, Limits } from '../options/limits.js'
import type { ThrottleStore } from '../seams/throttle-store.js'
import type { User } from '../user.js'

/** Those that count failed logins of one account, the shorter first. */
export const loginLimits: readonly AccountBudget[] = ['loginAccount', 'loginAccountDay']

/** Whose attempts: of the account, so that another name for it brings no new ones. */
export const accountKey = (user: Pick<User, 'id'>): string => `id:${user.id}`

/** Whose attempts where an address was typed: the same whether or not an account has it. */
export const addressKey = (emailKey: string): string => `address:${emailKey}`

/** Whose attempts where a device has logged in to the account before: guessing elsewhere doesn't lock it out. */
export const deviceBudgetKey = (device: string): string => `device:${device}`

/**
 * Lets the owner of an account try again at once, who has just proven to be the owner: what others failed at must not
 * keep the owner out. Mails to other addresses stay limited. Never throws.
 */
export async function clearAttempts(throttle: Pick<Throttle, 'clear'>, user: User): Promise<void> {
  await Promise.allSettled([
    ...loginLimits.map((limit) => throttle.clear(limit, accountKey(user))),
    ...loginLimits.map((limit) => user.emailKey !== null && throttle.clear(limit, addressKey(user.emailKey))),
    throttle.clear('changePassword', user.id),
    throttle.clear('changePasswordDay', user.id),
  ])
}

/** Counts attempts by account, before any hash is made for them. */
export interface Throttle {
  /**
   * Spends one try.
   * @throws AccountsError ACCOUNTS_THROTTLED when none is left
   */
  spend(budget: AccountBudget, key: string): Promise<void>
  /** Spends one try, if one is left; whether it was. */
  allows(budget: AccountBudget, key: string): Promise<boolean>
  /**
   * Spends one try, whether or not one is left: which one of its window it is, and how many milliseconds that window
   * still lasts. `null` where nothing is limited.
   */
  count(budget: AccountBudget, key: string): Promise<{ nth: number; max: number; resetMs: number } | null>
  /**
   * Gives a try back that could not be made, unless its window is over.
   * @param age milliseconds since it was spent, at the most
   */
  giveBack(budget: AccountBudget, key: string, age?: number): Promise<void>
  /** Forgets the attempts. */
  clear(budget: AccountBudget, key: string): Promise<void>
}

/** @param realm whose attempts these are, where several realms share a store */
export function createThrottle(
  store: ThrottleStore,
  limits: Readonly<Limits> | false,
  realm: string,
): Throttle {
  // Hashed: names and addresses do not belong into a shared store, and a long one takes no more room than a short one.
  const storeKey = (budget: AccountBudget, key: string): string =>
    `${budget}:${hash('sha256', `${realm}:${key}`, 'base64url')}`

  const count: Throttle['count'] = async (budget, key) => {
    if (limits === false) return null
    const { max, window } = limits[budget]
    const { count: nth, resetMs } = await store.increment(storeKey(budget, key), window)
    return { nth, max, resetMs }
  }

  /** Where no try is left, how many there are and when, in milliseconds, there are some again; else `null`. */
  async function tryToSpend(
    budget: AccountBudget,
    key: string,
  ): Promise<{ max: number; resetMs: number } | null> {
    const spent = await count(budget, key)
    return spent === null || spent.nth <= spent.max ? null : spent
  }

  return {
    count,
    async spend(budget, key) {
      const exceeded = await tryToSpend(budget, key)
      if (exceeded === null) return
      const retryAfter = Math.max(1, Math.ceil(exceeded.resetMs / 1000))
      throw refusal('ACCOUNTS_THROTTLED', { limit: exceeded.max, retryAfter })
    },
    async allows(budget, key) {
      if ((await tryToSpend(budget, key)) === null) return true
      // What was refused is no try: of what is given back later, there must be something left.
      await store.decrement(storeKey(budget, key))
      return false
    },
    async giveBack(budget, key, age = 0) {
      if (limits === false || age >= limits[budget].window) return
      await store.decrement(storeKey(budget, key))
    },
    async clear(budget, key) {
      if (limits !== false) await store.clear(storeKey(budget, key))
    },
  }
}
