import type { Deps } from '../../deps.js'
import { AccountsError, invalidInput } from '../../errors.js'
import { liveCode, withUsed } from '../../logins/codes/mailed-code.js'
import { type TypedCode, takeCode } from '../../logins/codes/take-code.js'
import type { Proof } from '../../logins/finish-login.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import type { Client } from '../../sessions/client.js'
import { othersAfter } from '../../sessions/session-effect.js'
import { clearAttempts } from '../../throttle/throttle.js'
import { holdsPassword, type User, withChanges } from '../../user.js'
import { type AskDeps, askOwner } from '../../users/ownership/ask-owner.js'
import { orUsernameTaken, usernameFaults } from '../../users/ownership/choose-username.js'
import { isUsed } from '../../users/ownership/states.js'
import { changesHands } from '../../users/ownership/table.js'
import type { Brought } from '../../users/ownership/verbs.js'
import { recoveryMails, withNote } from '../../users/removed.js'

const kind = 'login-code'

type LoginCodeDeps = AskDeps &
  Pick<Deps, 'users' | 'throttle' | 'postOffice'> & { options: Pick<ResolvedOptions, 'secret'> }

/**
 * Proves who owns an account with an emailed code, and uses up all codes of the account. The code also proves the address;
 * the table of ownership says what stays.
 * @param by.client asks the app's rule, if nobody has proven the address before
 * @param by.isMaker whether the browser has shown that the account was made there
 * @param typed as for `takeCode`
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; ACCOUNTS_INVALID_INPUT,
 * ACCOUNTS_USERNAME_TAKEN and RuleError, after which the code still works
 */
export async function logInWithCode(
  deps: LoginCodeDeps,
  devices: RememberedDevices,
  { client, isMaker }: { client: Client; isMaker: (user: User) => boolean },
  typed: Omit<TypedCode, 'kind'>,
  profile: Pick<Brought, 'username' | 'profile'>,
): Promise<Proof> {
  const { users, throttle, postOffice } = deps
  return takeCode(deps, { kind, ...typed }, async (owner, seed) => {
    if (liveCode(owner, kind, seed) === null) return null
    const isMakers = isMaker(owner)
    const event = isMakers ? 'proved-by-maker' : 'code-elsewhere'
    const faults = usernameFaults(owner, profile.username)
    if (faults.length > 0) throw invalidInput(...faults)
    const giving = await askOwner(deps, client, event, { method: 'email-code' }, owner, profile)
    const user = await giving((changesFor) =>
      users.change(
        owner,
        (current) => {
          const code = liveCode(current, kind, seed)
          if (code === null) return null
          if (isMaker(current) !== isMakers)
            throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
          const changes = changesFor(current)
          if (changes === null) return null
          const { credentials } = withChanges(current, changes)
          return withNote(current, { ...changes, credentials: withUsed(credentials, code) }, devices)
        },
        {
          messages: (later, before) => [
            ...recoveryMails(postOffice, later, before),
            // Before anybody proved the address, it was somebody else's.
            ...(before.isVerified && holdsPassword(before) && !holdsPassword(later)
              ? postOffice.about('password-removed', later)
              : []),
          ],
          sessions: (later, before) => ({ own: 'begin', others: othersAfter(later, before) }),
        },
      ),
    ).catch(orUsernameTaken)
    if (user === null) return null
    if (changesHands(event, owner)) {
      clearAttempts(throttle, user)
      if (isUsed(owner)) client.note({ handedOver: user })
    }
    return { user, methods: ['email'] }
  })
}
