import type { Deps } from '../../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../../errors.js'
import { countMiss } from '../../../logins/codes/count-miss.js'
import { isCodeFor, liveCode, withUsed } from '../../../logins/codes/mailed-code.js'
import type { Factor } from '../../../logins/factor.js'
import type { ResolvedOptions } from '../../../options/resolve.js'
import { accountKey, deviceBudgetKey } from '../../../throttle/throttle.js'
import type { StoredUser, User, UserChanges } from '../../../user.js'
import {
  confirmsByCode,
  isLoggedIn,
  confirmationKind as kind,
  otherProof,
  seedFor,
} from './confirmation-code.js'

/** The field of the body that carries it; `code` is that of a second factor. */
export const codeField = 'email_code'

/**
 * Checks an emailed code of a logged-in user, and uses it up.
 * @param from.session the one that requested the code
 * @param from.device the name of the caller's device, if it has logged in to this account before
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT;
 * ACCOUNTS_CONFIRMATION_REQUIRED if the account confirms with something else; ACCOUNTS_LOGIN_REQUIRED if
 * its sessions ended meanwhile
 */
export async function confirmWithCode(
  deps: Pick<Deps, 'users' | 'throttle'> & {
    options: Pick<ResolvedOptions, 'secret' | 'session' | 'links'>
    factors: readonly Factor[]
  },
  owner: User,
  typed: string,
  { session, device }: { session: string; device: string | null },
): Promise<StoredUser> {
  const { users, throttle, options } = deps
  const user = await users.findById(owner.id)
  if (user === null || !isLoggedIn(user, owner)) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  if (!confirmsByCode(user, deps)) throw otherProof(user, deps)
  const key = device === null ? accountKey(user) : deviceBudgetKey(device)
  await throttle.spend('loginCode', key)
  const seed = seedFor(user, session)
  // Checked again when the code is used up: the account may have another method meanwhile.
  const spend = (current: StoredUser): UserChanges | null => {
    const code = seed === null ? null : liveCode(current, kind, seed)
    if (code === null || !isLoggedIn(current, owner) || !confirmsByCode(current, deps)) return null
    return { credentials: withUsed(current.credentials, code) }
  }
  let spent: StoredUser | null = null
  try {
    if (seed !== null && user.emailKey !== null) {
      const isRight = isCodeFor(options, { kind, seed, emailKey: user.emailKey }, typed)
      if (isRight) spent = await users.change(user, spend)
      else await countMiss(users, user, { kind, seed })
    }
  } catch (error) {
    await throttle.giveBack('loginCode', key).catch(() => {})
    throw error
  }
  if (spent === null) throw invalidInput(fieldError(codeField, 'incorrect', { text: 'factor_incorrect' }))
  await throttle.clear('loginCode', key)
  return spent
}
