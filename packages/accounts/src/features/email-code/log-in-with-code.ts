import type { Deps } from '../../deps.js'
import type { AskedCode } from '../../logins/codes/asked-code.js'
import { liveCode, withUsed } from '../../logins/codes/mailed-code.js'
import { takeCode } from '../../logins/codes/take-code.js'
import type { Proof } from '../../logins/finish-login.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { type Granted, nothingGranted } from '../../seams/before.js'
import type { Client } from '../../sessions/client.js'
import { othersAfter } from '../../sessions/session-effect.js'
import { clearAttempts } from '../../throttle/throttle.js'
import { noPassword, type StoredUser, type User, type UserChanges } from '../../user.js'
import { askHandOver } from '../../users/ask-sign-up.js'
import { firstProof } from '../../users/change.js'

const kind = 'login-code'

/**
 * Proves who owns an account with an emailed code, and uses up all codes of the account. The code also
 * verifies the address: whatever was there before its first verification is removed.
 * @param client who asks the app's rule, if nobody has proven the address before
 * @param request the browser's request; `null` if it has made none
 * @param deviceOf as for `takeCode`
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; RuleError, after which the code still
 * works
 */
export async function logInWithCode(
  deps: Pick<Deps, 'users' | 'throttle' | 'rules'> & {
    options: Pick<ResolvedOptions, 'secret' | 'session'>
  },
  client: Client,
  request: AskedCode | null,
  code: string,
  deviceOf: (user: User | null) => string | null,
): Promise<Proof> {
  const { users, throttle } = deps
  return takeCode(deps, { kind, request, code, deviceOf }, async (owner, seed) => {
    const isLive = liveCode(owner, kind, seed) !== null
    const granted = isLive ? await askHandOver(deps, client, 'email-code', owner) : nothingGranted
    const user = await users.change(owner, (current) => spendCode(current, seed, granted), {
      sessions: (later, before) => ({ own: 'begin', others: othersAfter(later, before) }),
    })
    if (user === null) return null
    if (!owner.isVerified) clearAttempts(throttle, user)
    return { user, methods: ['email'] }
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
