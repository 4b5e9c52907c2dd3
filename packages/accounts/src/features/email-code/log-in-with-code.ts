import type { Deps } from '../../deps.js'
import { changedMeanwhile, invalidInput } from '../../errors.js'
import type { CodeRequests } from '../../logins/codes/code-requests.js'
import { usingCode } from '../../logins/codes/mailed-code.js'
import { type TakeDeps, takeCode } from '../../logins/codes/take-code.js'
import type { Proof } from '../../logins/finish-login.js'
import type { Client } from '../../sessions/client.js'
import { othersAfter } from '../../sessions/session-effect.js'
import { clearAttempts } from '../../throttle/throttle.js'
import { holdsPassword, type User } from '../../user.js'
import { type AskDeps, askOwner } from '../../users/ownership/ask-owner.js'
import { orUsernameTaken, usernameFaults } from '../../users/ownership/choose-username.js'
import { isUsed } from '../../users/ownership/states.js'
import { changesHands } from '../../users/ownership/table.js'
import type { Brought } from '../../users/ownership/verbs.js'
import { type DeviceList, recoveryMails, withNote } from '../../users/removed.js'

type LoginCodeDeps = AskDeps &
  TakeDeps &
  Pick<Deps, 'postOffice' | 'events'> & { pending: { devices: DeviceList } }

/**
 * Proves who owns an account with an emailed code, and uses up all codes of the account. The code also proves the address;
 * the table of ownership says what stays.
 * @param client asks the app's rule, if nobody has proven the address before
 * @param isMaker whether the browser has shown that the account was made there
 * @param code as typed
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; ACCOUNTS_INVALID_INPUT,
 * ACCOUNTS_USERNAME_TAKEN and RuleError, after which the code still works
 */
export async function logInWithCode(
  deps: LoginCodeDeps,
  client: Client,
  isMaker: (user: User) => boolean,
  requests: CodeRequests,
  code: string,
  profile: Pick<Brought, 'username' | 'profile'>,
): Promise<Proof> {
  const { users, throttle, postOffice, events, pending } = deps
  return takeCode(deps, client, requests, code, async (owner, seed) => {
    const isMakers = isMaker(owner)
    const event = isMakers ? 'proved-by-maker' : 'code-elsewhere'
    let isHandedOver = false as boolean
    const faults = usernameFaults(owner, profile.username)
    if (faults.length > 0) throw invalidInput(...faults)
    const giving = await askOwner(deps, client, event, { method: 'email-code' }, owner, profile)
    const user = await giving((changesFor) =>
      users.change(
        owner,
        (current) =>
          usingCode(current, requests.kind, seed, () => {
            if (isMaker(current) !== isMakers) throw changedMeanwhile()
            const changes = changesFor(current)
            return changes && withNote(current, changes, pending.devices)
          }),
        {
          messages: (later, before) => {
            isHandedOver = changesHands(event, before) && isUsed(before)
            return [
              ...recoveryMails(postOffice, later, before),
              // Before anybody proved the address, it was somebody else's.
              ...(before.isVerified && holdsPassword(before) && !holdsPassword(later)
                ? postOffice.about('password-removed', later)
                : []),
              ...(isHandedOver ? events.about('user.handed_over', later, { former_id: null }) : []),
            ]
          },
          sessions: (later, before) => ({ own: 'begin', others: othersAfter(later, before) }),
        },
      ),
    ).catch(orUsernameTaken)
    if (user === null) return null
    if (changesHands(event, owner)) clearAttempts(throttle, user)
    if (isHandedOver) client.note({ handedOver: user })
    return { user, methods: ['email'] }
  })
}
