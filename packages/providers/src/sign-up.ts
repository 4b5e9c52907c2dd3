import { AccountsError, type EmailAddress, type NewUser, type StoredUser } from 'fastify-accounts'
import {
  type Acceptance,
  acceptAlong,
  type Client,
  checkMayCreate,
  fieldError,
  findAcceptances,
  isDuplicate,
  newUser,
  type Proof,
  storeUser,
  withInvitations,
} from 'fastify-accounts/features'
import { askRule } from './ask-rule.js'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'
import { newIdentity, onlyIdentity } from './identity.js'
import { sealTokens } from './kept-tokens.js'
import { fieldsOf, type Newcomer } from './newcomer.js'
import { unusable } from './own-fields.js'
import { freeName, wishesOf } from './who.js'

export type SignUpDeps = InsertDeps & Pick<ProviderDeps, 'rules' | 'postOffice' | 'vault' | 'throttleByIp'>

type InsertDeps = Pick<ProviderDeps, 'users' | 'options' | 'invitations' | 'passwords'>

/**
 * Creates an account for an unknown identity. Invitations of the address apply, and let people in who may not sign up.
 * @param address vouched for by the provider; `null` if there is none
 * @throws AccountsError ACCOUNTS_FORBIDDEN if sign-up is off, and they aren't invited; ACCOUNTS_INVALID_INPUT if an address or
 * custom field is missing; ACCOUNTS_THROTTLED; ACCOUNTS_CONFLICT if another request was faster; RuleError
 */
export async function signUpWith(
  deps: SignUpDeps,
  client: Client,
  back: Return,
  address: EmailAddress | null,
): Promise<Proof> {
  const { issuer, profile } = back
  const { requireEmailConfirmation, names } = deps.options
  const acceptances = address
    ? await findAcceptances(deps, client, { ...address, username: null, handsOver: false })
    : []
  const isInvited = acceptances.length > 0
  await checkSignUp(deps, client, isInvited)
  if (address === null && (requireEmailConfirmation || names !== 'required'))
    throw unusable(issuer, [fieldError('email', 'required')])
  const grant = await askRule(deps, client, back, address, { isInvited })
  const identity = {
    ...newIdentity(profile, issuer.provider.name),
    ...sealTokens(deps.vault, profile.tokens),
  }
  const newcomer = { identity, address, ...grant, wishes: wishesOf(profile) }
  return { user: await insertProven(deps, newcomer, acceptances), methods: profile.methods }
}

/** Rejects if sign-up is off, or the client has made too many, for any address. An invitation lets in who may not sign up. */
export async function checkSignUp(
  { options, throttleByIp }: Pick<SignUpDeps, 'options' | 'throttleByIp'>,
  client: Client,
  isInvited = false,
): Promise<void> {
  if (options.users === false) throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'sign_up_closed' })
  if (!isInvited) await checkMayCreate(options, null)
  await throttleByIp('create', client)
}

/**
 * Inserts a user whose identity, and address if there is one, are proved.
 * @throws AccountsError ACCOUNTS_CONFLICT if another request was faster, or an invitation has ended
 */
export async function insertProven(
  deps: InsertDeps,
  newcomer: Omit<Newcomer, 'address'> & { address: EmailAddress | null },
  acceptances: readonly Acceptance[],
  messagesFor: (user: NewUser) => Parameters<typeof storeUser>[2] = () => [],
): Promise<StoredUser> {
  const { address, identity, wishes, roles = [] } = newcomer
  const proof = onlyIdentity(identity)
  const granted = { fields: {}, roles }
  return acceptAlong(deps, acceptances, async (claim) => {
    // It may be all that lets them in.
    if (acceptances.length > 0 && claim.acceptances.length === 0) throw changedMeanwhile()
    const fields = fieldsOf(newcomer, claim.acceptances)
    return insertNamed(deps, wishes, async (username) => {
      const input = { username, email: address?.email ?? null, fields, isVerified: address !== null }
      const user = await newUser(deps, { input, proof, caller: 'stranger', granted })
      claim.assertInTime()
      return storeUser(deps, withInvitations(user, claim.acceptances, deps.options), messagesFor(user))
    })
  }).catch((error: unknown) => {
    const isTaken =
      isDuplicate(error, 'identity') ||
      (error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')
    throw isTaken ? changedMeanwhile() : error
  })
}

const changedMeanwhile = (): AccountsError =>
  new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })

/** With a name if names are on, and another one if it was just taken. */
async function insertNamed(
  deps: Pick<InsertDeps, 'users' | 'options'>,
  wishes: readonly string[],
  insert: (username: string | null) => Promise<StoredUser>,
): Promise<StoredUser> {
  if (deps.options.names !== 'required') return insert(null)
  try {
    return await insert(await freeName(deps, wishes))
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_USERNAME_TAKEN')) throw error
    return insert(await freeName(deps, []))
  }
}
