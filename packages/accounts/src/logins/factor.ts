import type { Deps } from '../deps.js'
import type { PostOffice } from '../emails/post-office.js'
import { AccountsError, type ErrorCode, type ErrorReason } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import type { Client } from '../sessions/client.js'
import { accountKey, deviceBudgetKey } from '../throttle/throttle.js'
import type { Credential, StoredUser, UserChanges } from '../user.js'
import { deviceKind } from './awaiting-factor.js'

/** Completes a login after its first step, or confirms one: an authenticator app, a passkey. Provided by a feature. */
export interface Factor {
  /** The field of a body that carries it: `code`, `response`. */
  readonly field: string
  /** JSON Schema of that field. */
  readonly schema: object
  /** The error for a login with a wrong one. */
  readonly refusal: ErrorCode
  /**
   * The kind of credential that users turn on and off as a factor with PATCH /second-factor/; it is on for an
   * account while `factors` names it. Default: it is on while the account has one.
   */
  readonly kind?: 'passkey'
  /** Why a login with a wrong one is refused, if the code doesn't say it. Default: no reason. */
  reasonFor?(user: StoredUser, value: unknown): ErrorReason | undefined
  /** The text of the field error for a wrong one. Default: that of a code. */
  readonly wrongText?: 'passkey_incorrect'
  /**
   * The name of the route that gives a browser what it needs to give it by itself, without another proof.
   * Default: it proves nothing by itself.
   */
  readonly aloneRoute?: string
  /**
   * Whether an account can log in with it alone. Then only it, or a code to an old address, changes how to log in.
   * Default: never.
   */
  logsIn?(user: StoredUser): boolean
  /**
   * What a value proves; `null` if it is wrong, and may be somebody else's attempt; `unfit` if it can't be one: malformed,
   * expired, or made for another site. Uses nothing up yet.
   */
  verify(user: StoredUser, value: unknown, from: FactorSource): Promise<FactorProof | 'unfit' | null>
}

/** The context in which a factor is given. */
export interface FactorSource {
  /** As the second step of a login, by a logged-in user, or by itself. */
  step: 'login' | 'confirm' | 'alone'
  /** The pending login, the logged-in user, or `''`: a challenge for one is invalid for another. */
  occasion: string
  client: Client
  /** The device's name, if a login to this account was completed there before. */
  device: string | null
}

/** The result of a correct factor. */
interface FactorProof {
  /** An RFC 8176 value if there is one: `otp`, `pop`. */
  methods: readonly string[]
  /** When the credential was added, as `addedAt` tells: a thief's own proves nobody. */
  since: number
  /** Uses up what isn't the account's, such as a challenge; `false` if already used. Default: nothing to use up. */
  claim?(): Promise<boolean>
  /** The changes that use it up, for the newest record; `null` if somebody else was faster. */
  spend(current: StoredUser): UserChanges | null
  /** The emails about it, stored if and only if it is used up. Default: none. */
  mails?(changed: StoredUser, postOffice: PostOffice): readonly PendingMail[]
}

const budgets = ['secondFactor', 'secondFactorDay'] as const

/** Wrong factors in a row until the owner is notified: somebody may know the password. */
const missesToTell = 3

/** Wrong factors in a row after which app codes stop working until another factor is given (NIST SP 800-63B-4 section 3.2.2). */
const mostMisses = 100

/**
 * Checks a factor of this user. Every attempt is counted before the check; only wrong ones stay counted. All
 * factors of an account share one budget, which a new login doesn't refill; a known device has its own. An unfit value
 * doesn't count.
 * @throws AccountsError ACCOUNTS_THROTTLED; ACCOUNTS_UNAVAILABLE, which doesn't count as an attempt
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
  let proof: FactorProof | 'unfit' | null
  let isFresh: boolean
  try {
    proof = await factor.verify(user, value, from)
    isFresh = proof === null || proof === 'unfit' || ((await proof.claim?.()) ?? true)
  } catch (error) {
    await throttle.giveBack(budgets, key).catch(() => {})
    throw error
  }
  // Neither guesses anything nor tells that somebody knows the password.
  if (proof === 'unfit') {
    await throttle.giveBack(budgets, key)
    return null
  }
  if (proof === null) {
    await countMiss(deps, user)
    return null
  }
  // A replayed value is no guess, but doesn't refill the budget either.
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

/** Counts wrong factors in a row, on each credential that is a factor. */
async function countMiss(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  user: StoredUser,
): Promise<void> {
  const counted = (current: StoredUser): UserChanges =>
    current.factors.length === 0
      ? {}
      : {
          credentials: current.credentials.map((each) =>
            current.factors.includes(each.kind) ? { ...each, ...oneMissMore(each) } : each,
          ),
        }
  const mailsFor = (changed: StoredUser, before: StoredUser): readonly PendingMail[] => {
    const appsOff = (user: StoredUser): number => user.credentials.filter(isTurnedOff).length
    return [
      ...(isTold(changed) && !isTold(before) ? postOffice.about('factor-guessed', changed) : []),
      ...(appsOff(changed) > appsOff(before) ? postOffice.about('factor-turned-off', changed) : []),
    ]
  }
  await users.change(user, counted, { messages: mailsFor }).catch(orCounted)
}

/** Of many wrong attempts at once, each is refused anyway, and the faster ones are counted. */
export function orCounted(error: unknown): void {
  if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_CONFLICT')) throw error
}

/** From the third on, whichever attempt that is, the owner has been notified until a correct factor is given. */
function oneMissMore(each: Credential): { misses: number; isTold?: true } {
  const misses = missesOf(each) + 1
  return misses < missesToTell ? { misses } : { misses, isTold: true }
}

const isTold = ({ credentials }: StoredUser): boolean => credentials.some((each) => each.isTold === true)

/** How many wrong factors in a row a credential has counted. */
function missesOf({ misses }: Credential): number {
  return typeof misses === 'number' ? misses : 0
}

/** Whether it is an authenticator app whose codes have stopped working. */
export function isTurnedOff(credential: Credential): boolean {
  return credential.kind === 'totp' && missesOf(credential) >= mostMisses
}

/** The same credentials after a correct factor. */
export function withoutMisses(credentials: readonly Credential[]): Credential[] {
  return credentials.map((each) => {
    if (missesOf(each) === 0) return each
    const { isTold: _, ...others } = each
    return { ...others, misses: 0 }
  })
}

/**
 * What an account keeps when one of its factors is turned off: without any factor, recovery codes complete
 * nothing. Apps whose codes have stopped working don't count: an account with nothing else would need a factor
 * that nobody can give. The caller keeps or removes the credentials of the factor itself.
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
