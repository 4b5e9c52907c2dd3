import { AccountsError, parseEmail, type StoredUser } from 'fastify-accounts'
import {
  addressKey,
  type Client,
  deviceBudgetKey,
  fieldError,
  invalidInput,
  isDuplicate,
  loginLimits,
  ownershipChanges,
  type Proof,
  tryPassword,
  withChanges,
} from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { type HandOverDeps, labelOf, startAfresh } from './hand-over.js'
import { keysOf, mostIdentities, withIdentity } from './identity.js'
import type { PendingIdentity } from './pending-identity.js'
import { isUnproven } from './who.js'

/** An account that somebody has used, and the person who has proved its address since. */
export interface Claimed {
  claim: PendingIdentity
  emailKey: string
  /** `null` if an earlier attempt to start afresh has freed the address. */
  owner: StoredUser | null
}

/** @throws AccountsError ACCOUNTS_LOGIN_EXPIRED if there is nothing to claim anymore */
export async function readClaim(
  { users, options }: Pick<ProviderDeps, 'users' | 'options'>,
  claim: PendingIdentity | null,
): Promise<Claimed> {
  const emailKey = parseEmail(claim?.email ?? '')?.emailKey
  if (claim === null || emailKey === undefined) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  const owner = await users.findByEmail(emailKey)
  if (owner !== null && !isUnproven(owner, options))
    throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED', { userId: owner.id })
  return { claim, emailKey, owner }
}

/**
 * Keeps the account for a person who also knows its password: they made it. The identity is linked, the address proved.
 * @param device the name of the caller's device, if it has logged in to this account before
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if the password is wrong, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT if the
 * account has 25 identities, ACCOUNTS_IDENTITY_TAKEN, ACCOUNTS_LOGIN_EXPIRED
 */
export async function keepAccount(
  deps: Pick<ProviderDeps, 'users' | 'options' | 'passwords' | 'throttle' | 'postOffice' | 'issuers'>,
  { claim, emailKey, owner }: Claimed,
  password: string,
  device: string | null,
): Promise<Proof> {
  if (owner === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  const { identity, methods } = claim
  const { passwordHash } = owner
  const isRight = await tryPassword(
    deps,
    { password, hash: passwordHash, caller: device === null ? 'stranger' : { account: owner.id } },
    { budgets: loginLimits, key: device === null ? addressKey(emailKey) : deviceBudgetKey(device) },
  )
  if (!isRight) throw invalidInput(fieldError('password', 'incorrect'))
  const changed = await deps.users
    .change(
      owner,
      (current) => {
        const isSame = current.emailKey === emailKey && current.passwordHash === passwordHash
        if (!isSame || !isUnproven(current, deps.options)) return null
        if (keysOf(current).length >= mostIdentities)
          throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
        const linked = withIdentity(current, identity)
        const proven = ownershipChanges('proved-by-maker', withChanges(current, linked), deps.options)
        return { ...linked, ...proven, verifyEpoch: current.verifyEpoch + 1 }
      },
      {
        messages: (later) =>
          deps.postOffice.about('identity-added', later, { label: labelOf(deps, identity) }),
      },
    )
    .catch((error: unknown) => {
      throw isDuplicate(error, 'identity') ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN') : error
    })
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  return { user: changed, methods: [...new Set(['pwd', ...methods])] }
}

/**
 * Gives them an account of their own; the other one goes, with everything in it.
 * @throws AccountsError ACCOUNTS_LOGIN_EXPIRED, ACCOUNTS_IDENTITY_TAKEN, ACCOUNTS_CONFLICT
 */
export async function leaveAccount(
  deps: Omit<HandOverDeps, 'hasWayIn'>,
  client: Client,
  { claim, emailKey, owner }: Claimed,
): Promise<Proof> {
  const address = parseEmail(claim.email)
  const user =
    address &&
    (await startAfresh(
      deps,
      client,
      owner,
      { ...claim, address },
      (current) => isUnproven(current, deps.options) && current.emailKey === emailKey,
    ))
  if (user === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  const { methods, provenAt } = claim
  return { user, methods, provenAt: provenAt === undefined ? undefined : new Date(provenAt) }
}
