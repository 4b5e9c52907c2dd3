import type { Deps } from '../../deps.js'
import { AccountsError, attributed } from '../../errors.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import type { Client } from '../../sessions/client.js'
import { addressKey, deviceBudgetKey } from '../../throttle/throttle.js'
import { nobody, type StoredUser, type UserChanges } from '../../user.js'
import type { CodeKind } from '../awaiting-factor.js'
import { orCounted } from '../factor.js'
import { type DeviceDeps, knownDevice } from '../known-device.js'
import type { CodeRequests, RequestedCodes } from './code-requests.js'
import { isCodeFor, liveCode, withCode } from './mailed-code.js'

export type CodeDeps = Pick<Deps, 'users' | 'throttle'> & {
  options: Pick<ResolvedOptions, 'secret' | 'session'>
}

/** A code that somebody has typed where codes were requested. */
interface CodeAttempt {
  kind: CodeKind
  requested: RequestedCodes
  code: string
  /** Whose address it is; `null` if there is no account. */
  owner: StoredUser | null
  /** For the budget of attempts. */
  key: string
}

/** What lets somebody without a session use a code. */
export type TakeDeps = CodeDeps & DeviceDeps

/**
 * Checks an emailed code where it was requested, and has it used, as `tryCode` does.
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; what `use` throws
 */
export async function takeCode<Used>(
  deps: TakeDeps,
  client: Client,
  requests: CodeRequests,
  code: string,
  use: (owner: StoredUser, seed: string) => Promise<Used | null>,
): Promise<Used> {
  const { kind } = requests
  const requested = requests.read(client)
  if (requested === null) throw new AccountsError('ACCOUNTS_INVALID_CODE', { reason: 'not_requested' })
  const { emailKey } = requested
  const owner = await deps.users.findByEmail(emailKey)
  const device = knownDevice(deps, client, owner)
  // For known and unknown addresses alike. A known device has its own budget, so guessing elsewhere doesn't
  // lock it out.
  const key = device === null ? addressKey(emailKey) : deviceBudgetKey(device)
  return attributed(owner, async () => {
    const used = await tryCode(deps, { kind, requested, code, owner, key }, use)
    if (used === null) throw new AccountsError('ACCOUNTS_INVALID_CODE')
    // Using one ends all of them.
    requests.clear(client)
    return used
  })
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
  await users.change(owner, count).catch(orCounted)
}
