import { AccountsError, type EmailAddress, type UserFields } from 'fastify-accounts'
import {
  type Client,
  fieldError,
  fieldsSizeFaults,
  insertUser,
  invalidInput,
  isDuplicate,
  type Proof,
} from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { identityKey, newIdentity } from './identity.js'
import type { Login } from './issuer.js'
import { sealTokens } from './kept-tokens.js'
import type { Profile, Provider } from './provider.js'
import { freeName, wishesOf } from './who.js'

export type SignUpDeps = Pick<
  ProviderDeps,
  'users' | 'options' | 'passwords' | 'postOffice' | 'vault' | 'throttleByIp'
>

/**
 * Creates an account for an unknown identity.
 * @param address vouched for by the provider; `null` if there is none
 * @throws AccountsError ACCOUNTS_FORBIDDEN if sign-up is off; ACCOUNTS_INVALID_INPUT if an address or custom field
 * is missing; ACCOUNTS_THROTTLED; ACCOUNTS_CONFLICT if another request was faster
 */
export async function signUpWith(
  deps: SignUpDeps,
  client: Client,
  provider: Provider,
  profile: Login,
  address: EmailAddress | null,
): Promise<Proof> {
  const { requireEmailConfirmation, names } = deps.options
  await checkSignUp(deps, client)
  if (address === null && (requireEmailConfirmation || names !== 'required'))
    throw invalidInput(fieldError('email', 'required'))
  const identity = { ...newIdentity(profile, provider.name), ...sealTokens(deps.vault, profile.tokens) }
  const proof = { credentials: [identity], identityKeys: [identityKey(profile)] }
  const fields = ownFields(deps, provider, profile)
  const known = { address, fields, isVerified: address !== null }
  const user = await insertProven(deps, wishesOf(profile), known, proof)
  return { user, methods: profile.methods }
}

/** Rejects if sign-up is off, or the client has made too many, for any address. */
export async function checkSignUp(
  { options, throttleByIp }: Pick<SignUpDeps, 'options' | 'throttleByIp'>,
  client: Client,
): Promise<void> {
  if (options.users === false || !(await options.authorize.createUser(null)))
    throw new AccountsError('ACCOUNTS_FORBIDDEN')
  await throttleByIp('create', client)
}

/**
 * Inserts a user whose identity, and address if there is one, are proved.
 * @throws AccountsError ACCOUNTS_CONFLICT if another request was faster
 */
export async function insertProven(...args: Parameters<typeof insertNamed>): ReturnType<typeof insertUser> {
  try {
    return await insertNamed(...args)
  } catch (error) {
    const isTaken =
      isDuplicate(error, 'identity') ||
      (error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')
    throw isTaken ? new AccountsError('ACCOUNTS_CONFLICT') : error
  }
}

/** A user with a name if names are on; retried with another name if it was just taken. */
export async function insertNamed(
  deps: Pick<SignUpDeps, 'users' | 'options' | 'passwords'>,
  wishes: readonly string[],
  known: { address: EmailAddress | null; fields: UserFields; isVerified: boolean },
  proof: Parameters<typeof insertUser>[1]['proof'] & object,
  mailsFor?: Parameters<typeof insertUser>[2],
): ReturnType<typeof insertUser> {
  const { address, fields, isVerified } = known
  const isNamed = deps.options.names === 'required'
  const insert = (username: string | null) => {
    const input = { username, email: address?.email ?? null, fields, isVerified }
    return insertUser(deps, { input, proof, caller: 'stranger' }, mailsFor)
  }
  if (!isNamed) return insert(null)
  try {
    return await insert(await freeName(deps, wishes))
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_USERNAME_TAKEN')) throw error
    return insert(await freeName(deps, []))
  }
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT if a new user may not have them */
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
