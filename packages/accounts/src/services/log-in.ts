import type { Deps } from '../deps.js'
import { deviceKey } from '../emails/pending-mail.js'
import { AccountsError } from '../errors.js'
import { usernameKey } from '../identifiers/username.js'
import { tryPassword } from '../passwords/try-password.js'
import type { SessionDetails } from '../seams/session-store.js'
import { accountKey, loginLimits } from '../throttle/throttle.js'
import type { User, UserChanges } from '../user.js'

/**
 * Checks a username and a password, and notes the login; one from a device that is not known is mailed to the user.
 * @param from.client what the caller says of its device
 * @param from.deviceOf the name of the caller's device, if it has logged in to this account before
 * @returns the user, with the epoch that the session must begin with
 * @throws AccountsError ACCOUNTS_THROTTLED, ACCOUNTS_INVALID_CREDENTIALS, ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED
 */
export async function logIn(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle' | 'options' | 'postOffice'>,
  { username, password }: { username: string; password: string },
  from: { deviceOf(user: User): string | null; client: Client },
): Promise<User> {
  const { users, passwords, options } = deps
  const key = usernameKey(username)
  const user = await users.findByUsername(key)
  const device = user && from.deviceOf(user)
  // A device that is known tries on its own account, so that whoever guesses elsewhere locks nobody out.
  const account = user === null ? `name:${key}` : accountKey(user)
  const triedAs = device === null ? account : `device:${device}`
  // Known and unknown names alike.
  const right = await tryPassword(
    deps,
    { password, hash: user?.passwordHash, caller: device === null ? 'stranger' : 'known' },
    { budgets: loginLimits, key: triedAs },
  )
  if (user === null || !right) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')

  // Only someone who knows the password learns what state the account is in.
  if (!user.isActive) throw new AccountsError('ACCOUNTS_DISABLED')
  const mustVerify = options.requireEmailConfirmation && user.email !== null
  if (mustVerify && !user.isVerified) throw new AccountsError('ACCOUNTS_NOT_VERIFIED')

  const changes: UserChanges = { lastLoginAt: new Date() }
  if (passwords.needsRehash(user.passwordHash)) changes.passwordHash = await passwords.hash(password, 'known')
  // Where somebody was faster, the login stands only if the password is still the one that was checked.
  const current = (await users.update(user.id, changes, user.version)) ?? (await users.findById(user.id))
  if (current === null || current.sessionEpoch !== user.sessionEpoch || !current.isActive) {
    throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
  }
  // The first login is that of whoever signed up. To an address that was never proven it would be an invitation to have
  // strangers mailed.
  const isNewDevice = device === null && user.lastLoginAt !== null && user.isVerified
  if (isNewDevice && options.session.newDeviceMail) {
    const { browser, system, ip } = from.client
    // Before there is a session: where the mail cannot be kept, nobody is logged in unheard.
    await tellOfDevice(deps, current, [browser, system, ip])
  }
  return current
}

/** Once a password for devices that look alike, as its budget says: who logs out each time need not hear of it each time. */
async function tellOfDevice(
  { throttle, postOffice }: Pick<Deps, 'throttle' | 'postOffice'>,
  user: User,
  device: (string | null)[],
): Promise<void> {
  const key = deviceKey(user, device)
  if (user.email === null || !(await throttle.allows('newDeviceMails', key))) return
  try {
    await postOffice.post(postOffice.about('new-device', user, { device }))
  } catch (error) {
    await throttle.giveBack('newDeviceMails', key).catch(() => {})
    throw error
  }
}

/** What is known of a device beside its cookie, which browsers drop at logout. */
type Client = Pick<SessionDetails, 'browser' | 'system' | 'ip'>
