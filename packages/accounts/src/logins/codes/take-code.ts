import { AccountsError, attributed } from '../../errors.js'
import { addressKey, deviceBudgetKey } from '../../throttle/throttle.js'
import type { StoredUser, User } from '../../user.js'
import type { CodeKind } from '../awaiting-factor.js'
import type { RequestedCodes } from './code-requests.js'
import { type CodeDeps, tryCode } from './try-code.js'

/** A code that somebody without a session has typed. */
export interface TypedCode {
  kind: CodeKind
  /** What the browser has requested; `null` if nothing. */
  requested: RequestedCodes | null
  code: string
  /**
   * The name of the caller's device, if it has logged in to this account before. Always called, because it takes time, which
   * must not tell whether there is an account.
   */
  deviceOf(user: User | null): string | null
}

/**
 * Checks an emailed code where it was requested, and has it used, as `tryCode` does.
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; what `use` throws
 */
export async function takeCode<Used>(
  deps: CodeDeps,
  { kind, requested, code, deviceOf }: TypedCode,
  use: (owner: StoredUser, seed: string) => Promise<Used | null>,
): Promise<Used> {
  if (requested === null) throw new AccountsError('ACCOUNTS_INVALID_CODE', { reason: 'not_requested' })
  const { emailKey } = requested
  const owner = await deps.users.findByEmail(emailKey)
  const device = deviceOf(owner)
  // For known and unknown addresses alike. A known device has its own budget, so guessing elsewhere doesn't
  // lock it out.
  const key = device === null ? addressKey(emailKey) : deviceBudgetKey(device)
  return attributed(owner, async () => {
    const used = await tryCode(deps, { kind, requested, code, owner, key }, use)
    if (used === null) throw new AccountsError('ACCOUNTS_INVALID_CODE')
    return used
  })
}
