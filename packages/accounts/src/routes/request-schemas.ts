import type { Static, TObject, TProperties } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { maxEmailLength } from '../identifiers/email.js'
import { maxUsernameLength } from '../identifiers/username.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { ListAbility } from '../seams/user-store.js'
import type { FieldsSchema } from '../user.js'
import { type Names, propertiesOf, withOptional } from './field-schemas.js'

/** The maximum length of a password in code points before the policy applies: it limits the work of normalizing. */
const maxPasswordInput = 1024

// routes/validation.ts checks the format: well-formed Unicode without NUL.
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
// The service trims white space around an address, hence the extra room.
const email = text(2 * maxEmailLength, 'One plain email address')

/** A boolean, or what a checkbox of a form sends. */
export const checkbox = Type.Union([
  Type.Boolean(),
  Type.Literal('on'),
  Type.Literal('true'),
  Type.Literal('false'),
])
/** Whether a checkbox is checked; one that isn't sent isn't. */
export const isChecked = (value: Static<typeof checkbox> = false): boolean =>
  value !== false && value !== 'false'
const newPassword = { new_password: password, confirm_password: password }

export function loginBody({ login: { byUsername, byEmail } }: Pick<ResolvedOptions, 'login'>) {
  const isAddress = byEmail && !byUsername
  const said = isAddress
    ? 'The email address of the account'
    : 'The username, or the email address of the account'
  // As long as an address may be.
  const username = text(
    maxEmailLength,
    byEmail ? said : 'The username',
    isAddress ? 'ada@example.org' : undefined,
  )
  return strictObject({ username, password, remember: Type.Optional(checkbox) })
}

/** The password, or one of the factors. */
export function confirmBody(factors: readonly { field: string; schema: object }[]): TObject {
  return withOptional(
    strictObject({ password: Type.Optional(password) }),
    Object.fromEntries(factors.map(({ field, schema }) => [field, schema])),
  )
}
/** Nothing, or what shows who made the account, or a new password. */
export function verifyBody(factors: readonly { field: string; schema: object }[]): TObject {
  const { new_password, confirm_password } = newPassword
  return withOptional(
    strictObject({
      password: Type.Optional(password),
      new_password: Type.Optional(new_password),
      confirm_password: Type.Optional(confirm_password),
    }),
    Object.fromEntries(factors.map(({ field, schema }) => [field, schema])),
  )
}
export const emailBody = strictObject({ email })
export const resetBody = strictObject(newPassword)
export const changePasswordBody = strictObject({
  // An account without a password has none to give.
  old_password: Type.Optional(password),
  ...newPassword,
})
export type LoginBody = Static<ReturnType<typeof loginBody>>
export type EmailBody = Static<typeof emailBody>
export type ResetBody = Static<typeof resetBody>
export type ChangePasswordBody = Static<typeof changePasswordBody>

// An empty one in a form counts as missing.
const optionalEmail = Type.String({
  maxLength: 2 * maxEmailLength,
  format: 'text',
  description: 'One plain email address',
})
const account = strictObject({
  username: Type.Optional(optionalName),
  email: Type.Optional(optionalEmail),
})
const passwordPair = { password, confirm_password: password }
/** A body with the username and the email address of an account. */
export type AccountBody = Static<typeof account>
const creation = strictObject({ ...account.properties, ...passwordPair })
export type CreateUserBody = Static<typeof creation>

/** @param fields your own */
export function createUserBody(
  fields: FieldsSchema | undefined,
  options: Pick<ResolvedOptions, 'requireEmailConfirmation' | 'names'>,
): TObject {
  return accountBody(fields, options, passwordPair)
}

/**
 * The body of a sign-up.
 * @param fields your own
 * @param proof what the new user logs in with
 */
export function accountBody(
  fields: FieldsSchema | undefined,
  { requireEmailConfirmation, names }: Pick<ResolvedOptions, 'requireEmailConfirmation' | 'names'>,
  proof: TProperties,
): TObject {
  const { username: optional, email: optionalAddress } = account.properties
  const ours: TObject = strictObject({
    ...(names === 'required' && { username }),
    ...(names === 'optional' && { username: optional }),
    ...proof,
    email: optionalAddress,
    ...((requireEmailConfirmation || names === 'none') && { email }),
  })
  return {
    ...ours,
    properties: { ...ours.properties, ...(propertiesOf(fields) as TProperties) },
    required: [...(ours.required ?? []), ...(fields?.required ?? [])],
  }
}

const nameChanges = {
  required: strictObject({ username: Type.Optional(username) }),
  optional: strictObject({ username: Type.Optional(orNull(username) as typeof username) }),
  none: strictObject({}),
}
export type ProfileBody = { username?: string | null }

/**
 * What users may change about themselves: all of it is optional, and no default may replace a value. `null`
 * removes a field that isn't required, as in a JSON Merge Patch (RFC 7396).
 * @param fields your own
 */
export function profileBody(fields: FieldsSchema | undefined, names: Names): TObject {
  const own = Object.entries(propertiesOf(fields)).map(([name, schema]) => {
    const { default: _, ...others } = schema as { default?: unknown }
    return [name, fields?.required?.includes(name) ? others : orNull(others)]
  })
  return withOptional(nameChanges[names], Object.fromEntries(own))
}

/** Next to a type if there is one: OpenAPI 3.0 can't express `null` otherwise. */
function orNull(schema: object): object {
  const { type, anyOf, const: constant, ...others }: Record<string, unknown> = { ...schema }
  if (Array.isArray(anyOf))
    return { ...schema, anyOf: anyOf.map((each, at) => (at === 0 ? orNull(each) : each)) }
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const values = constant === undefined ? others.enum : [constant]
  return { ...others, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}

/** Schema of the path parameters of a link. */
export const linkParams = Type.Object({ uid64: Type.String(), token: Type.String() })
export const sessionParams = Type.Object({ id: Type.String({ description: 'From the list' }) })
export const userParams = Type.Object({ pk: Type.String({ description: 'The id of a user' }) })
/** Path parameters of a link. */
export type LinkParams = Static<typeof linkParams>
export type SessionParams = Static<typeof sessionParams>
export type UserParams = Static<typeof userParams>

/** The sort orders of the list over HTTP; a minus reverses them. */
export const userOrders = { created_at: 'createdAt', username: 'usernameKey' } as const
type OrderName = keyof typeof userOrders

const flagFilters = {
  is_active: Type.Optional(Type.Boolean({ description: 'Only users who are active, or only others' })),
  is_staff: Type.Optional(Type.Boolean({ description: 'Only staff, or only others' })),
  is_verified: Type.Optional(
    Type.Boolean({ description: 'Only users whose email address is verified, or only others' }),
  ),
}
export interface ListQuery {
  limit: number
  cursor?: string
  search?: string
  is_active?: boolean
  is_staff?: boolean
  is_verified?: boolean
  order?: OrderName | `-${OrderName}`
  view?: 'public' | 'own'
}

/** The list's parameters. What the user store can't do is unknown, and so is sorting by an optional username. */
export function listQuery(abilities: readonly ListAbility[], usernames: Names): TObject {
  const names = Object.entries(userOrders).filter(
    ([, by]) => abilities.includes(by) && (by !== 'usernameKey' || usernames === 'required'),
  )
  const order = Type.Unsafe<string>({
    type: 'string',
    enum: names.flatMap(([name]) => [name, `-${name}`]),
    description: 'With a minus, in descending order',
  })
  return strictObject({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    ...(abilities.includes('prefix') && {
      search: Type.Optional(text(maxEmailLength, 'How a username begins, or an email address')),
    }),
    ...(abilities.includes('flags') && flagFilters),
    ...(names.length > 0 && { order: Type.Optional(order) }),
    view: Type.Optional(
      Type.Unsafe<string>({ type: 'string', enum: ['public', 'own'], description: 'Default: public' }),
    ),
  })
}

const ourUserChanges = strictObject({
  email: Type.Optional(email),
  is_active: Type.Optional(Type.Boolean()),
  is_staff: Type.Optional(Type.Boolean()),
  is_verified: Type.Optional(Type.Boolean()),
})
export type UserBody = ProfileBody & Static<typeof ourUserChanges>

/**
 * What users may change about others: as in `profileBody`, and more.
 * @param fields your own
 */
export function userBody(fields: FieldsSchema | undefined, names: Names): TObject {
  return withOptional(profileBody(fields, names), ourUserChanges.properties)
}

/** For request input: other fields are rejected. */
function strictObject<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false })
}
