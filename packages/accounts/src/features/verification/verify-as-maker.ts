import type { Deps } from '../../deps.js'
import { attributed, fieldError, invalidInput } from '../../errors.js'
import { type Factor, tryFactor } from '../../logins/factor.js'
import { tryPassword } from '../../passwords/try-password.js'
import type { Client } from '../../sessions/client.js'
import type { DeviceCookie } from '../../sessions/device-cookie.js'
import { accountKey, addressKey, deviceBudgetKey, loginLimits } from '../../throttle/throttle.js'
import type { LinkParts } from '../../tokens/email-link.js'
import { type StoredUser, type UserChanges, withChanges } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { type AskDeps, askOwner } from '../../users/ownership/ask-owner.js'
import { hasMakersPassword, ownershipOf } from '../../users/ownership/states.js'

/** What somebody gives to show that they made the account: its password, or a passkey. */
export type MakerProof = { password: string } | { factor: Factor; value: unknown }

type MakerDeps = AskDeps &
  Pick<Deps, 'users' | 'links' | 'passwords' | 'throttle' | 'postOffice'> & {
    device: Pick<DeviceCookie, 'read'>
  }

/**
 * Verifies the address of a link for somebody who shows that they made the account: everything in it is theirs,
 * and stays.
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT if the proof is wrong, after which the link
 * is still valid; ACCOUNTS_THROTTLED
 */
export async function verifyAsMaker(
  deps: MakerDeps,
  client: Client,
  parts: LinkParts,
  proof: MakerProof,
): Promise<StoredUser> {
  const link = await deps.links.open('verify-email', parts)
  const { user } = link
  return attributed(user, async () => {
    const use = await ('password' in proof
      ? checkPassword(deps, client, user, proof)
      : checkFactor(deps, client, user, proof))
    // Since a plain proof, others may have added a passkey, or chosen a password.
    const isMakers = (current: StoredUser) =>
      'password' in proof ? hasMakersPassword(current) : ownershipOf(current) !== 'plain'
    const giving = await askOwner(deps, client, 'proved-by-maker', { keepsAccess: true }, user)
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
  client: Client,
  user: StoredUser,
  { password }: { password: string },
): Promise<Use> {
  const device = deps.device.read(client, user, 'password')
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
  client: Client,
  user: StoredUser,
  attempt: { factor: Factor; value: unknown },
): Promise<Use> {
  const device = deps.device.read(client, user)
  const proof = await tryFactor(deps, attempt, user, { step: 'alone', occasion: '', client, device })
  if (proof === null)
    throw invalidInput(
      fieldError(attempt.factor.field, 'incorrect', { text: attempt.factor.wrongText ?? 'factor_incorrect' }),
    )
  return proof.spend
}
