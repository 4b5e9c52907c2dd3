import { changeUser } from '../../adapters/change-user.js'
import type { Deps } from '../../deps.js'
import { about, refusal } from '../../errors.js'
import type { Proof } from '../../logins/finish-login.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { addressKey, clearAttempts, deviceBudgetKey } from '../../throttle/throttle.js'
import { noPassword, type StoredUser, type User, type UserChanges } from '../../user.js'
import { firstProof } from '../../users/change.js'
import type { AskedCode } from './codes/asked-code.js'
import { countMiss } from './codes/count-miss.js'
import { isCodeFor, liveCode, withUsed } from './codes/mailed-code.js'

const kind = 'login-code'

/**
 * Proves by a mailed code whose account it is, and uses it and the others of the account up. The code proves the address too: what was there
 * before its first proof is void.
 * @param asked what the browser brought; `null` where it has asked for nothing
 * @param deviceOf the name of the caller's device, if it has logged in to this account before
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT
 */
export async function logInWithCode(
  deps: Pick<Deps, 'users' | 'throttle'> & {
    options: Pick<ResolvedOptions, 'secret' | 'session'>
  },
  asked: AskedCode | null,
  code: string,
  deviceOf: (user: Pick<User, 'id' | 'resetEpoch'>) => string | null,
): Promise<Proof> {
  if (asked === null) throw refusal('ACCOUNTS_INVALID_CODE')
  const { users, throttle, options } = deps
  const { seed, emailKey } = asked
  const owner = await users.findByEmail(emailKey)
  // Looked for in any case: to read the cookie takes time, which must not tell whether there is an account.
  const mark = deviceOf(owner ?? { id: '', resetEpoch: 0 })
  const device = owner && mark
  // Known and unknown addresses alike. A known device has a budget of its own, so that guessing elsewhere doesn't lock
  // it out.
  const key = device === null ? addressKey(emailKey) : deviceBudgetKey(device)
  return about(owner, async () => {
    await throttle.spend('loginCode', key)
    // The epoch ends the older sessions. To take away their rows, late, would take this login's too.
    const keepingRows = { ...users, update: users.updateOnly }
    let spent: StoredUser | null = null
    try {
      if (isCodeFor(options, { kind, seed, emailKey }, code))
        spent = owner && (await changeUser(keepingRows, owner, (current) => spendCode(current, seed)))
      else await countWrong(users, owner, seed)
    } catch (error) {
      await throttle.giveBack('loginCode', key).catch(() => {})
      throw error
    }
    if (owner === null || spent === null) throw refusal('ACCOUNTS_INVALID_CODE')
    await throttle.clear('loginCode', key)
    if (!owner.isVerified) clearAttempts(throttle, spent)
    return { user: spent, methods: ['email'] }
  })
}

/** Of any number of logins at the same moment, one spends it. */
function spendCode(current: StoredUser, seed: string): UserChanges | null {
  const code = liveCode(current, kind, seed)
  if (code === null) return null
  // Whoever was here before the address was proven may have typed somebody else's.
  const changes = current.isVerified ? {} : firstProof(current, noPassword)
  const { credentials } = { ...current, ...changes }
  return { ...changes, credentials: withUsed(credentials, code) }
}

/** Whether or not there is an account, and a code that lives, the store is asked the same. */
async function countWrong(users: Deps['users'], owner: StoredUser | null, seed: string): Promise<void> {
  if (owner !== null && liveCode(owner, kind, seed) !== null) return countMiss(users, owner, { kind, seed })
  // It changes nothing: no record has the version 0.
  await users.update(owner?.id ?? seed, { credentials: owner?.credentials ?? [] }, 0)
}
