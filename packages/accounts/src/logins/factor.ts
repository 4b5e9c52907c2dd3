import { changeUser } from '../adapters/change-user.js'
import type { Deps } from '../deps.js'
import type { PostOffice } from '../emails/post-office.js'
import { AccountsError, type ErrorCode } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import { accountKey, deviceBudgetKey } from '../throttle/throttle.js'
import type { Credential, StoredUser, UserChanges } from '../user.js'
import { deviceKind } from './pending-login.js'

/** What completes a login behind its first step, and confirms one: an authenticator app, a passkey. A feature brings it. */
export interface Factor {
  /** The field of a body that carries it: `code`, `response`. */
  readonly field: string
  /** JSON Schema of that field. */
  readonly schema: object
  /** What a login with a wrong one is refused with. */
  readonly refusal: ErrorCode
  /**
   * The kind of credential that people turn on and off as a factor by PATCH /second-factor/; an account has it on while
   * `factors` names it. Default: it is on while the account has one.
   */
  readonly kind?: 'passkey'
  /** Whether an account that has no factor on can confirm by it all the same. Default: never. */
  confirms?(user: StoredUser): boolean
  /** What a value proves; `null` where it is wrong. Nothing is used up yet. */
  verify(user: StoredUser, value: unknown, from: FactorSource): Promise<FactorProof | null>
}

/** Where a factor comes from. */
export interface FactorSource {
  /** As the second step of a login, or from somebody who is logged in. */
  step: 'login' | 'confirm'
  /** The login that waits, or the user who is logged in: what was asked for one is no answer for another. */
  occasion: string
  request: { readonly headers: { readonly cookie?: string | undefined } }
  /** The name of the device, if a login to this account was completed there before. */
  device: string | null
  /** Says why in the audit trail, where the client is not told. */
  note(reason: string): void
}

/** What a factor has proved. */
export interface FactorProof {
  /** In the words of RFC 8176 where it has one: `otp`, `pop`. */
  methods: readonly string[]
  /** Uses up what is not the account's, such as a challenge; `false` where it was used before. Default: nothing to use up. */
  claim?(): Promise<boolean>
  /** What it uses up, taken from the newest record; `null` where somebody else was faster. */
  spend(current: StoredUser): UserChanges | null
  /** The mails that tell of it, and are kept if and only if it is. Default: none. */
  mails?(changed: StoredUser, postOffice: PostOffice): readonly PendingMail[]
}

const budgets = ['secondFactor', 'secondFactorDay'] as const

/** Wrong factors in a row behind a right password, after which the owner is told: somebody may know the password. */
const missesToTell = 3

/** Wrong factors in a row, after which codes of an app no longer count until another factor was given (NIST SP 800-63B-4 section 3.2.2). */
const mostMisses = 100

/**
 * Whether a value is a factor of this user. It is counted before it is looked at; only wrong ones stay counted. All
 * factors of an account share one budget, which no new login refills; a device that is known has one of its own.
 * @throws AccountsError ACCOUNTS_THROTTLED; ACCOUNTS_UNAVAILABLE, after which it is not counted
 */
export async function tryFactor(
  deps: Pick<Deps, 'users' | 'throttle' | 'postOffice'>,
  { factor, value }: { factor: Factor; value: unknown },
  user: StoredUser,
  from: FactorSource,
): Promise<FactorProof | null> {
  const { throttle } = deps
  const key = from.device === null ? accountKey(user) : deviceBudgetKey(from.device)
  await throttle.spend(budgets, key)
  let proof: FactorProof | null
  let isFresh: boolean
  try {
    proof = await factor.verify(user, value, from)
    isFresh = (await proof?.claim?.()) ?? true
  } catch (error) {
    await throttle.giveBack(budgets, key).catch(() => {})
    throw error
  }
  if (proof === null) {
    await countMiss(deps, user, from)
    return null
  }
  // Sent once more, it is no guess; nor does it refill the budget.
  if (!isFresh) return null
  await throttle.clear(budgets, key)
  const { spend, ...others } = proof
  return {
    ...others,
    spend(current) {
      const changes = spend(current)
      return changes && { ...changes, credentials: withoutMisses(changes.credentials ?? current.credentials) }
    },
  }
}

/** Wrong factors in a row, which stand beside each credential that is a factor. */
async function countMiss(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  user: StoredUser,
  { step }: FactorSource,
): Promise<void> {
  const counted = (current: StoredUser): UserChanges =>
    current.factors.length === 0
      ? {}
      : {
          credentials: current.credentials.map((each) =>
            current.factors.includes(each.kind) ? { ...each, misses: missesOf(each) + 1 } : each,
          ),
        }
  const mailsFor = (changed: StoredUser, before: StoredUser): readonly PendingMail[] => {
    const { credentials } = changed
    const isGuessed = step === 'login' && Math.max(0, ...credentials.map(missesOf)) === missesToTell
    const appsOff = (user: StoredUser): number => user.credentials.filter(isTurnedOff).length
    return [
      ...(isGuessed ? postOffice.about('factor-guessed', changed) : []),
      ...(appsOff(changed) > appsOff(before) ? postOffice.about('factor-turned-off', changed) : []),
    ]
  }
  await changeUser(users, user, counted, mailsFor).catch((error: unknown) => {
    // Many at once: each is refused all the same, and those that were faster are counted.
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_CONFLICT')) throw error
  })
}

/** How many wrong factors in a row were given beside a credential. */
export function missesOf({ misses }: Credential): number {
  return typeof misses === 'number' ? misses : 0
}

/** Whether it is an authenticator app whose codes no longer count. */
export function isTurnedOff(credential: Credential): boolean {
  return credential.kind === 'totp' && missesOf(credential) >= mostMisses
}

/** The same credentials, once a factor was right. */
export function withoutMisses(credentials: readonly Credential[]): Credential[] {
  return credentials.map((each) => (missesOf(each) > 0 ? { ...each, misses: 0 } : each))
}

/**
 * What an account has left where one of its factors is turned off: without any, recovery codes complete nothing. Apps
 * whose codes no longer count are none: an account that has nothing else would owe what nobody can give. The credentials
 * of the factor itself are the caller's to keep or to take away.
 */
export function withoutFactor(
  { factors, credentials }: Pick<StoredUser, 'factors' | 'credentials'>,
  factor: string,
): Pick<StoredUser, 'factors' | 'credentials'> {
  const hasApp = credentials.some((each) => each.kind === 'totp' && !isTurnedOff(each))
  const left = factors.filter((each) => each !== factor && (each !== 'totp' || hasApp))
  return {
    factors: left,
    credentials: credentials.filter(
      (each) =>
        each.kind !== deviceKind &&
        (each.kind !== 'recovery-code' || left.length > 0) &&
        (!isTurnedOff(each) || left.includes('totp')),
    ),
  }
}
