import type { ObjectOptions, Static, TObject, TProperties } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { maxEmailLength } from '../../identifiers/email.js'
import { maxUsernameLength } from '../../identifiers/username.js'
import { orNull } from '../field-schemas.js'

/** The maximum length of a password in code points before the policy applies: it limits the work of normalizing. */
const maxPasswordInput = 1024

// http/validation.ts checks the format: well-formed Unicode without NUL.
const text = (maxLength: number, description: string, example?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    format: 'text',
    description,
    ...(example !== undefined && { examples: [example] }),
  })

const nameCharacters = 'Letters, digits and @ . + - _'
const username = text(maxUsernameLength, nameCharacters)
const optionalName = Type.String({
  maxLength: maxUsernameLength,
  format: 'text',
  description: nameCharacters,
})
const password = text(maxPasswordInput, 'Never trimmed or cut')
// White space around an address is trimmed, hence the extra room.
const email = text(2 * maxEmailLength, 'One plain email address')

/** A boolean, or what a checkbox of a form sends. */
export const checkbox = Type.Union([
  Type.Boolean(),
  Type.Literal('on'),
  Type.Literal('true'),
  Type.Literal('false'),
])
const newPassword = { new_password: password, confirm_password: password }

// As long as an address may be.
const login = (description: string, example?: string) =>
  strictObject({
    username: text(maxEmailLength, description, example),
    password,
    remember: Type.Optional(checkbox),
  })
/** By what names users log in with. */
export const loginBodies = {
  username: login('The username'),
  email: login('The email address of the account', 'ada@example.org'),
  either: login('The username, or the email address of the account'),
}
/** The password; factors come on top. */
// One of several proofs is enough, so their examples have one.
const withPassword: ObjectOptions = { examples: [{ password: 'seven-green-lanterns' }] }
export const passwordBody = strictObject({ password: Type.Optional(password) }, withPassword)
/** The password, or a new one; factors come on top. */
export const passwordOrNewBody = strictObject(
  {
    password: Type.Optional(password),
    new_password: Type.Optional(password),
    confirm_password: Type.Optional(password),
  },
  withPassword,
)
export const emailBody = strictObject({ email })
export const resetBody = strictObject(newPassword)
export const changePasswordBody = strictObject({
  // An account without a password has none to give.
  old_password: Type.Optional(password),
  ...newPassword,
})
export type LoginBody = Static<typeof loginBodies.either>
export type EmailBody = Static<typeof emailBody>
export type ResetBody = Static<typeof resetBody>
export type ChangePasswordBody = Static<typeof changePasswordBody>

// An empty one in a form counts as missing.
const optionalEmail = Type.String({
  maxLength: 2 * maxEmailLength,
  format: 'text',
  description: 'One plain email address',
})
/** What identifies a new account; the names say which of the two forms applies. */
export const account = strictObject({
  username: Type.Optional(optionalName),
  email: Type.Optional(optionalEmail),
})
export const requiredAccount = strictObject({ username, email })
export const passwordPair = strictObject({ password, confirm_password: password })
/** A body with the username and the email address of an account. */
export type AccountBody = Static<typeof account>
const creation = strictObject({ ...account.properties, ...passwordPair.properties })
export type CreateUserBody = Static<typeof creation>

/** By `users.names`. */
export const nameChanges = {
  required: strictObject({ username: Type.Optional(username) }),
  optional: strictObject({ username: Type.Optional(orNull(username) as typeof username) }),
  none: strictObject({}),
}

/** Schema of the path parameters of a link. */
export const linkParams = Type.Object({ uid64: Type.String(), token: Type.String() })
export const sessionParams = Type.Object({ id: Type.String({ description: 'From the list' }) })
export const userParams = Type.Object({ pk: Type.String({ description: 'The id of a user' }) })
/** Path parameters of a link. */
export type LinkParams = Static<typeof linkParams>
export type SessionParams = Static<typeof sessionParams>
export type UserParams = Static<typeof userParams>

/** All parameters of the list. */
export const listParameters = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  search: Type.Optional(text(maxEmailLength, 'How a username begins, or an email address')),
  is_active: Type.Optional(Type.Boolean({ description: 'Only users who are active, or only others' })),
  is_staff: Type.Optional(Type.Boolean({ description: 'Only staff, or only others' })),
  is_verified: Type.Optional(
    Type.Boolean({ description: 'Only users whose email address is verified, or only others' }),
  ),
  order: Type.Optional(Type.String({ description: 'With a minus, in descending order' })),
  view: Type.Optional(
    Type.Unsafe<string>({ type: 'string', enum: ['public', 'own'], description: 'Default: public' }),
  ),
})

/** What staff may change, besides the profile. */
export const userChanges = strictObject({
  email: Type.Optional(email),
  is_active: Type.Optional(Type.Boolean()),
  is_staff: Type.Optional(Type.Boolean()),
  is_verified: Type.Optional(Type.Boolean()),
})
export type UserChanges = Static<typeof userChanges>

/** For request input: other fields are rejected. */
function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: ObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, additionalProperties: false })
}
