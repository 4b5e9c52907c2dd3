import type { Deps } from '../../deps.js'
import { AccountsError, attributed } from '../../errors.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { addressKey, deviceBudgetKey } from '../../throttle/throttle.js'
import { nobody, type StoredUser, type User } from '../../user.js'
import type { CodeKind } from '../awaiting-factor.js'
import type { AskedCode } from './asked-code.js'
import { countMiss } from './count-miss.js'
import { isCodeFor, liveCode } from './mailed-code.js'

/** A code that somebody without a session has typed. */
export interface TypedCode {
  kind: CodeKind
  /** The browser's request; `null` if it has made none. */
  request: AskedCode | null
  code: string
  /**
   * The name of the caller's device, if it has logged in to this account before. Always called, because it takes time, which
   * must not tell whether there is an account.
   */
  deviceOf(user: User | null): string | null
}

/**
 * Checks an emailed code where it was requested, and has it used. Wrong ones take the same course whether or not there is an
 * account.
 * @param use uses up a right code, if it is still live. `null` if it isn't; if it throws, the code still works, and the
 * attempt doesn't count
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; what `use` throws
 */
export async function takeCode<Used>(
  {
    users,
    throttle,
    options,
  }: Pick<Deps, 'users' | 'throttle'> & {
    options: Pick<ResolvedOptions, 'secret' | 'session'>
  },
  { kind, request, code, deviceOf }: TypedCode,
  use: (owner: StoredUser, seed: string) => Promise<Used | null>,
): Promise<Used> {
  if (request === null) throw new AccountsError('ACCOUNTS_INVALID_CODE', { reason: 'not_requested' })
  const { seed, emailKey } = request
  const owner = await users.findByEmail(emailKey)
  const device = deviceOf(owner)
  // For known and unknown addresses alike. A known device has its own budget, so guessing elsewhere doesn't
  // lock it out.
  const key = device === null ? addressKey(emailKey) : deviceBudgetKey(device)
  return attributed(owner, async () => {
    await throttle.spend('loginCode', key)
    let used: Used | null = null
    try {
      if (!isCodeFor(options, { kind, seed, emailKey }, code)) await countWrong(users, owner, { kind, seed })
      else if (owner !== null) used = await use(owner, seed)
    } catch (error) {
      await throttle.giveBack('loginCode', key).catch(() => {})
      throw error
    }
    if (used === null) throw new AccountsError('ACCOUNTS_INVALID_CODE')
    await throttle.clear('loginCode', key)
    return used
  })
}

/** Queries the store the same way whether or not there is an account with a valid code. */
async function countWrong(
  users: Deps['users'],
  owner: StoredUser | null,
  { kind, seed }: { kind: CodeKind; seed: string },
): Promise<void> {
  if (owner !== null && liveCode(owner, kind, seed) !== null) return countMiss(users, owner, { kind, seed })
  // Changes nothing, because no record has the version 0.
  const unwritable = { ...(owner ?? { ...nobody, id: seed }), version: 0 }
  await users.update(unwritable, { credentials: owner?.credentials ?? [] })
}
