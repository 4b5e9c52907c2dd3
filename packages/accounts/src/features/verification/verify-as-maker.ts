import type { Deps } from '../../deps.js'
import { attributed, fieldError, invalidInput } from '../../errors.js'
import { type Factor, type FactorSource, tryFactor } from '../../logins/factor.js'
import { tryPassword } from '../../passwords/try-password.js'
import { accountKey, addressKey, deviceBudgetKey, loginLimits } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { type AskDeps, askOwner } from '../../users/ownership/ask-owner.js'
import { hasMakersPassword, ownershipOf } from '../../users/ownership/states.js'

/** What somebody gives to show that they made the account: its password, or a passkey. */
export type MakerProof = { password: string } | { factor: Factor; value: unknown }

/** The browser that gives it, and the name of its device, if it has logged in to the account before. */
type MakerSource = Pick<FactorSource, 'client' | 'device'>

type MakerDeps = AskDeps & Pick<Deps, 'users' | 'passwords' | 'throttle' | 'postOffice'>

/**
 * Verifies the address of a link for somebody who shows that they made the account: everything in it is theirs,
 * and stays.
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT if the proof is wrong, after which the link
 * is still valid; ACCOUNTS_THROTTLED
 */
export async function verifyAsMaker(
  deps: MakerDeps & Pick<Deps, 'links'>,
  parts: LinkParts,
  proof: MakerProof,
  from: (user: User) => MakerSource,
): Promise<StoredUser> {
  const link = await deps.links.open('verify-email', parts)
  const { user } = link
  return attributed(user, async () => {
    const source = from(user)
    const use = await ('password' in proof
      ? checkPassword(deps, user, proof, source)
      : checkFactor(deps, user, proof, source))
    // Since a plain proof, others may have added a passkey, or chosen a password.
    const isMakers = (current: StoredUser) =>
      'password' in proof ? hasMakersPassword(current) : ownershipOf(current) !== 'plain'
    const giving = await askOwner(deps, source.client, 'proved-by-maker', { keepsAccess: true }, user)
    return giving((changesFor) =>
      changeByLink(deps, link, (current) => {
        // What was checked may no longer be the account's.
        const used = current.resetEpoch === user.resetEpoch ? use(current) : null
        if (used === null || !isMakers(current)) return used
        const changes = changesFor(withChanges(current, used))
        return changes && { ...used, ...changes }
      }),
    )
  })
}

type Use = (current: StoredUser) => UserChanges | null

/** Counted like any attempt at the account's password, and the same work for one that has none. */
async function checkPassword(
  deps: MakerDeps,
  user: StoredUser,
  { password }: { password: string },
  { device }: MakerSource,
): Promise<Use> {
  const account = user.emailKey === null ? accountKey(user) : addressKey(user.emailKey)
  const isRight = await tryPassword(
    deps,
    { password, hash: user.passwordHash, caller: device === null ? 'stranger' : { account: user.id } },
    { budgets: loginLimits, key: device === null ? account : deviceBudgetKey(device) },
  )
  if (!isRight) throw invalidInput(fieldError('password', 'incorrect'))
  return () => ({})
}

async function checkFactor(
  deps: MakerDeps,
  user: StoredUser,
  attempt: { factor: Factor; value: unknown },
  from: MakerSource,
): Promise<Use> {
  const proof = await tryFactor(deps, attempt, user, { ...from, step: 'alone', occasion: '' })
  if (proof === null)
    throw invalidInput(
      fieldError(attempt.factor.field, 'incorrect', { text: attempt.factor.wrongText ?? 'factor_incorrect' }),
    )
  return proof.spend
}
