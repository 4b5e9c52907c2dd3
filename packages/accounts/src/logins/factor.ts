import type { Deps } from '../deps.js'
import type { PostOffice } from '../emails/post-office.js'
import type { PendingMail } from '../seams/outbox.js'
import { accountKey } from '../throttle/throttle.js'
import type { StoredUser, UserChanges } from '../user.js'

/** What completes a login behind its first step, and confirms one: an authenticator app, a passkey. A feature brings it. */
export interface Factor {
  /** The field of a body that carries it: `code`, `response`. */
  readonly field: string
  /** JSON Schema of that field. */
  readonly schema: object
  /** What a value proves; `null` where it is wrong. Nothing is used up yet. */
  verify(user: StoredUser, value: unknown): Promise<FactorProof | null>
  /** Told of each wrong one. Default: nothing. */
  missed?(user: StoredUser, deps: Pick<Deps, 'users' | 'postOffice'>, at: Step): Promise<void>
}

/** Where a factor is given: as the second step of a login, or by somebody who is logged in. */
type Step = 'login' | 'confirm'

/** What a factor has proved. */
export interface FactorProof {
  /** In the words of RFC 8176 where it has one: `otp`, `pop`. */
  methods: readonly string[]
  /** What it uses up, taken from the newest record; `null` where somebody else was faster. */
  spend(current: StoredUser): UserChanges | null
  /** The mails that tell of it, and are kept if and only if it is. Default: none. */
  mails?(changed: StoredUser, postOffice: PostOffice): readonly PendingMail[]
}

const budgets = ['secondFactor', 'secondFactorDay'] as const

/**
 * Whether a value is a factor of this user. It is counted before it is looked at; only wrong ones stay counted. All
 * factors of an account share one budget, which no new login refills; a device that is known has one of its own.
 * @param device the name of the device, if a login to this account was completed there before
 * @throws AccountsError ACCOUNTS_THROTTLED; ACCOUNTS_UNAVAILABLE, after which it is not counted
 */
export async function tryFactor(
  deps: Pick<Deps, 'users' | 'throttle' | 'postOffice'>,
  { factor, value }: { factor: Factor; value: unknown },
  user: StoredUser,
  { device, at }: { device: string | null; at: Step },
): Promise<FactorProof | null> {
  const { throttle } = deps
  const key = device === null ? accountKey(user) : `device:${device}`
  for (const budget of budgets) await throttle.spend(budget, key)
  let proof: FactorProof | null
  try {
    proof = await factor.verify(user, value)
  } catch (error) {
    await Promise.all(budgets.map((budget) => throttle.giveBack(budget, key).catch(() => {})))
    throw error
  }
  if (proof === null) await factor.missed?.(user, deps, at)
  else await Promise.all(budgets.map((budget) => throttle.clear(budget, key)))
  return proof
}
