import type { Deps } from '../deps.js'
import { deviceKey } from '../emails/pending-mail.js'
import { AccountsError, attributed, changedMeanwhile } from '../errors.js'
import { decoyOf } from '../notes.js'
import type { PendingMail } from '../seams/outbox.js'
import { DuplicateError } from '../seams/store-errors.js'
import { type Client, clientFacts } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { LoginEffect } from '../sessions/session-effect.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import { isOwnProof, type Proven, rememberedMethod } from '../sessions/session-rules.js'
import { accountUser, type StoredUser, type User, type UserChanges, withChanges } from '../user.js'
import { type Addition, additionChanges } from './addition.js'
import { completing } from './asked-factors.js'
import { pendingLifetime } from './awaiting-factor.js'
import type { SignUpCookie } from './sign-up-cookie.js'
import type { Pending } from './waiting-login.js'

/** The result of a login method: the account, and how its owner proved it. */
export interface Proof {
  /** As it was when the proof was checked. */
  user: StoredUser
  /** RFC 8176 values if there are any: `pwd`. Also `host`, for what the host vouches for. */
  methods: readonly string[]
  /** When the owner proved it, if that was earlier, at another party. Default: now. */
  provenAt?: Date | undefined
  /** Changes written with the login, made once the account is known to be allowed in. Default: nothing. */
  changes?: () => Promise<UserChanges>
  /**
   * The changes that use up the proof, such as a one-time code, for the newest record: of any number of
   * concurrent logins, one succeeds. Default: nothing.
   * @throws AccountsError if it is used up, or the account has changed and the proof no longer holds
   */
  spend?: (current: StoredUser) => UserChanges
  /** What the account gets with the login, or after the second factor if one is needed. Default: nothing. */
  adds?: Addition | undefined
  /** The emails about what was used up, stored if and only if it was. Default: none. */
  mails?: (changed: StoredUser) => readonly PendingMail[]
}

interface LoginDeps extends Pick<Deps, 'users' | 'throttle' | 'options' | 'postOffice' | 'events' | 'rules'> {
  keeper: Pick<SessionKeeper, 'plan' | 'carryOut'>
  device: Pick<DeviceCookie, 'read'>
  signUp: Omit<SignUpCookie, 'isIn'>
  pending: Pending
}

/** How often a proof is used up again while others change the same user. */
const maxAttempts = 10

/**
 * Turns a proof into a session. Every login method ends here, and so do logins by the host's own code. If the account
 * needs a second factor there is no session yet: the login waits in a cookie of its own. A proof of two factors has the
 * method `mfa`.
 * @param remember whether the session's cookie outlives the browser
 * @returns the user, as of the login
 * @throws AccountsError ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED, ACCOUNTS_SECOND_FACTOR_REQUIRED;
 * ACCOUNTS_INVALID_CREDENTIALS if what was proved has changed meanwhile; ACCOUNTS_CONFLICT; what `spend` throws;
 * RuleError if the app's rule refuses
 */
export async function finishLogin(
  deps: LoginDeps,
  client: Client,
  proof: Proof,
  remember: boolean,
): Promise<User> {
  const { user } = proof
  client.note({ user })
  return attributed(user, async () => {
    // Always read: reading the cookie takes time.
    const device = deps.device.read(client, user)
    admit(deps, client, proof)
    const skipsFactor = await owe(deps, client, proof, remember)
    // Once, however often the proof is used up, and not for a login that waits.
    if (deps.rules.logIn !== undefined)
      await deps.rules.logIn({ user: accountUser(user), methods: proof.methods, client: clientFacts(client) })
    const how = provenBy(proof, skipsFactor)
    const sessions: LoginEffect = { own: 'begin', others: 'keep', client, how, remember }
    const newDevice = device === null ? await countNewDevice(deps, client, user) : null
    const loggedIn = await record(deps, proof, sessions, newDevice !== null).catch(async (error: unknown) => {
      if (newDevice !== null) await deps.throttle.giveBack('newDeviceMails', newDevice).catch(() => {})
      throw error
    })
    deps.events.tell('session.created', user, { methods: [...how.methods] })
    deps.pending.cookie.clear(client)
    if (isSignedUpFor(deps, client, user)) deps.signUp.clear(client)
    return loggedIn
  })
}

/**
 * Whether the account may log in at all. A sign-up that nobody has confirmed gets the same response whether its address
 * was free or taken. In the second case the user is unclaimed, and only a login by name gets here.
 */
function admit({ options, signUp }: LoginDeps, client: Client, { user, methods }: Proof): void {
  // Whatever was proved: only keys use a service account.
  if (user.kind === 'service') throw new AccountsError('ACCOUNTS_DISABLED')
  const mustProve = options.requireEmailConfirmation && user.email !== null && !user.isVerified
  const isSignUp = user.kind === 'unclaimed' || (mustProve && user.lastLoginAt === null)
  if (!user.isActive && !isSignUp) throw new AccountsError('ACCOUNTS_DISABLED')
  if (!mustProve && !isSignUp) return
  // They have just shown what was set at sign-up, so a verification link opened here is opened by its maker.
  if (isOwnProof(methods) && !signUp.isFor(client, user)) markAsMakers(signUp, client, user)
  throw new AccountsError('ACCOUNTS_NOT_VERIFIED')
}

/**
 * Marks the browser of somebody who has shown what was set at a sign-up. One that has signed up with the same address
 * already remains that of the first account there, and this sign-up is its newest.
 */
function markAsMakers(signUp: LoginDeps['signUp'], client: Client, user: StoredUser): void {
  const emailKey = decoyOf(user)?.emailKey ?? user.emailKey ?? ''
  if (signUp.isForAddress(client, emailKey)) signUp.keep(client, user, emailKey)
  else signUp.write(client, user, null)
}

/** Whether the browser's sign-up was for this account, or for its address: what follows needs no hint anymore. */
function isSignedUpFor({ signUp }: LoginDeps, client: Client, user: User): boolean {
  return signUp.isFor(client, user) || (user.emailKey !== null && signUp.isForAddress(client, user.emailKey))
}

/**
 * Lets a login wait for the second factor that its account has.
 * @returns whether it is skipped, because the account has remembered the device
 */
async function owe(deps: LoginDeps, client: Client, proof: Proof, remember: boolean): Promise<boolean> {
  const { user, methods } = proof
  if (user.factors.length === 0 || methods.includes('mfa')) return false
  const current = unchangedSince(user, await deps.users.findById(user.id))
  if (owesFactor(deps, client, proof, current)) wait(deps, client, proof, remember, current)
  return true
}

function owesFactor({ pending }: LoginDeps, client: Client, { methods }: Proof, record: StoredUser): boolean {
  if (record.factors.length === 0 || methods.includes('mfa')) return false
  return !pending.devices.knows(pending.deviceCookie.read(client), record)
}

function wait(
  { pending }: LoginDeps,
  client: Client,
  { methods, adds }: Proof,
  remember: boolean,
  user: StoredUser,
): never {
  const waiting = pending.logins.issue(user, { methods, remember, adds: adds ?? null })
  pending.cookie.write(client, waiting, pendingLifetime / 1000)
  throw new AccountsError('ACCOUNTS_SECOND_FACTOR_REQUIRED', { ...completing(user), userId: user.id })
}

/** What the session says about the login. */
function provenBy({ methods, provenAt }: Proof, skipsFactor: boolean): Proven {
  if (skipsFactor) return { methods: [...methods, rememberedMethod], confirmedAt: null }
  // Neither the host's word nor a factor given on another day proves that the owner is present.
  if (!isOwnProof(methods)) return { methods, confirmedAt: null }
  const now = new Date()
  return { methods, confirmedAt: provenAt !== undefined && provenAt < now ? provenAt : now }
}

/**
 * Writes the login to the account by compare-and-swap, with what it uses up and adds, the emails about it, and its session.
 * @param isNewDevice whether one says that the device is new
 */
async function record(
  deps: LoginDeps,
  proof: Proof,
  sessions: LoginEffect,
  isNewDevice: boolean,
): Promise<User> {
  const { users, postOffice, keeper } = deps
  const { user } = proof
  const aboutDevice = (changed: User) => (isNewDevice ? postOffice.about('new-device', changed) : [])
  const now = new Date()
  let found: User | StoredUser = usesUp(proof) ? await findAgain(deps, proof, sessions) : user
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { noted, messages } = await notesOf(deps, proof, found, now)
    const told = [...messages, ...aboutDevice(withChanges(found, noted))]
    const written = await users.update(found, noted, { messages: told, sessions }).catch((error: unknown) => {
      // Somebody else has added it meanwhile.
      throw error instanceof DuplicateError ? changedMeanwhile() : error
    })
    if (written !== null) return written
    // Somebody was faster: the login is valid only if what was proved still holds.
    found = await findAgain(deps, proof, sessions)
    if (!usesUp(proof)) return beginUnnoted(found)
  }
  throw changedMeanwhile()

  /** Of many logins at once, each needn't be noted. */
  async function beginUnnoted(current: User): Promise<User> {
    await postOffice.post(aboutDevice(current))
    await keeper.carryOut(await keeper.plan(sessions, current), current)
    return current
  }
}

/** Whether the login depends on credentials, which only a whole record has. */
function usesUp({ spend, adds }: Proof): boolean {
  return spend !== undefined || adds !== undefined
}

/** The newest record, which may owe a factor by now. */
async function findAgain(
  deps: LoginDeps,
  proof: Proof,
  { client, remember }: LoginEffect,
): Promise<StoredUser> {
  const current = unchangedSince(proof.user, await deps.users.findById(proof.user.id))
  if (!owesFactor(deps, client, proof, current)) return current
  if (!usesUp(proof)) wait(deps, client, proof, remember, current)
  // Checked above, so the device was ended meanwhile.
  throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS', { reason: 'changed_meanwhile' })
}

/** What a login changes in a record, and the emails about what it uses up and adds. */
async function notesOf(
  { postOffice, options }: LoginDeps,
  proof: Proof,
  found: User | StoredUser,
  now: Date,
): Promise<{ noted: UserChanges; messages: PendingMail[] }> {
  const { changes, spend, adds, mails } = proof
  const lastLoginAt = loginTime(found, now)
  if (!usesUp(proof)) return { noted: { lastLoginAt, ...(await changes?.()) }, messages: [] }
  // `record` has read it for this.
  const whole = found as StoredUser
  const used = { lastLoginAt, ...spend?.(whole) }
  // Another login has added the same already.
  const added = adds && whole.identityKeys.includes(adds.identityKey) ? undefined : adds
  const noted = { ...used, ...(added && additionChanges(withChanges(whole, used), added, options)) }
  const changed = withChanges(whole, noted)
  const told = added === undefined ? [] : postOffice.about(added.mail, changed, { label: added.label })
  return { noted, messages: [...(mails?.(changed) ?? []), ...told] }
}

/** The newest record, if what was proved for an older one still holds. */
function unchangedSince(user: User, current: StoredUser | null): StoredUser {
  if (current !== null && current.sessionEpoch === user.sessionEpoch && current.isActive) return current
  throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS', { reason: 'changed_meanwhile' })
}

/** Gives each login of an account its own time, because a completed login invalidates pending ones. */
function loginTime({ lastLoginAt }: User, now: Date): Date {
  return lastLoginAt !== null && lastLoginAt >= now ? new Date(lastLoginAt.getTime() + 1) : now
}

/**
 * Whether the owner is emailed about a login from a new device: at most once per password for similar devices, as its
 * budget limits, so not each new login sends an email. The first login is by the person who signed up. Unverified addresses
 * get no email, or anybody could have strangers emailed.
 *
 * Spent before the login, since no store of counters shares its write: if the process dies in between, the login isn't made,
 * and the next one from such a device is told as if it had been.
 * @returns by what the email was counted; `null` if there is none
 */
async function countNewDevice(
  { throttle, options }: LoginDeps,
  { details: { browser, system }, network }: Client,
  user: User,
): Promise<string | null> {
  const { email, isVerified, lastLoginAt } = user
  if (!options.session.newDeviceMail || lastLoginAt === null || !isVerified || email === null) return null
  const key = deviceKey(user, [browser, system, network])
  return (await throttle.allows('newDeviceMails', key)) ? key : null
}
