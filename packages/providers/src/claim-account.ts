import { AccountsError, parseEmail, type StoredUser } from 'fastify-accounts'
import {
  addressKey,
  type Client,
  deviceBudgetKey,
  fieldError,
  hasMakersPassword,
  invalidInput,
  loginLimits,
  type Proof,
  tryPassword,
} from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { type HandOverDeps, startAfresh } from './hand-over.js'
import { type LinkDeps, linkAsMaker } from './link-as-maker.js'
import type { PendingIdentity } from './pending-identity.js'
import { mayBeTaken } from './who.js'

/** An account that somebody has used, or confirmed, and the person who has proved its address since. */
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
  if (owner !== null && !mayBeTaken(owner, options))
    throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED', { userId: owner.id })
  return { claim, emailKey, owner }
}

/**
 * Keeps the account for a person who also knows its password: they made it. The identity is linked, the address proved.
 * @param device the name of the caller's device, if it has logged in to this account before
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if the password is wrong, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT if the
 * account has 25 identities, ACCOUNTS_IDENTITY_TAKEN, ACCOUNTS_LOGIN_EXPIRED; RuleError
 */
export async function keepAccount(
  deps: LinkDeps & Pick<ProviderDeps, 'passwords' | 'throttle'>,
  client: Client,
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
  const changed = await linkAsMaker(
    deps,
    client,
    owner,
    identity,
    (current) =>
      current.emailKey === emailKey &&
      current.passwordHash === passwordHash &&
      mayBeTaken(current, deps.options),
    hasMakersPassword,
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  return { user: changed, methods: [...new Set(['pwd', ...methods])] }
}

/**
 * Gives them an account of their own; the other one goes, with everything in it.
 * @throws AccountsError ACCOUNTS_LOGIN_EXPIRED, ACCOUNTS_IDENTITY_TAKEN, ACCOUNTS_CONFLICT; RuleError
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
      (current) => mayBeTaken(current, deps.options) && current.emailKey === emailKey,
    ))
  if (user === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  const { methods, provenAt } = claim
  return { user, methods, provenAt: provenAt === undefined ? undefined : new Date(provenAt) }
}
