import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { nobody, type StoredUser, type UserChanges } from '../../user.js'
import type { CodeKind } from '../awaiting-factor.js'
import type { RequestedCodes } from './code-requests.js'
import { isCodeFor, liveCode, withCode } from './mailed-code.js'

export type CodeDeps = Pick<Deps, 'users' | 'throttle'> & {
  options: Pick<ResolvedOptions, 'secret' | 'session'>
}

/** A code that somebody has typed where codes were requested. */
export interface CodeAttempt {
  kind: CodeKind
  requested: RequestedCodes
  code: string
  /** Whose address it is; `null` if there is no account. */
  owner: StoredUser | null
  /** For the budget of attempts. */
  key: string
}

/**
 * Has the requested code that was typed used. A wrong one takes the same course whether or not there is an account.
 * @param use uses up a right code, if it is still live. `null` if it isn't; if it throws, the code still works, and the
 * attempt doesn't count
 * @returns `null` if the code is wrong, or no longer live
 * @throws AccountsError ACCOUNTS_THROTTLED; what `use` throws
 */
export async function tryCode<Used>(
  { users, throttle, options }: CodeDeps,
  { kind, requested: { emailKey, seeds }, code, owner, key }: CodeAttempt,
  use: (owner: StoredUser, seed: string) => Promise<Used | null>,
): Promise<Used | null> {
  await throttle.spend('loginCode', key)
  let used: Used | null = null
  try {
    const seed = seeds.find((each) => isCodeFor(options, { kind, seed: each, emailKey }, code))
    if (seed === undefined) await countMiss(users, owner, { kind, seeds })
    else if (owner !== null && liveCode(owner, kind, seed) !== null) used = await use(owner, seed)
  } catch (error) {
    await throttle.giveBack('loginCode', key).catch(() => {})
    throw error
  }
  if (used !== null) await throttle.clear('loginCode', key)
  return used
}

/**
 * Counts a wrong code on the account, not in a cookie, which can be copied; on all that it was tried for, so several
 * requests give no more attempts. Queries the store the same way whether or not there is an account with a live code.
 */
async function countMiss(
  users: Deps['users'],
  owner: StoredUser | null,
  { kind, seeds }: { kind: CodeKind; seeds: readonly string[] },
): Promise<void> {
  const count = (current: StoredUser): UserChanges | null => {
    const live = seeds.flatMap((seed) => liveCode(current, kind, seed) ?? [])
    if (live.length === 0) return null
    const counted = live.map((code) => ({ ...code, left: code.left - 1 }))
    return { credentials: counted.reduce(withCode, current.credentials) }
  }
  if (owner === null || count(owner) === null) {
    // Changes nothing, because no record has the version 0.
    const unwritable = { ...(owner ?? { ...nobody, id: seeds[0] ?? '' }), version: 0 }
    await users.update(unwritable, { credentials: owner?.credentials ?? [] })
    return
  }
  await users.change(owner, count).catch((error: unknown) => {
    // With many at once, each is refused anyway, and the faster ones are counted.
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_CONFLICT')) throw error
  })
}
