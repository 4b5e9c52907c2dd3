import { AccountsError, type EmailAddress, type UserFields } from 'fastify-accounts'
import { fieldError, fieldsSizeFaults, insertUser, invalidInput, type Proof } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { identityKey, newIdentity } from './identity.js'
import type { Profile, Provider } from './provider.js'
import { freeName, methodsOf } from './who.js'

type Deps = Pick<ProviderDeps, 'users' | 'options' | 'passwords' | 'postOffice'>

/**
 * Creates the account of somebody whom nobody here knows.
 * @param address which the provider vouches for; `null` where it has none
 * @throws AccountsError ACCOUNTS_FORBIDDEN where nobody signs up; ACCOUNTS_INVALID_INPUT where an address or an own field
 * is missing; ACCOUNTS_CONFLICT where somebody was faster
 */
export async function signUpWith(
  deps: Deps,
  provider: Provider,
  profile: Profile,
  address: EmailAddress | null,
): Promise<Proof> {
  const { requireEmailConfirmation, names } = deps.options
  await checkSignUp(deps)
  if (address === null && (requireEmailConfirmation || names !== 'required'))
    throw invalidInput(fieldError('email', 'required'))
  const identity = newIdentity(profile, provider.name)
  const proof = { credentials: [identity], identityKeys: [identityKey(profile)] }
  const fields = ownFields(deps, provider, profile)
  try {
    const user = await insertNamed(deps, profile, { address, fields, isVerified: address !== null }, proof)
    return { user, methods: methodsOf(provider, profile) }
  } catch (error) {
    const isTaken =
      isDuplicate(error) || (error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')
    throw isTaken ? new AccountsError('ACCOUNTS_CONFLICT') : error
  }
}

/** Refuses where nobody signs up, whatever their address. */
export async function checkSignUp({ options }: Pick<ProviderDeps, 'options'>): Promise<void> {
  if (options.users === false || !(await options.authorize.createUser(null)))
    throw new AccountsError('ACCOUNTS_FORBIDDEN')
}

/** A user with a name where there are names; again with another one where somebody was faster. */
export async function insertNamed(
  deps: Deps,
  profile: Profile,
  known: { address: EmailAddress | null; fields: UserFields; isVerified: boolean },
  proof: Parameters<typeof insertUser>[1]['proof'] & object,
): ReturnType<typeof insertUser> {
  const { address, fields, isVerified } = known
  const isNamed = deps.options.names === 'required'
  const insert = (username: string | null) => {
    const input = { username, email: address?.email ?? null, fields, isVerified }
    return insertUser(deps, { input, proof, caller: 'stranger' })
  }
  if (!isNamed) return insert(null)
  try {
    return await insert(await freeName(deps, profile))
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_USERNAME_TAKEN')) throw error
    return insert(await freeName(deps, { ...profile, username: null, name: null }))
  }
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT where a new user may not have them */
export function ownFields(
  { options }: Pick<ProviderDeps, 'options'>,
  { fields }: Provider,
  profile: Profile,
): UserFields {
  const own = fields?.(profile) ?? {}
  const faults = options.checkFields(own)
  if (faults.length === 0) faults.push(...fieldsSizeFaults(own))
  if (faults.length > 0) throw invalidInput(...faults)
  return own
}

/** Somebody else has the same identity. */
export function isDuplicate(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'DuplicateError' &&
    'field' in error &&
    error.field === 'identity'
  )
}
