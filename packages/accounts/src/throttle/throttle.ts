import { createHash } from 'node:crypto'
import { AccountsError } from '../errors.js'
import type { Limits } from '../options.js'
import type { ThrottleStore } from '../seams/throttle-store.js'

/** The budgets that are kept by account, address or user. Those by client IP are kept at the routes. */
export type AccountBudget =
  | 'loginAccount'
  | 'loginAccountDay'
  | 'forgotMails'
  | 'verifyMails'
  | 'changePassword'
  | 'changeProfile'
  | 'changeEmail'
  | 'newDeviceMails'

/** Those that count failed logins of one account, the shorter first. */
export const loginLimits = ['loginAccount', 'loginAccountDay'] as const satisfies readonly AccountBudget[]

/** Counts tries by account, before any hash is made for them. */
export interface Throttle {
  /**
   * Spends one try.
   * @throws AccountsError ACCOUNTS_THROTTLED when none is left
   */
  spend(budget: AccountBudget, key: string): Promise<void>
  /** Spends one try, if one is left; whether it was. */
  allows(budget: AccountBudget, key: string): Promise<boolean>
  /** Gives a try back that could not be made. */
  giveBack(budget: AccountBudget, key: string): Promise<void>
  /** Forgets the tries. */
  clear(budget: AccountBudget, key: string): Promise<void>
}

export function createThrottle(store: ThrottleStore, limits: Readonly<Limits> | false): Throttle {
  // Hashed: names and addresses do not belong into a shared store, and a long one takes no more room than a short one.
  const storeKey = (budget: AccountBudget, key: string): string =>
    `${budget}:${createHash('sha256').update(key).digest('base64url')}`

  /** The error to throw where no try is left, else `null`. */
  async function tryToSpend(budget: AccountBudget, key: string): Promise<AccountsError | null> {
    if (limits === false) return null
    const { max, window } = limits[budget]
    const { count, resetMs } = await store.increment(storeKey(budget, key), window)
    if (count <= max) return null
    return new AccountsError('ACCOUNTS_THROTTLED', {
      limit: max,
      retryAfter: Math.max(1, Math.ceil(resetMs / 1000)),
    })
  }

  return {
    async spend(budget, key) {
      const refusal = await tryToSpend(budget, key)
      if (refusal !== null) throw refusal
    },
    async allows(budget, key) {
      return (await tryToSpend(budget, key)) === null
    },
    async giveBack(budget, key) {
      if (limits !== false) await store.decrement(storeKey(budget, key))
    },
    async clear(budget, key) {
      if (limits !== false) await store.clear(storeKey(budget, key))
    },
  }
}
