import type { Deps } from '../deps.js'
import { attributed, changedMeanwhile, type FieldError, invalidInput } from '../errors.js'
import { checkPasswordPair, type PasswordPair } from '../passwords/password-policy.js'
import type { SignUpMethod } from '../seams/before.js'
import type { Invitation } from '../seams/invitation-store.js'
import type { PendingMessage } from '../seams/outbox.js'
import type { Client } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import { clearAttempts } from '../throttle/throttle.js'
import { withoutApiKeys } from '../tokens/api-key.js'
import type { OpenedLink, Purpose } from '../tokens/email-link.js'
import { holdsPassword, noPassword, type StoredUser, type UserChanges, withChanges } from '../user.js'
import { changeByLink } from './change-by-link.js'
import { addressAlone, type OtherProof } from './create.js'
import { type AskDeps, askOwner } from './ownership/ask-owner.js'
import { orUsernameTaken, usernameFaults } from './ownership/choose-username.js'
import { enteredLast } from './ownership/newest-sign-up.js'
import { isUsed } from './ownership/states.js'
import { changesHands, isByMaker, type OwnershipEvent, takesNewest } from './ownership/table.js'
import type { Brought } from './ownership/verbs.js'
import { type DeviceList, recoveryMails, withNote } from './removed.js'

export interface ChooseDeps
  extends AskDeps,
    Pick<Deps, 'passwords' | 'throttle' | 'options' | 'postOffice' | 'events'> {
  device: Pick<DeviceCookie, 'write'>
  pending: { devices: DeviceList }
}

/** What lets somebody choose a password without a login: a link or a code. */
export interface PasswordProof {
  user: StoredUser
  /** What it says about who owns the account. */
  eventFor(user: StoredUser): OwnershipEvent
  /** What the app's rule is told. Default `password`. */
  method?: SignUpMethod
  /** The one whose link it is. Default: none. */
  invitation?: Invitation | undefined
  /**
   * Uses it up along with the changes.
   * @throws AccountsError if it is no longer valid
   */
  use(
    changesFor: (current: StoredUser) => UserChanges | null,
    messages: (changed: StoredUser, before: StoredUser) => readonly PendingMessage[],
  ): Promise<StoredUser>
}

/** Whose password it is, which must not be in it. */
type NamedAccount = Pick<StoredUser, 'username' | 'email'>

/** What they choose. */
export type NewPasswordChoice = NewAccess &
  Pick<Brought, 'username' | 'profile'> & {
    /** Whether the API keys end as well. Default `false`. */
    endsKeys?: boolean
  }

/** A password, or what they log in with instead. */
export type NewAccess = (PasswordPair & { takeProof?: undefined }) | { takeProof: TakeProof }

/**
 * Checks what they log in with instead of a password, and uses it up.
 * @throws AccountsError
 */
export type TakeProof = () => Promise<OtherProof>

/** The proof that an opened link is. */
export function proofByLink(
  deps: Pick<Deps, 'users'>,
  link: OpenedLink,
  eventFor: PasswordProof['eventFor'],
): PasswordProof {
  return { user: link.user, eventFor, use: (...change) => changeByLink(deps, link, ...change) }
}

/** What choosing a password with such a link, or a mailed code, says about who owns the account. */
export function resetEventOf(purpose: Purpose, isMaker: boolean): OwnershipEvent {
  if (purpose === 'password-link') return 'password-vouched'
  return isMaker ? 'reset-by-maker' : 'proved-elsewhere'
}

/**
 * Makes the device known once nothing can fail anymore. A known one also has its own budget for guessing second factors, and
 * none was given here.
 */
export function makeKnown(
  { device }: Pick<ChooseDeps, 'device'>,
  client: Client,
  user: StoredUser,
): StoredUser {
  device.write(client, user, user.factors.length === 0 ? undefined : 'password')
  return user
}

/**
 * Sets a password with a valid link or code; what else becomes of the account, the table of ownership says. All the user's
 * sessions, links and codes become invalid. The device becomes known by `makeKnown`.
 * @param client who asks the app's rule, if nobody has proven the address before
 * @throws AccountsError what the proof throws; ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_CONFLICT and
 * RuleError, after which it is still valid
 */
export async function choosePassword(
  deps: ChooseDeps,
  client: Client,
  { user: owner, eventFor, method = 'password', invitation, use }: PasswordProof,
  { username, profile, endsKeys = false, ...access }: NewPasswordChoice,
): Promise<StoredUser> {
  const { throttle, options, postOffice, events, pending } = deps
  return attributed(owner, async () => {
    const event = eventFor(owner)
    let isHandedOver = false as boolean
    // In the browser of several sign-ups the account gets the newest name, if its new owner chooses none.
    const newest = takesNewest(event, owner) ? await enteredLast(deps, client, owner) : {}
    const ownName = isByMaker(event) ? newest.username : (username ?? newest.username)
    const named = { email: owner.email, username: ownName ?? owner.username }
    const faults = [...usernameFaults(owner, username), ...accessFaults(options, access, named)]
    if (faults.length > 0) throw invalidInput(...faults)
    const giving = await askOwner(deps, client, event, { method, invitation }, owner, { username, profile })
    const { passwordHash, ...added } = await takeAccess(deps, access, named)
    const user = await giving((changesFor) =>
      use(
        (current) => {
          if (eventFor(current) !== event) throw changedMeanwhile()
          const changes = changesFor(current, { passwordHash })
          if (changes === null) return null
          const all = withAdded(current, changes, added)
          const keyless = endsKeys ? withoutApiKeys(withChanges(current, all)) : {}
          return withNote(current, { ...all, ...keyless }, pending.devices)
        },
        (changed, before) => {
          isHandedOver = changesHands(event, before) && isUsed(before)
          return [
            // As at a sign-up with a password, a first one is no news.
            ...(passwordHash !== noPassword && (holdsPassword(before) || before.isVerified)
              ? postOffice.about('password-changed', changed)
              : []),
            ...recoveryMails(postOffice, changed, before),
            ...(isHandedOver ? events.about('user.handed_over', changed, { former_id: null }) : []),
          ]
        },
      ),
    ).catch(orUsernameTaken)
    clearAttempts(throttle, user)
    client.note({ user, ...(isHandedOver && { handedOver: user }) })
    return user
  })
}

/** What is wrong with a new password. */
export function accessFaults(
  { password }: Pick<Deps['options'], 'password'>,
  access: NewAccess,
  account: NamedAccount,
): FieldError[] {
  return access.takeProof === undefined ? checkPasswordPair('new_password', access, account, password) : []
}

/**
 * Hashes the password, or takes what is instead of it.
 * @throws AccountsError
 */
export async function takeAccess(
  { passwords }: Pick<Deps, 'passwords'>,
  access: NewAccess,
  account: NamedAccount,
): Promise<OtherProof & { passwordHash: string }> {
  if (access.takeProof !== undefined) return { passwordHash: noPassword, ...(await access.takeProof()) }
  const chosen = { password: access.password, field: 'new_password' }
  return { passwordHash: await passwords.hashNew(chosen, account, 'known'), ...addressAlone }
}

/** The changes, with what is added to what they leave. */
function withAdded(
  current: StoredUser,
  changes: UserChanges,
  { credentials, identityKeys }: OtherProof,
): UserChanges {
  if (credentials.length === 0) return changes
  const later = withChanges(current, changes)
  return {
    ...changes,
    credentials: [...later.credentials, ...credentials],
    identityKeys: [...later.identityKeys, ...identityKeys],
  }
}
