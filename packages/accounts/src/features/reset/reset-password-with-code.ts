import { AccountsError } from '../../errors.js'
import type { CodeRequests } from '../../logins/codes/code-requests.js'
import { usingCode } from '../../logins/codes/mailed-code.js'
import { type TakeDeps, takeCode } from '../../logins/codes/take-code.js'
import type { Client } from '../../sessions/client.js'
import type { StoredUser, User } from '../../user.js'
import {
  type ChooseDeps,
  choosePassword,
  makeKnown,
  type NewPasswordChoice,
  type PasswordProof,
  resetEventOf,
} from '../../users/choose-password.js'

/**
 * Sets a new password with an emailed code, as with the link in the same email. The password is only checked once the
 * code is known to be right: its rules depend on the account.
 * @param isMaker as for `resetPassword`
 * @param code as typed
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; ACCOUNTS_INVALID_INPUT and RuleError,
 * after which the code still works
 */
export async function resetPasswordWithCode(
  deps: ChooseDeps & TakeDeps,
  client: Client,
  isMaker: (user: User) => boolean,
  requests: CodeRequests,
  code: string,
  choice: NewPasswordChoice,
): Promise<StoredUser> {
  const user = await takeCode(deps, client, requests, code, async (owner, seed) => {
    const proof: PasswordProof = {
      user: owner,
      eventFor: (user) => resetEventOf('reset-password', isMaker(user)),
      // Of any number of concurrent requests, one uses it up.
      async use(changesFor, messages) {
        const uses = (current: StoredUser) => usingCode(current, requests.kind, seed, changesFor)
        const changed = await deps.users.change(owner, uses, { messages })
        if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_CODE')
        return changed
      },
    }
    return choosePassword(deps, client, proof, choice)
  })
  return makeKnown(deps, client, user)
}
