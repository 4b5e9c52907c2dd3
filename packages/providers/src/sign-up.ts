import {
  AccountsError,
  type EmailAddress,
  type FieldError,
  type StoredUser,
  type UserFields,
} from 'fastify-accounts'
import {
  askSignUp,
  type Client,
  checkMayCreate,
  fieldError,
  fieldsSizeFaults,
  fieldsWithin,
  insertUser,
  invalidInput,
  invitedWith,
  isDuplicate,
  type Proof,
} from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'
import { identityKey, newIdentity } from './identity.js'
import type { Issuer } from './issuer.js'
import { sealTokens } from './kept-tokens.js'
import type { Profile } from './provider.js'
import { freeName, wishesOf } from './who.js'

export type SignUpDeps = Pick<
  ProviderDeps,
  'users' | 'options' | 'rules' | 'passwords' | 'postOffice' | 'vault' | 'throttleByIp'
>

type Service = Pick<Issuer, 'provider' | 'label'>

/**
 * Creates an account for an unknown identity.
 * @param address vouched for by the provider; `null` if there is none
 * @throws AccountsError ACCOUNTS_FORBIDDEN if sign-up is off; ACCOUNTS_INVALID_INPUT if an address or custom field
 * is missing; ACCOUNTS_THROTTLED; ACCOUNTS_CONFLICT if another request was faster; RuleError
 */
export async function signUpWith(
  deps: SignUpDeps,
  client: Client,
  back: Return,
  address: EmailAddress | null,
): Promise<Proof> {
  const { issuer, profile } = back
  const { requireEmailConfirmation, names } = deps.options
  await checkSignUp(deps, client)
  if (address === null && (requireEmailConfirmation || names !== 'required'))
    throw unusable(issuer, [fieldError('email', 'required')])
  const identity = {
    ...newIdentity(profile, issuer.provider.name),
    ...sealTokens(deps.vault, profile.tokens),
  }
  const proof = { credentials: [identity], identityKeys: [identityKey(profile)] }
  const grant = await askRule(deps, client, back, address)
  const account = { address, ...grant, isVerified: address !== null }
  const user = await insertProven(deps, wishesOf(profile), account, proof)
  return { user, methods: profile.methods }
}

/**
 * Asks the app's rule about a new user, once for each sign-up: what it grants is kept until the address is proven.
 * @param owner the account that is handed over: the provider has proved its address, and nobody had
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if the flow doesn't carry what a sign-up requires; RuleError
 */
export async function askRule(
  deps: Pick<SignUpDeps, 'options' | 'rules'>,
  client: Client,
  { issuer, profile, flow: { transient = {} } }: Return,
  address: EmailAddress | null,
  owner?: StoredUser,
): Promise<{ fields: UserFields; grantedFields: UserFields; roles: readonly string[] }> {
  const fields = ownFields(deps, issuer, profile)
  const faults = owner ? [] : deps.options.checkSignUpFields(transient)
  if (faults.length > 0) throw invalidInput(...faults)
  const attempt = { method: 'provider', provider: issuer.provider.name, address, transient } as const
  const invited = owner ? invitedWith(owner) : { fields: {}, roles: [] }
  const signUp = { ...attempt, roles: invited.roles, fields: fieldsWithin(invited.fields, fields) }
  const granted = await askSignUp(deps, client, signUp, owner !== undefined)
  return { fields, grantedFields: granted.fields, roles: granted.roles }
}

/** Rejects if sign-up is off, or the client has made too many, for any address. */
export async function checkSignUp(
  { options, throttleByIp }: Pick<SignUpDeps, 'options' | 'throttleByIp'>,
  client: Client,
): Promise<void> {
  if (options.users === false) throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'sign_up_closed' })
  await checkMayCreate(options, null)
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
    throw isTaken ? new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' }) : error
  }
}

/** A user with a name if names are on; retried with another name if it was just taken. */
export async function insertNamed(
  deps: Pick<SignUpDeps, 'users' | 'options' | 'passwords'>,
  wishes: readonly string[],
  account: {
    address: EmailAddress | null
    fields: UserFields
    /** Those that the app's rule gives, which replace the others. Default: none. */
    grantedFields?: UserFields | undefined
    roles?: readonly string[] | undefined
    isVerified: boolean
  },
  proof: Parameters<typeof insertUser>[1]['proof'] & object,
  mailsFor?: Parameters<typeof insertUser>[2],
): ReturnType<typeof insertUser> {
  const { address, fields, grantedFields = {}, roles = [], isVerified } = account
  const isNamed = deps.options.names === 'required'
  const insert = (username: string | null) => {
    const input = { username, email: address?.email ?? null, fields, isVerified }
    const granted = { fields: grantedFields, roles }
    return insertUser(deps, { input, proof, caller: 'stranger', granted }, mailsFor)
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
  issuer: Service,
  profile: Profile,
): UserFields {
  const own = issuer.provider.fields?.(profile) ?? {}
  const faults = options.checkFields(own)
  if (faults.length === 0) faults.push(...fieldsSizeFaults(own))
  if (faults.length > 0) throw unusable(issuer, faults)
  return own
}

/** There is no form to correct: what is wrong is at the provider, or in how the app uses it. */
function unusable({ label, provider }: Service, fields: FieldError[]): AccountsError {
  const words = fields.map(({ field, code }) => `${field} ${code}`.trim()).join(', ')
  const cause = new Error(
    `the profile from ${provider.name}, or what its \`fields\` returned, is invalid: ${words}`,
  )
  return new AccountsError('ACCOUNTS_INVALID_INPUT', {
    reason: 'unusable_profile',
    provider: label,
    fields,
    cause,
  })
}
