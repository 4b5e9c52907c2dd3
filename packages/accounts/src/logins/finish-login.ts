import type { Deps } from '../deps.js'
import { deviceKey } from '../emails/pending-mail.js'
import { AccountsError, refusal } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import type { SessionDetails } from '../seams/session-store.js'
import { DuplicateError } from '../seams/store-errors.js'
import type { MadeSession } from '../sessions/fastify-session.js'
import { type Proven, rememberedMethod } from '../sessions/login.js'
import type { KeptSession, ProvenUser } from '../sessions/session-keeper.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'
import { type Addition, additionChanges, additionMails } from './addition.js'

/** What a method of login yields: whose account it is, and by what that was proved. */
export interface Proof {
  /** As it was when the proof was checked. */
  user: User
  /** In the words of RFC 8176 where it has one: `pwd`. Beside them `host`, for what the host vouches for. */
  methods: readonly string[]
  /** When the owner proved it, where that was some time ago, at somebody else's. Default: now. */
  provenAt?: Date | undefined
  /** What is written together with the login, made once it is sure that the account may log in. Default: nothing. */
  changes?: () => Promise<UserChanges>
  /**
   * What the proof uses up, such as a code that works once, taken from the newest record: of any number of logins at the
   * same moment one spends it. Default: nothing.
   * @throws AccountsError where it is spent, or the account has changed so that it proves nothing any more
   */
  spend?: (current: StoredUser) => UserChanges
  /** What the account gets with the login; it waits where a second factor is owed. Default: nothing. */
  adds?: Addition | undefined
  /** The mails that tell of what was spent, and are kept if and only if it was. Default: none. */
  mails?: (changed: StoredUser) => readonly PendingMail[]
}

/** A login that is finished: a session may begin. */
export interface FinishedLogin extends Proven {
  /** With the epoch that the session must begin with. */
  user: User
  /** The session, where it was kept together with the login. */
  kept?: KeptSession | undefined
}

/** A login that owes a second factor: no session, no rights. */
export interface OwingLogin {
  user: StoredUser
  /** By what the first step was proved. */
  methods: readonly string[]
  /** What the account can pay with: `totp`, `passkey`, `recovery-code`. */
  owes: readonly string[]
}

/** Where a login comes from. */
export interface LoginSource {
  /** The name of the device, if it has logged in to this account before. */
  device: string | null
  /** Whether this account owes no second factor there. */
  isRemembered(record: StoredUser): boolean
  /** What the client says of itself. */
  client: Pick<SessionDetails, 'browser' | 'system' | 'ip'>
  /** Makes the session that the login begins, so that both can be kept by one write. Default: it begins afterwards. */
  makeSession?: ((proven: ProvenUser) => Promise<MadeSession>) | undefined
  /** Lets a session go that was kept, and that nobody gets. Never throws. */
  dropSession?: ((kept: KeptSession) => void) | undefined
}

/** So many others may change the same user while a proof is spent. */
const maxAttempts = 10

/**
 * Turns a proof into a login. It is the only way to one, whatever the method: here it is asked whether the account may
 * log in and whether it still owes a factor, the login is noted by compare-and-swap, and one from an unknown device is
 * mailed to the owner. What proves two factors by itself says so by the method `mfa`.
 * @throws AccountsError ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED; ACCOUNTS_INVALID_CREDENTIALS where what was proved
 * has changed meanwhile; what `spend` throws
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
    throw refusal('ACCOUNTS_INVALID_CREDENTIALS')
  }
  const owing = (record: StoredUser): OwingLogin => ({ user: record, methods, owes: payableBy(record) })
  if (lacksFactor) {
    const record = stillHolds(await users.findById(user.id))
    if (owes(record)) return owing(record)
  }

  const now = new Date()
  // What the host alone vouches for is no proof that the owner is there, nor is a factor that was given some other day.
  const isProof = !lacksFactor && methods.some((method) => method !== 'host')
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
      // Somebody was faster: the login stands only if what was proved still holds.
      const current = stillHolds(await users.findById(user.id))
      if (owes(current)) return owing(current)
      login = { user: current, ...how }
    }
  } else {
    login = await untilWritten(async () => {
      const found = stillHolds(await users.findById(user.id))
      // It was asked above: the device was ended meanwhile.
      if (owes(found)) throw refusal('ACCOUNTS_INVALID_CREDENTIALS')
      const noted = { lastLoginAt: loginTime(found, now), ...spend?.(found) }
      // Another login was faster with the same.
      const added = adds && found.identityKeys.includes(adds.identityKey) ? undefined : adds
      const all = { ...noted, ...(added && additionChanges(withChanges(found, noted), added)) }
      const changed = withChanges(found, all)
      const told = added === undefined ? [] : additionMails(deps.postOffice, changed, added)
      return note(found, all, [...(mails?.(changed) ?? []), ...told])
    })
  }

  // The first login is that of whoever signed up. To an address that was never proven it would be an invitation to have
  // strangers mailed.
  const isNewDevice = from.device === null && user.lastLoginAt !== null && user.isVerified
  if (isNewDevice && options.session.newDeviceMail) {
    try {
      // Before anybody has the session's cookie: where the mail cannot be kept, nobody is logged in unheard.
      await reportDevice(deps, login.user, from.client)
    } catch (error) {
      if (login.kept) from.dropSession?.(login.kept)
      throw error
    }
  }
  return login
}

const earlier = (one: Date | undefined, other: Date): Date => (one !== undefined && one < other ? one : other)

/** No two logins of an account have the same time: what waits for its second step dies with any that is finished. */
function loginTime({ lastLoginAt }: User, now: Date): Date {
  return lastLoginAt !== null && lastLoginAt >= now ? new Date(lastLoginAt.getTime() + 1) : now
}

/** Tries until a record was written that nobody has changed since it was read. */
async function untilWritten(attempt: () => Promise<FinishedLogin | null>): Promise<FinishedLogin> {
  for (let n = 0; n < maxAttempts; n += 1) {
    const written = await attempt().catch((error: unknown) => {
      // Somebody else has meanwhile what was to be added.
      throw error instanceof DuplicateError ? new AccountsError('ACCOUNTS_CONFLICT') : error
    })
    if (written !== null) return written
  }
  throw new AccountsError('ACCOUNTS_CONFLICT')
}

/** The factors that are on, and recovery codes where some are left. */
function payableBy({ factors, credentials }: StoredUser): string[] {
  const hasCodes = credentials.some(({ kind }) => kind === 'recovery-code')
  return hasCodes ? [...factors, 'recovery-code'] : [...factors]
}

/** Once a password for devices that look alike, as its budget says: who logs out each time need not hear of it each time. */
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
