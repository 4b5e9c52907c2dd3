import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { maxEmailLength } from '../../identifiers/email.js'
import { maxTypedCode } from '../../identifiers/typed-code.js'
import { maxUsernameLength } from '../../identifiers/username.js'
import { orNull } from './field-schemas.js'
import { emptyOr, strictObject, text } from './strict-schema.js'

/** The maximum length of a password in code points before the policy applies: it limits the work of normalizing. */
const maxPasswordInput = 1024

export const username = text(maxUsernameLength, 'Letters, digits and @ . + - _')
/** A password, as typed. */
export const password = text(maxPasswordInput, 'Never trimmed or cut')
// White space around an address is trimmed, hence the extra room.
export const email = text(2 * maxEmailLength, 'One plain email address')
/** One that may be left out. */
export const optionalPassword = emptyOr(password, {
  description: 'Never trimmed or cut. Without it, the address alone signs up',
})

/** A boolean, or what a checkbox of a form sends. */
export const checkbox = Type.Union([
  Type.Boolean(),
  Type.Literal('on'),
  Type.Literal('true'),
  Type.Literal('false'),
])
/** The two fields of a new password. */
export const newPassword = strictObject({ new_password: password, confirm_password: password })

/** What the new owner of an account says about what its maker entered. */
export const profile = Type.Unsafe<'keep' | 'drop'>({
  type: 'string',
  enum: ['keep', 'drop'],
  description: 'What becomes of what the maker of the account entered. Default: keep',
})
/** A new password of somebody who may not have made the account. */
export const newOwnerBody = strictObject({
  ...newPassword.properties,
  username: Type.Optional(username),
  profile: Type.Optional(profile),
})

/** An emailed code, as typed. */
export const emailedCode = text(
  maxTypedCode,
  'The code from the email, in any case, with or without the dash',
  'ABCD-EFGH',
)

export const emailBody = strictObject({ email })

/** What identifies a new account; the names say which of the two forms applies. */
export const account = strictObject({
  username: Type.Optional(emptyOr(username)),
  email: Type.Optional(emptyOr(email)),
})
export const requiredAccount = strictObject({ username, email })
/** A body with the username and the email address of an account. */
export type AccountBody = Static<typeof account>
/** By `users.names`. */
export const nameChanges = {
  required: strictObject({ username: Type.Optional(username) }),
  optional: strictObject({ username: Type.Optional(orNull(username) as typeof username) }),
  none: strictObject({}),
}

/** Of a list. */
export const cursorQuery = strictObject({
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
})
/** Schema of the path parameters of a link. */
export const linkParams = Type.Object({ uid64: Type.String(), token: Type.String() })
export const sessionParams = Type.Object({ id: Type.String({ description: 'From the list' }) })
export const userParams = Type.Object({ pk: Type.String({ description: 'The id of a user' }) })
/** Path parameters of a link. */
export type LinkParams = Static<typeof linkParams>
