import type { Deps } from '../deps.js'
import { notMeFacts } from '../emails/link-facts.js'
import { AccountsError } from '../errors.js'
import { usernameKey } from '../identifiers/username.js'
import type { SessionDetails } from '../seams/session-store.js'
import { loginLimits } from '../throttle/throttle.js'
import type { User, UserChanges } from '../user.js'

/**
 * Checks a username and a password, and notes the login; one from a device that is not known is mailed to the user.
 * @param from.client what the caller says of its device
 * @param from.deviceOf the name of the caller's device, if it has logged in to this account before
 * @returns the user, with the epoch that the session must begin with
 * @throws AccountsError ACCOUNTS_THROTTLED, ACCOUNTS_INVALID_CREDENTIALS, ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED
 */
export async function logIn(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle' | 'options' | 'links' | 'postOffice' | 'accountUrl'>,
  { username, password }: { username: string; password: string },
  from: { deviceOf(user: User): string | null; client: Client },
): Promise<User> {
  const { users, passwords, throttle, options } = deps
  const key = usernameKey(username)
  const user = await users.findByUsername(key)
  const device = user && from.deviceOf(user)
  // A device that is known tries on its own account, so that whoever guesses elsewhere locks nobody out.
  const budget = device === null ? `name:${key}` : `device:${device}`
  // Spent before the hash, so that of many tries at once only so many reach it; known and unknown names alike.
  for (const limit of loginLimits) await throttle.spend(limit, budget)
  const caller = device === null ? 'stranger' : 'known'
  let right: boolean
  try {
    right = await passwords.verify(password, user?.passwordHash, caller)
  } catch (error) {
    await Promise.all(loginLimits.map((limit) => throttle.giveBack(limit, budget).catch(() => {})))
    throw error
  }
  if (user === null || !right) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
  await Promise.all(loginLimits.map((limit) => throttle.clear(limit, budget)))

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
  if (isNewDevice && options.session.newDeviceMail) tellOfNewDevice(deps, current, from.client)
  return current
}

/** What is known of a device beside its cookie, which browsers drop at logout. */
type Client = Pick<SessionDetails, 'browser' | 'system' | 'ip'>

function tellOfNewDevice(
  deps: Pick<Deps, 'throttle' | 'options' | 'links' | 'postOffice' | 'accountUrl'>,
  user: User,
  { browser, system, ip }: Client,
): void {
  const words = [browser, system, ip].filter((word) => word !== null)
  deps.postOffice.post('new-device', user, {
    // Once for devices that look alike: who logs out each time need not hear of it each time.
    allowed: () => deps.throttle.allows('newDeviceMails', JSON.stringify([user.id, browser, system, ip])),
    facts: async () => ({
      ...(await notMeFacts(deps, user)),
      ...(words.length > 0 && { device: words.join(', ') }),
    }),
  })
}
