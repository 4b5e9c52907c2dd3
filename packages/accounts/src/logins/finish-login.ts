import type { Deps } from '../deps.js'
import { deviceKey } from '../emails/pending-mail.js'
import { AccountsError } from '../errors.js'
import type { SessionDetails } from '../seams/session-store.js'
import type { Proven } from '../sessions/login.js'
import type { User, UserChanges } from '../user.js'

/** What a method of login yields: whose account it is, and by what that was proved. */
export interface Proof {
  /** As it was when the proof was checked. */
  user: User
  /** In the words of RFC 8176 where it has one: `pwd`. Beside them `host`, for what the host vouches for. */
  methods: readonly string[]
  /** What is written together with the login, made once it is sure that the account may log in. Default: nothing. */
  changes?: () => Promise<UserChanges>
}

/** A login that is finished: a session may begin. */
export interface FinishedLogin extends Proven {
  /** With the epoch that the session must begin with. */
  user: User
}

/** Where a login comes from. */
export interface LoginSource {
  /** The name of the device, if it has logged in to this account before. */
  device: string | null
  /** What the client says of itself. */
  client: Pick<SessionDetails, 'browser' | 'system' | 'ip'>
}

/**
 * Turns a proof into a login. It is the only way to one, whatever the method: here it is asked whether the account may
 * log in, the login is noted by compare-and-set, and one from an unknown device is mailed to the owner.
 * @throws AccountsError ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED; ACCOUNTS_INVALID_CREDENTIALS where what was proved
 * has changed meanwhile
 */
export async function finishLogin(
  deps: Pick<Deps, 'users' | 'throttle' | 'options' | 'postOffice'>,
  { user, methods, changes }: Proof,
  from: LoginSource,
): Promise<FinishedLogin> {
  const { users, options } = deps
  if (!user.isActive) throw new AccountsError('ACCOUNTS_DISABLED')
  const mustVerify = options.requireEmailConfirmation && user.email !== null
  if (mustVerify && !user.isVerified) throw new AccountsError('ACCOUNTS_NOT_VERIFIED')

  const now = new Date()
  const noted = { lastLoginAt: now, ...(await changes?.()) }
  // Where somebody was faster, the login stands only if what was proved still holds.
  const current = (await users.update(user.id, noted, user.version)) ?? (await users.findById(user.id))
  if (current === null || current.sessionEpoch !== user.sessionEpoch || !current.isActive) {
    throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
  }
  // The first login is that of whoever signed up. To an address that was never proven it would be an invitation to have
  // strangers mailed.
  const isNewDevice = from.device === null && user.lastLoginAt !== null && user.isVerified
  if (isNewDevice && options.session.newDeviceMail) {
    const { browser, system, ip } = from.client
    // Before there is a session: where the mail cannot be kept, nobody is logged in unheard.
    await reportDevice(deps, current, [browser, system, ip])
  }
  // What the host alone vouches for is no proof that the owner is there.
  const isProof = methods.some((method) => method !== 'host')
  return { user: current, methods, confirmedAt: isProof ? now : null }
}

/** Once a password for devices that look alike, as its budget says: who logs out each time need not hear of it each time. */
async function reportDevice(
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
