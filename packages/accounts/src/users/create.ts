import type { Deps } from '../deps.js'
import { AccountsError, type FieldError, fieldError, invalidInput } from '../errors.js'
import { addressNameFaults, looksLikeAddress } from '../identifiers/address-name.js'
import { type EmailAddress, parseEmail } from '../identifiers/email.js'
import { checkUsername, usernameKey } from '../identifiers/username.js'
import { checkPasswordPair } from '../passwords/password-policy.js'
import type { Caller } from '../passwords/passwords.js'
import type { PendingMail } from '../seams/outbox.js'
import { DuplicateError } from '../seams/store-errors.js'
import { freshUser, type NewUser, type User, type UserFields } from '../user.js'
import { argumentFaults, fieldsSizeFaults, isPlainText } from '../validation.js'

/** What a new user is made of. */
export interface CreateUserInput {
  /** 1 to 150 code points: letters, digits and `@ . + - _`. One that is an e-mail address must be `email`. */
  username: string
  /** Within the limits of the option `password`. */
  password: string
  /** Where given, the password again. */
  confirmPassword?: string | undefined
  /** One plain address. */
  email?: string | null | undefined
  /** The integrator's own fields. */
  fields?: UserFields | undefined
  /** Default `false`. */
  isStaff?: boolean | undefined
  /** Whether the address counts as proven. Default `false`. */
  isVerified?: boolean | undefined
}

/**
 * Checks what somebody chose, and creates the user.
 * @param mailsFor the mails that tell of it, and are kept if and only if the user is
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
 */
export async function insertUser(
  deps: Pick<Deps, 'users' | 'passwords' | 'options'>,
  input: CreateUserInput,
  caller: Caller,
  mailsFor: (user: NewUser) => readonly PendingMail[] = () => [],
): Promise<User> {
  const { users, passwords, options } = deps
  const address = checkInput(input, options)
  const passwordHash = await passwords.hash(input.password, caller)
  const user = freshUser({
    username: input.username,
    usernameKey: usernameKey(input.username),
    email: address?.email ?? null,
    emailKey: address?.emailKey ?? null,
    passwordHash,
    isVerified: input.isVerified ?? false,
    isStaff: input.isStaff ?? false,
    fields: input.fields ?? {},
  })
  try {
    return await users.create(user, mailsFor(user))
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error
    // A name that is the address says no more of it than the address would.
    const isName = error.field === 'username' && !looksLikeAddress(input.username)
    throw new AccountsError(isName ? 'ACCOUNTS_USERNAME_TAKEN' : 'ACCOUNTS_EMAIL_TAKEN')
  }
}

const inputNames = ['username', 'password', 'confirmPassword', 'email', 'fields']

function checkInput(input: CreateUserInput, options: Deps['options']): EmailAddress | null {
  const { username, password, email = null } = input
  const { fields = {} } = input
  const faults: FieldError[] = options.checkFields(fields)
  // What the check found no object has no size.
  if (faults.length === 0) faults.push(...fieldsSizeFaults(fields))
  // Scripts call this too, and not all of them are typed.
  faults.push(...argumentFaults(input, { flags: ['isStaff', 'isVerified'], others: inputNames }))
  for (const [field, value] of Object.entries({ username, password, email })) {
    if (value === null && field === 'email') continue
    if (typeof value !== 'string')
      faults.push(fieldError(field, value === undefined ? 'required' : 'invalid'))
    else if (!isPlainText(value)) faults.push(fieldError(field, 'invalid'))
  }
  if (faults.length > 0) throw invalidInput(...faults)
  const usernameFault = checkUsername(username)
  if (usernameFault !== null) faults.push(usernameFault)
  const address = email === null ? null : parseEmail(email)
  if (email !== null && address === null) faults.push(fieldError('email', 'invalid'))
  if (usernameFault === null) faults.push(...addressNameFaults(username, address?.emailKey ?? null))
  faults.push(
    ...checkPasswordPair(
      { password: 'password', confirm: 'confirm_password' },
      { password, confirm: input.confirmPassword ?? password },
      { username, email },
      options.password,
    ),
  )
  if (faults.length > 0) throw invalidInput(...faults)
  return address
}
