import type { Deps } from '../../../deps.js'
import { refusal } from '../../../errors.js'
import type { Factor } from '../../../logins/factor.js'
import type { User } from '../../../user.js'
import { confirmationKind, confirmsByCode, isLoggedIn, newSeedFor } from '../codes/confirmation-code.js'

/**
 * Mails a code to confirm with to somebody who is logged in.
 * @param session the one that it is for
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED where the address is not proven; ACCOUNTS_CONFIRMATION_REQUIRED where the
 * account has something else to confirm with; ACCOUNTS_LOGIN_REQUIRED
 */
export async function requestConfirmationCode(
  deps: Pick<Deps, 'users' | 'postOffice'> & { factors: readonly Factor[] },
  owner: User,
  session: string,
): Promise<void> {
  const { users, postOffice, factors } = deps
  const user = await users.findById(owner.id)
  if (user === null || !isLoggedIn(user, owner)) throw refusal('ACCOUNTS_LOGIN_REQUIRED')
  if (user.email === null || !user.isVerified) throw refusal('ACCOUNTS_NOT_VERIFIED')
  if (!confirmsByCode(user, factors)) throw refusal('ACCOUNTS_CONFIRMATION_REQUIRED')
  const codeSeed = newSeedFor(session)
  await postOffice.post(postOffice.about(confirmationKind, user, { codeSeed }))
}
