import type { Deps } from '../deps.js'
import { AccountsError, type FieldError, fieldError, invalidInput } from '../errors.js'
import { addressNameFaults, looksLikeAddress } from '../identifiers/address-name.js'
import { type EmailAddress, newAddressFault, parseTypedEmail } from '../identifiers/email.js'
import { checkUsername, usernameKey } from '../identifiers/username.js'
import { withNoteOf } from '../notes.js'
import { checkPasswordPair, type PasswordPair } from '../passwords/password-policy.js'
import type { Caller } from '../passwords/passwords.js'
import { type Granted, nothingGranted } from '../seams/before.js'
import type { PendingMessage } from '../seams/outbox.js'
import { DuplicateError } from '../seams/store-errors.js'
import {
  type AccountOrigin,
  freshUser,
  type NewUser,
  noPassword,
  type StoredUser,
  type UserFields,
} from '../user.js'
import { argumentFaults, fieldsSizeFaults, isPlainText } from '../validation.js'
import { roleFaults } from './role-faults.js'

/** The input for a new user. */
export interface CreateUserInput {
  /**
   * 1 to 150 code points: letters, digits and `@ . + - _`. One that is an email address must be `email`. Required
   * unless `users.names` says otherwise: with `'none'` there is none, with `'optional'` an `email` will do.
   */
  username?: string | null | undefined
  /** Within the limits of the option `password`. */
  password: string
  /** If given, must equal the password. */
  confirmPassword?: string | undefined
  /** One plain address; required without a username. */
  email?: string | null | undefined
  /** Your own fields. */
  fields?: UserFields | undefined
  /** Default `false`. */
  isStaff?: boolean | undefined
  /** Names of roles in the option `roles`, each once. Default: none. */
  roles?: readonly string[] | undefined
  /** Whether the address counts as proven. Default `false`. */
  isVerified?: boolean | undefined
}

/** The input for a user who logs in without a password. */
export type PasswordlessInput = Omit<CreateUserInput, 'password' | 'confirmPassword'>

/** What such a user logs in with. */
export type OtherProof = Pick<NewUser, 'credentials' | 'identityKeys'>

/** Nothing: somebody who signs up with the address alone proves it by email, and logs in by other means afterwards. */
export const addressAlone: OtherProof = { credentials: [], identityKeys: [] }

/** What was entered for a new user: with a password, or another way to log in. */
export type Entered =
  | { input: CreateUserInput; proof?: never }
  | { input: PasswordlessInput; proof: OtherProof }

/**
 * What a new user starts with: what was entered; what the app's rule has granted, which is `nothingGranted` where it isn't
 * asked; and who creates them, by default `self`.
 */
export type Beginning = Entered & { caller: Caller; granted: Granted; origin?: AccountOrigin | undefined }

/** Whether a new user starts with nothing to log in with. */
export const isAddressAlone = ({ proof }: Pick<Beginning, 'proof'>): boolean =>
  proof !== undefined && proof.credentials.length + proof.identityKeys.length === 0

/**
 * Checks the input and creates the user.
 * @param messagesFor the emails about it, stored if and only if the user is
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, and what `storeUser` throws
 */
export async function insertUser(
  deps: Pick<Deps, 'users' | 'passwords' | 'options'>,
  beginning: Beginning,
  messagesFor: (user: NewUser) => readonly PendingMessage[] = () => [],
): Promise<StoredUser> {
  const user = await newUser(deps, beginning)
  return storeUser(deps, user, messagesFor(user))
}

/**
 * The checked user, with the password hashed.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export async function newUser(
  { passwords, options }: Pick<Deps, 'passwords' | 'options'>,
  { input, proof, caller, granted, origin = 'self' }: Beginning,
): Promise<NewUser> {
  const fields = granted === nothingGranted ? input.fields : { ...input.fields, ...granted.fields }
  const candidate = { ...input, fields }
  const address = proof === undefined ? checkInput(candidate, options, input) : checkInput(candidate, options)
  const { username = null, email = null } = input
  const passwordHash =
    proof === undefined
      ? await passwords.hashNew({ password: input.password, field: 'password' }, { username, email }, caller)
      : noPassword
  const user = freshUser({
    origin,
    username,
    usernameKey: username === null ? null : usernameKey(username),
    email: address?.email ?? null,
    emailKey: address?.emailKey ?? null,
    passwordHash,
    isVerified: input.isVerified ?? false,
    isStaff: input.isStaff ?? false,
    roles: input.roles ?? [],
    fields: fields ?? {},
    ...proof,
  })
  return withRoles(user, granted.roles)
}

/**
 * @param wanted whom an unclaimed user was to be
 * @throws AccountsError ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN; DuplicateError of an identity if another user logs
 * in with the same
 */
export async function storeUser(
  { users }: Pick<Deps, 'users'>,
  user: NewUser,
  messages: readonly PendingMessage[],
  wanted?: NewUser,
): Promise<StoredUser> {
  try {
    return await users.create(user, messages, wanted)
  } catch (error) {
    if (!(error instanceof DuplicateError) || error.field === 'identity') throw error
    // If the name is the address, report the address.
    const isName = error.field === 'username' && !looksLikeAddress(user.username ?? '')
    throw new AccountsError(isName ? 'ACCOUNTS_USERNAME_TAKEN' : 'ACCOUNTS_EMAIL_TAKEN')
  }
}

const inputNames = ['username', 'email', 'fields', 'roles']
const passwordNames = ['password', 'confirmPassword']

/**
 * The checks of `insertUser`.
 * @param pair the password, for users who have one
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function checkInput(
  input: PasswordlessInput,
  options: Deps['options'],
  pair?: PasswordPair,
): EmailAddress | null {
  const { username = null, email = null, fields = {} } = input
  const faults: FieldError[] = options.checkFields(fields)
  // Values that aren't objects have no size.
  if (faults.length === 0) faults.push(...fieldsSizeFaults(fields))
  // Scripts call this as well, and not all of them are typed.
  faults.push(
    ...argumentFaults(input, {
      flags: ['isStaff', 'isVerified'],
      others: [...inputNames, ...(pair ? passwordNames : [])],
    }),
  )
  faults.push(...roleFaults(input.roles, options))
  if (username === null && options.names === 'required') faults.push(fieldError('username', 'required'))
  if (username !== null && options.names === 'none') faults.push(fieldError('username', 'unknown'))
  if (username === null && email === null && options.names !== 'required')
    faults.push(fieldError('email', 'required'))
  for (const [field, value] of Object.entries({
    username,
    ...(pair && { password: pair.password }),
    email,
  })) {
    if (value === null && field !== 'password') continue
    if (typeof value !== 'string')
      faults.push(fieldError(field, value === undefined ? 'required' : 'invalid'))
    else if (!isPlainText(value)) faults.push(fieldError(field, 'invalid'))
  }
  if (faults.length > 0) throw invalidInput(...faults)
  const usernameFault = username === null ? null : checkUsername(username)
  if (usernameFault !== null) faults.push(usernameFault)
  const address = email === null ? null : parseTypedEmail(email)
  const addressFault = email === null ? null : newAddressFault(address, options)
  if (addressFault !== null) faults.push(addressFault)
  if (username !== null && usernameFault === null)
    faults.push(...addressNameFaults(username, address?.emailKey ?? null))
  if (pair !== undefined)
    faults.push(...checkPasswordPair('password', pair, { username, email }, options.password))
  if (faults.length > 0) throw invalidInput(...faults)
  return address
}

/** A new user with the roles of its sign-up: promised, or granted if its address is proven or it has none. */
function withRoles(user: NewUser, roles: readonly string[]): NewUser {
  if (roles.length === 0) return user
  const { emailKey, verifyEpoch, isVerified } = user
  if (emailKey === null || isVerified) return { ...user, roles: [...new Set([...user.roles, ...roles])] }
  return { ...user, notes: withNoteOf(user, 'promisedRoles', { emailKey, verifyEpoch, roles: [...roles] }) }
}
