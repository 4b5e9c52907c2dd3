import type { Deps } from '../deps.js'
import { deviceKey } from '../emails/pending-mail.js'
import { AccountsError } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import type { SessionDetails } from '../seams/session-store.js'
import { DuplicateError } from '../seams/store-errors.js'
import type { MadeSession } from '../sessions/fastify-session.js'
import { isOwnProof, type Proven, rememberedMethod } from '../sessions/login.js'
import type { KeptSession, ProvenUser } from '../sessions/session-keeper.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'
import { type Addition, additionChanges, additionMails } from './addition.js'

/** The result of a login method: the account, and how its owner proved it. */
export interface Proof {
  /** As it was when the proof was checked. */
  user: User
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
  /** What the account gets with the login, or after the second factor if one is owed. Default: nothing. */
  adds?: Addition | undefined
  /** The emails about what was used up, stored if and only if it was. Default: none. */
  mails?: (changed: StoredUser) => readonly PendingMail[]
}

/** A completed login: a session may begin. */
export interface FinishedLogin extends Proven {
  /** With the epoch that the session must begin with. */
  user: User
  /** The session, if it was stored together with the login. */
  kept?: KeptSession | undefined
}

/** A login that owes a second factor: no session, no rights. */
export interface OwingLogin {
  user: StoredUser
  /** How the first step was proved. */
  methods: readonly string[]
  /** The factors that the account can complete it with: `totp`, `passkey`, `recovery-code`. */
  owes: readonly string[]
}

/** The context of a login. */
export interface LoginSource {
  /** The device's name, if it has logged in to this account before. */
  device: string | null
  /** Whether this account owes no second factor there. */
  isRemembered(record: StoredUser): boolean
  /** What the client says about itself. */
  client: Pick<SessionDetails, 'browser' | 'system' | 'ip'>
  /** Makes the login's session, so one write can store both. Default: the session begins afterwards. */
  makeSession?: ((proven: ProvenUser) => Promise<MadeSession>) | undefined
  /** Drops a stored session that nobody will get. Never throws. */
  dropSession?: ((kept: KeptSession) => void) | undefined
}

/** How often a proof is used up again while others change the same user. */
const maxAttempts = 10

/**
 * Turns a proof into a login. Every login method goes through here: it checks that the account may log in and
 * whether it owes a factor, records the login by compare-and-swap, and emails the owner about an unknown
 * device. A proof of two factors has the method `mfa`.
 * @throws AccountsError ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED; ACCOUNTS_INVALID_CREDENTIALS if what was
 * proved has changed meanwhile; what `spend` throws
 */
export async function finishLogin(
  deps: Pick<Deps, 'users' | 'throttle' | 'options' | 'postOffice'>,
  { user, methods, provenAt, changes, spend, adds, mails }: Proof,
  from: LoginSource,
): Promise<FinishedLogin | OwingLogin> {
  const { users, options } = deps
  if (!user.isActive) throw new AccountsError('ACCOUNTS_DISABLED')
  const mustVerify = options.requireEmailConfirmation && user.email !== null
  if (mustVerify && !user.isVerified) throw new AccountsError('ACCOUNTS_NOT_VERIFIED')

  const lacksFactor = user.factors.length > 0 && !methods.includes('mfa')
  const owes = (record: StoredUser): boolean =>
    record.factors.length > 0 && !methods.includes('mfa') && !from.isRemembered(record)
  const stillHolds = (record: StoredUser | null): StoredUser => {
    if (record !== null && record.sessionEpoch === user.sessionEpoch && record.isActive) return record
    throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
  }
  const owing = (record: StoredUser): OwingLogin => ({ user: record, methods, owes: payableBy(record) })
  if (lacksFactor) {
    const record = stillHolds(await users.findById(user.id))
    if (owes(record)) return owing(record)
  }

  const now = new Date()
  // Neither the host's word nor a factor given on another day proves that the owner is present.
  const isProof = !lacksFactor && isOwnProof(methods)
  const how: Proven = {
    methods: lacksFactor ? [...methods, rememberedMethod] : methods,
    confirmedAt: isProof ? earlier(provenAt, now) : null,
  }
  const note = async (
    record: User,
    noted: UserChanges,
    told: readonly PendingMail[] = [],
  ): Promise<FinishedLogin | null> => {
    const { updateWithSessions } = users
    const noting = withChanges(record, noted)
    const made = updateWithSessions && (await from.makeSession?.({ user: noting, ...how }))
    if (updateWithSessions === undefined || made === undefined) {
      const changed = await users.updateOnly(record.id, noted, record.version, told)
      return changed && { user: changed, ...how }
    }
    const kept = await updateWithSessions(record.id, noted, record.version, told, {
      create: made.session,
      deleteOthers: noted.sessionEpoch !== undefined,
    })
    return kept && { user: kept.user, ...how, kept: { ...made, count: kept.count } }
  }

  let login: FinishedLogin | null
  if (spend === undefined && adds === undefined) {
    login = await note(user, { lastLoginAt: loginTime(user, now), ...(await changes?.()) })
    if (login === null) {
      // Somebody was faster: the login is valid only if what was proved still holds.
      const current = stillHolds(await users.findById(user.id))
      if (owes(current)) return owing(current)
      login = { user: current, ...how }
    }
  } else {
    login = await untilWritten(async () => {
      const found = stillHolds(await users.findById(user.id))
      // Checked above, so the device was ended meanwhile.
      if (owes(found)) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
      const noted = { lastLoginAt: loginTime(found, now), ...spend?.(found) }
      // Another login has added the same already.
      const added = adds && found.identityKeys.includes(adds.identityKey) ? undefined : adds
      const all = { ...noted, ...(added && additionChanges(withChanges(found, noted), added)) }
      const changed = withChanges(found, all)
      const told = added === undefined ? [] : additionMails(deps.postOffice, changed, added)
      return note(found, all, [...(mails?.(changed) ?? []), ...told])
    })
  }

  // The first login is by the person who signed up. Unverified addresses get no email, or anybody could have
  // strangers emailed.
  const isNewDevice = from.device === null && user.lastLoginAt !== null && user.isVerified
  if (isNewDevice && options.session.newDeviceMail) {
    try {
      // Before anybody has the session cookie: if the email can't be stored, the login fails.
      await reportDevice(deps, login.user, from.client)
    } catch (error) {
      if (login.kept) from.dropSession?.(login.kept)
      throw error
    }
  }
  return login
}

const earlier = (one: Date | undefined, other: Date): Date => (one !== undefined && one < other ? one : other)

/** Gives each login of an account its own time, because a completed login invalidates pending ones. */
function loginTime({ lastLoginAt }: User, now: Date): Date {
  return lastLoginAt !== null && lastLoginAt >= now ? new Date(lastLoginAt.getTime() + 1) : now
}

/** Retries until the record is written without a concurrent change. */
async function untilWritten(attempt: () => Promise<FinishedLogin | null>): Promise<FinishedLogin> {
  for (let n = 0; n < maxAttempts; n += 1) {
    const written = await attempt().catch((error: unknown) => {
      // Somebody else has added it meanwhile.
      throw error instanceof DuplicateError ? new AccountsError('ACCOUNTS_CONFLICT') : error
    })
    if (written !== null) return written
  }
  throw new AccountsError('ACCOUNTS_CONFLICT')
}

/** The active factors, and recovery codes if any are left. */
function payableBy({ factors, credentials }: StoredUser): string[] {
  const hasCodes = credentials.some(({ kind }) => kind === 'recovery-code')
  return hasCodes ? [...factors, 'recovery-code'] : [...factors]
}

/** At most once per password for similar devices, as its budget limits, so not each new login sends an email. */
async function reportDevice(
  { throttle, postOffice }: Pick<Deps, 'throttle' | 'postOffice'>,
  user: User,
  { browser, system, ip }: LoginSource['client'],
): Promise<void> {
  const device = [browser, system, ip]
  const key = deviceKey(user, device)
  if (user.email === null || !(await throttle.allows('newDeviceMails', key))) return
  try {
    await postOffice.post(postOffice.about('new-device', user, { device }))
  } catch (error) {
    await throttle.giveBack('newDeviceMails', key).catch(() => {})
    throw error
  }
}
