import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { liveCode, withUsed } from '../../logins/codes/mailed-code.js'
import { type TypedCode, takeCode } from '../../logins/codes/take-code.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import type { Client } from '../../sessions/client.js'
import { type StoredUser, type User, withChanges } from '../../user.js'
import {
  type ChooseDeps,
  choosePassword,
  makeKnown,
  type NewPasswordChoice,
  type PasswordProof,
} from '../../users/choose-password.js'
import { resetEventOf } from '../../users/ownership/reset-event.js'

const kind = 'reset-code'

/**
 * Sets a new password with an emailed code, as with the link in the same email. The password is only checked once the
 * code is known to be right: its rules depend on the account.
 * @param isMaker as for `resetPassword`
 * @param typed as for `takeCode`
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; ACCOUNTS_INVALID_INPUT and RuleError,
 * after which the code still works
 */
export async function resetPasswordWithCode(
  deps: ChooseDeps & Pick<Deps, 'users'> & { options: Pick<ResolvedOptions, 'secret' | 'session'> },
  client: Client,
  isMaker: (user: User) => boolean,
  typed: Omit<TypedCode, 'kind'>,
  choice: NewPasswordChoice,
): Promise<StoredUser> {
  const user = await takeCode(deps, { kind, ...typed }, async (owner, seed) => {
    if (liveCode(owner, kind, seed) === null) return null
    return choosePassword(deps, client, proofOf(deps, isMaker, owner, seed), choice)
  })
  makeKnown(deps, client, user)
  return user
}

/** Of any number of concurrent requests, one uses it up. */
function proofOf(
  { users }: Pick<Deps, 'users'>,
  isMaker: (user: User) => boolean,
  owner: StoredUser,
  seed: string,
): PasswordProof {
  return {
    user: owner,
    eventFor: (user) => resetEventOf('reset-password', isMaker(user)),
    async use(changesFor, messages) {
      const changed = await users.change(
        owner,
        (current) => {
          const code = liveCode(current, kind, seed)
          if (code === null) return null
          const changes = changesFor(current)
          if (changes === null) return null
          const { credentials } = withChanges(current, changes)
          return { ...changes, credentials: withUsed(credentials, code) }
        },
        { messages },
      )
      if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_CODE')
      return changed
    },
  }
}
