import { fieldError, invalidInput } from '../../../errors.js'
import { usingCode } from '../../../logins/codes/mailed-code.js'
import { type CodeDeps, tryCode } from '../../../logins/codes/take-code.js'
import type { Factor } from '../../../logins/factor.js'
import type { ResolvedOptions } from '../../../options/resolve.js'
import { accountKey, deviceBudgetKey } from '../../../throttle/throttle.js'
import type { StoredUser, User } from '../../../user.js'
import { ownRecord } from '../../../users/own-record.js'
import { confirmsByCode, confirmationKind as kind, otherProof, seedsFor } from './confirmation-code.js'

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
  deps: CodeDeps & { options: Pick<ResolvedOptions, 'links'>; factors: readonly Factor[] },
  owner: User,
  code: string,
  { session, device }: { session: string; device: string | null },
): Promise<StoredUser> {
  const { users } = deps
  const user = await ownRecord(deps, owner)
  const { emailKey } = user
  if (emailKey === null || !confirmsByCode(user, deps)) throw otherProof(user, deps)
  const key = device === null ? accountKey(user) : deviceBudgetKey(device)
  const requested = { emailKey, seeds: seedsFor(user, session) }
  // Checked again when the code is used up: the account may have another method meanwhile.
  const stillConfirms = (current: StoredUser) =>
    current.sessionEpoch === owner.sessionEpoch && confirmsByCode(current, deps) ? {} : null
  const attempt = { kind, requested, code, owner: user, key } as const
  const spent = await tryCode(deps, attempt, (_, seed) =>
    users.change(user, (current) => usingCode(current, kind, seed, stillConfirms)),
  )
  if (spent === null) throw invalidInput(fieldError(codeField, 'incorrect', { text: 'factor_incorrect' }))
  return spent
}
