import type { Deps } from '../../deps.js'
import { AccountsError, attributed } from '../../errors.js'
import type { Proof } from '../../logins/finish-login.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { type Granted, nothingGranted } from '../../seams/before.js'
import type { Client } from '../../sessions/client.js'
import { loginFollows } from '../../sessions/session-change.js'
import { addressKey, clearAttempts, deviceBudgetKey } from '../../throttle/throttle.js'
import { nobody, noPassword, type StoredUser, type User, type UserChanges } from '../../user.js'
import { askHandOver } from '../../users/ask-sign-up.js'
import { firstProof } from '../../users/change.js'
import type { AskedCode } from './codes/asked-code.js'
import { countMiss } from './codes/count-miss.js'
import { isCodeFor, liveCode, withUsed } from './codes/mailed-code.js'

const kind = 'login-code'

/**
 * Proves who owns an account with an emailed code, and uses up all codes of the account. The code also
 * verifies the address: whatever was there before its first verification is removed.
 * @param client who asks the app's rule, if nobody has proven the address before
 * @param asked the browser's request; `null` if it has made none
 * @param deviceOf the name of the caller's device, if it has logged in to this account before. Always called, because it
 * takes time, which must not tell whether there is an account
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; RuleError, after which the code still
 * works
 */
export async function logInWithCode(
  deps: Pick<Deps, 'users' | 'throttle' | 'rules'> & {
    options: Pick<ResolvedOptions, 'secret' | 'session'>
  },
  client: Client,
  asked: AskedCode | null,
  code: string,
  deviceOf: (user: User | null) => string | null,
): Promise<Proof> {
  if (asked === null) throw new AccountsError('ACCOUNTS_INVALID_CODE', { reason: 'not_requested' })
  const { users, throttle, options } = deps
  const { seed, emailKey } = asked
  const owner = await users.findByEmail(emailKey)
  const device = deviceOf(owner)
  // For known and unknown addresses alike. A known device has its own budget, so guessing elsewhere doesn't
  // lock it out.
  const key = device === null ? addressKey(emailKey) : deviceBudgetKey(device)
  return attributed(owner, async () => {
    await throttle.spend('loginCode', key)
    let spent: StoredUser | null = null
    try {
      if (isCodeFor(options, { kind, seed, emailKey }, code)) {
        const isLive = owner !== null && liveCode(owner, kind, seed) !== null
        const granted = isLive ? await askHandOver(deps, client, 'email-code', owner) : nothingGranted
        spent =
          owner &&
          (await users.change(owner, (current) => spendCode(current, seed, granted), {
            session: loginFollows,
          }))
      } else await countWrong(users, owner, seed)
    } catch (error) {
      await throttle.giveBack('loginCode', key).catch(() => {})
      throw error
    }
    if (owner === null || spent === null) throw new AccountsError('ACCOUNTS_INVALID_CODE')
    await throttle.clear('loginCode', key)
    if (!owner.isVerified) clearAttempts(throttle, spent)
    return { user: spent, methods: ['email'] }
  })
}

/** Of any number of concurrent logins, one uses it up. */
function spendCode(current: StoredUser, seed: string, granted: Granted): UserChanges | null {
  const code = liveCode(current, kind, seed)
  if (code === null) return null
  // Before the address was verified, somebody else may have typed it.
  const changes = current.isVerified ? {} : firstProof(current, noPassword, granted)
  const { credentials } = { ...current, ...changes }
  return { ...changes, credentials: withUsed(credentials, code) }
}

/** Queries the store the same way whether or not there is an account with a valid code. */
async function countWrong(users: Deps['users'], owner: StoredUser | null, seed: string): Promise<void> {
  if (owner !== null && liveCode(owner, kind, seed) !== null) return countMiss(users, owner, { kind, seed })
  // Changes nothing, because no record has the version 0.
  const unwritable = { ...(owner ?? { ...nobody, id: seed }), version: 0 }
  await users.update(unwritable, { credentials: owner?.credentials ?? [] })
}
