import type { Deps } from '../../../deps.js'
import { AccountsError } from '../../../errors.js'
import type { Factor } from '../../../logins/factor.js'
import type { User } from '../../../user.js'
import { ownRecord } from '../../../users/own-record.js'
import { confirmationKind, confirmsByCode, newSeedFor, otherProof } from './confirmation-code.js'

/**
 * Emails a confirmation code to a logged-in user.
 * @param session the session that the code is for
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED if the address is unverified; ACCOUNTS_CONFIRMATION_REQUIRED if
 * the account confirms with something else; ACCOUNTS_LOGIN_REQUIRED
 */
export async function requestConfirmationCode(
  deps: Pick<Deps, 'users' | 'postOffice' | 'options'> & { factors: readonly Factor[] },
  owner: User,
  session: string,
): Promise<void> {
  const { postOffice } = deps
  const user = await ownRecord(deps, owner)
  if (user.email === null || !user.isVerified) throw new AccountsError('ACCOUNTS_NOT_VERIFIED')
  if (!confirmsByCode(user, deps)) throw otherProof(user, deps)
  const codeSeed = newSeedFor(session)
  await postOffice.post(postOffice.about(confirmationKind, user, { codeSeed }))
}
