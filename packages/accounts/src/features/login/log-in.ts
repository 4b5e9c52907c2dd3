import type { Deps } from '../../deps.js'
import { AccountsError, attributed } from '../../errors.js'
import { typedAddress } from '../../identifiers/address-name.js'
import { usernameKey } from '../../identifiers/username.js'
import type { Proof } from '../../logins/finish-login.js'
import { type DeviceDeps, knownDevice } from '../../logins/known-device.js'
import type { Caller } from '../../passwords/passwords.js'
import { tryPassword, withPriority } from '../../passwords/try-password.js'
import type { Client } from '../../sessions/client.js'
import { accountKey, addressKey, deviceBudgetKey, loginLimits } from '../../throttle/throttle.js'
import type { StoredUser } from '../../user.js'
import { findOwnerOf, isDecoyOver } from '../../users/lapsed-sign-up.js'
import { isHiddenFromLogins } from '../../users/visible.js'

/**
 * Proves who owns an account with a password and a username, or the account's address.
 * @param username the username or the address, as `login.by` allows
 * @throws AccountsError ACCOUNTS_THROTTLED, ACCOUNTS_INVALID_CREDENTIALS
 */
export async function logIn(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle' | 'options'> & DeviceDeps,
  client: Client,
  { username, password }: { username: string; password: string },
): Promise<Proof> {
  const { passwords, throttle } = deps
  const { user, triedAs: account, isByAddress, isName } = await findByLogin(deps, username)
  // The text alone tells whether it is a name, and so whether this is looked up.
  const isOver = isName && (await isOverDecoy(deps, user))
  const isHidden = isOver || (isByAddress && user !== null && isHiddenFromLogins(deps.options, user))
  const device = knownDevice(deps, client, user, 'password')
  // A known device has its own budget, so guessing elsewhere doesn't lock it out.
  const triedAs = device === null ? account : deviceBudgetKey(device)
  return attributed(user, async () => {
    const caller = user === null || device === null ? 'stranger' : { account: user.id }
    // For known and unknown names alike.
    const right = await tryPassword(
      deps,
      { password, hash: isHidden ? undefined : user?.passwordHash, caller },
      { budgets: loginLimits, key: triedAs },
    )
    if (user === null || !right) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
    return {
      user,
      methods: ['pwd'],
      changes: async () => {
        if (!passwords.needsRehash(user.passwordHash)) return {}
        const hash = (owner: Caller) => passwords.hash(password, owner)
        return { passwordHash: await withPriority(throttle, { account: user.id }, hash) }
      },
    }
  })
}

/**
 * Finds the account that a username or an address means, by queries that depend on the text alone. `triedAs` is the
 * key for counting attempts: one for all spellings of an address, one for an account whatever its username.
 * Addresses and usernames are counted separately: somebody who exhausts a shared budget by username would
 * learn whose address it is. A typed address counts as one even if only usernames log in: a username may be an address,
 * and then all spellings of the name are that address.
 */
async function findByLogin(
  { users, options: { login } }: Pick<Deps, 'users' | 'options'>,
  text: string,
): Promise<{ user: StoredUser | null; triedAs: string; isByAddress: boolean; isName: boolean }> {
  const typed = typedAddress(login.byEmail ? text : usernameKey(text))
  const address = login.byEmail ? typed : null
  // White space around an address isn't part of it.
  const key = usernameKey(address === null ? text : text.trim())
  const [named, owner] = await Promise.all([
    login.byUsername ? users.findByUsername(key) : null,
    // The text alone tells whether it is an address.
    address === null ? null : users.findByEmail(address),
  ])
  // Two addresses may fold to the same name but still belong to two people.
  const isNamed = named !== null && (!login.byEmail || typedAddress(named.username ?? '') === address)
  const bearer = isNamed ? named : null
  // An imported username may be somebody else's address. A verified owner wins over a mere claim.
  const user = owner?.isVerified ? owner : (bearer ?? owner)
  if (typed !== null)
    return { user, triedAs: addressKey(typed), isByAddress: user?.emailKey === typed, isName: false }
  const triedAs = user === null ? `name:${key}` : accountKey(user)
  return { user, triedAs, isByAddress: false, isName: true }
}

/**
 * Whether a name is of a sign-up with a taken address that is over: it fails like one whose account somebody else has got.
 * The look-up is the same for every name, or the time would tell.
 */
async function isOverDecoy({ users }: Pick<Deps, 'users'>, user: StoredUser | null): Promise<boolean> {
  const owner = await findOwnerOf(users, user)
  return user?.kind === 'unclaimed' && isDecoyOver(user, owner)
}
