import type { SchemaOptions, Static, TObject, TProperties, TSchema, TUnsafe } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { maxEmailLength } from '../identifiers/email.js'
import { maxUsernameLength } from '../identifiers/username.js'
import { withoutDefaults } from '../options/own-fields.js'
import type { ListedSession } from '../sessions/session-list.js'
import type { FieldsSchema } from '../user.js'

/** What a password may have in code points before the policy is asked: it bounds the work of normalising. */
const maxPasswordInput = 1024

// The format is checked by routes/validation.ts: well-formed Unicode without NUL.
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'text', description })

const username = text(maxUsernameLength, 'Letters, digits and @ . + - _')
const password = text(maxPasswordInput, 'Never trimmed or cut')
// White space around an address is trimmed by the service, hence more room here.
const email = text(2 * maxEmailLength, 'One plain e-mail address')

// A checkbox of a form sends a text.
const remember = Type.Union([Type.Boolean(), Type.Literal('on'), Type.Literal('true'), Type.Literal('false')])
const newPassword = { new_password: password, confirm_password: password }

// As long as an address may be.
const loginName = text(maxEmailLength, 'The username, or the e-mail address of the account')

export const loginBody = strictObject({ username: loginName, password, remember: Type.Optional(remember) })
export const confirmPasswordBody = strictObject({ password })
export const emailBody = strictObject({ email })
export const resetBody = strictObject(newPassword)
export const changePasswordBody = strictObject({ old_password: password, ...newPassword })
export type LoginBody = Static<typeof loginBody>
export type ConfirmPasswordBody = Static<typeof confirmPasswordBody>
export type EmailBody = Static<typeof emailBody>
export type ResetBody = Static<typeof resetBody>
export type ChangePasswordBody = Static<typeof changePasswordBody>

// An empty one in a form is none.
const optionalEmail = Type.String({
  maxLength: 2 * maxEmailLength,
  format: 'text',
  description: 'One plain e-mail address',
})
const creation = strictObject({
  username,
  password,
  confirm_password: password,
  email: Type.Optional(optionalEmail),
})
export type CreateUserBody = Static<typeof creation>
export const createUserFields: readonly string[] = Object.keys(creation.properties)

/** @param fields the integrator's own */
export function createUserBody(fields: FieldsSchema | undefined, requireEmail: boolean): TObject {
  const ours = requireEmail ? strictObject({ ...creation.properties, email }) : creation
  return {
    ...ours,
    properties: { ...ours.properties, ...(propertiesOf(fields) as TProperties) },
    required: [...(ours.required ?? []), ...(fields?.required ?? [])],
  }
}

const ourChanges = strictObject({ username: Type.Optional(username) })
export type ProfileBody = Static<typeof ourChanges>

/**
 * What people may change of themselves: all of it may be left out, and no default may then take the place of a value.
 * `null` takes a field away that nobody needs to have, as in a JSON Merge Patch (RFC 7396).
 * @param fields the integrator's own
 */
export function profileBody(fields: FieldsSchema | undefined): TObject {
  const own = Object.entries(propertiesOf(fields)).map(([name, schema]) => {
    const { default: _, ...others } = schema as { default?: unknown }
    return [name, fields?.required?.includes(name) ? others : orNull(others)]
  })
  return withOptional(ourChanges, Object.fromEntries(own))
}

/** Beside a type where there is one: documents of OpenAPI 3.0 know `null` no other way. */
function orNull(schema: object): object {
  const { type, anyOf, const: constant, ...others }: Record<string, unknown> = { ...schema }
  if (Array.isArray(anyOf))
    return { ...schema, anyOf: anyOf.map((each, at) => (at === 0 ? orNull(each) : each)) }
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const values = constant === undefined ? others.enum : [constant]
  return { ...others, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}

export const linkParams = Type.Object({ uid64: Type.String(), token: Type.String() })
export const sessionParams = Type.Object({ id: Type.String({ description: 'From the list' }) })
export const userParams = Type.Object({ pk: Type.String({ description: 'The id of a user' }) })
export type LinkParams = Static<typeof linkParams>
export type SessionParams = Static<typeof sessionParams>
export type UserParams = Static<typeof userParams>

export const listQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  search: Type.Optional(text(maxEmailLength, 'How a username begins, or an e-mail address')),
})
export type ListQuery = Static<typeof listQuery>

export const userFlagsBody = strictObject({
  is_active: Type.Optional(Type.Boolean()),
  is_staff: Type.Optional(Type.Boolean()),
})
export type UserFlagsBody = Static<typeof userFlagsBody>

export const detailReply = Type.Object({ detail: Type.String() })
export const resetLinkReply = Type.Object({ valid: Type.Boolean() })
export const verifyReply = Type.Object({
  valid: Type.Boolean(),
  verified: Type.Boolean(),
  username: Type.String(),
})
/** Of a verification link that was opened; the last two where JSON was asked for by name. */
export const openedReply = Type.Object({
  valid: Type.Boolean(),
  verified: Type.Optional(Type.Boolean({ description: 'For `Accept: application/json`' })),
  username: Type.Optional(Type.String({ description: 'For `Accept: application/json`' })),
})
export const passwordLengthsReply = Type.Object({
  min_length: Type.Integer({ description: 'Code points' }),
  max_length: Type.Integer({ description: 'Code points' }),
})
export const noReply = Type.Null({ description: 'No content' })

const time = Type.String({ format: 'date-time' })
const ownProperties = {
  id: Type.String(),
  username: Type.String(),
  email: nullable(),
  is_verified: Type.Boolean(),
  is_staff: Type.Boolean(),
  is_active: Type.Boolean(),
  created_at: time,
  last_login_at: nullable({ format: 'date-time' }),
}

export function ownUserReply(fields: FieldsSchema | undefined): TObject {
  return withOptional(Type.Object(ownProperties), withoutDefaults(propertiesOf(fields)))
}

export function publicUserReply(fields: FieldsSchema | undefined, publicFields: readonly string[]): TObject {
  const { id, username, ...others } = ownProperties
  const shown = Object.entries({ ...others, ...withoutDefaults(propertiesOf(fields)) }).filter(([name]) =>
    publicFields.includes(name),
  )
  return withOptional(Type.Object({ id, username }), Object.fromEntries(shown))
}

const listedSession = Type.Object({
  id: Type.String(),
  created_at: time,
  last_seen_at: time,
  expires_at: time,
  browser: nullable(),
  system: nullable(),
  ip: nullable(),
  current: Type.Boolean(),
})
export const sessionListReply = Type.Object({
  results: Type.Array(listedSession satisfies SchemaOf<ListedSession, typeof listedSession>),
})

export function userListReply(publicUser: TObject): TObject {
  return Type.Object({ results: Type.Array(publicUser), next: nullable() })
}

export const apiRootReply = Type.Record(
  Type.String(),
  Type.Object({ methods: Type.Array(Type.String()), href: Type.String() }),
)

const anything = Type.Optional(Type.Unknown())
/**
 * A refusal. It describes nothing away: a host's error handler may send what it likes. But where that sends the error
 * itself, Fastify writes out what the schema of the answer names, and without one it drops the fields.
 */
export const errorReply = Type.Object(
  { statusCode: anything, code: anything, error: anything, message: anything, fields: anything },
  { additionalProperties: true },
)

/** `never` where what the schema describes is not a `T` to the letter. */
type SchemaOf<T, Schema extends TSchema> =
  (<U>() => U extends Static<Schema> ? 1 : 2) extends <U>() => U extends T ? 1 : 2 ? Schema : never

/** Of what a route is given: other fields are refused. */
function strictObject<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false })
}

/** A text or nothing; a union would have each answer validated to find out which it is. */
function nullable(options: SchemaOptions = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
}

/** More properties, none of them required: a user who was created before a field was declared does not have it. */
function withOptional(schema: TObject, properties: FieldsSchema['properties']): TObject {
  return { ...schema, properties: { ...schema.properties, ...(properties as TProperties) } }
}

/** Fastify takes JSON Schema, whoever wrote it. */
function propertiesOf(fields: FieldsSchema | undefined): FieldsSchema['properties'] {
  return fields?.properties ?? {}
}
