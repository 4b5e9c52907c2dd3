import { AccountsError, type EmailAddress, type UserFields } from 'fastify-accounts'
import {
  type Client,
  checkMayCreate,
  fieldError,
  insertUser,
  isDuplicate,
  type Proof,
} from 'fastify-accounts/features'
import { askRule } from './ask-rule.js'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'
import { identityKey, newIdentity } from './identity.js'
import { sealTokens } from './kept-tokens.js'
import { unusable } from './own-fields.js'
import { freeName, wishesOf } from './who.js'

export type SignUpDeps = Pick<
  ProviderDeps,
  'users' | 'options' | 'rules' | 'passwords' | 'postOffice' | 'vault' | 'throttleByIp'
>

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
