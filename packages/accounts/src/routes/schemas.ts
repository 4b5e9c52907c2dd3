import { maxEmailLength } from '../identifiers/email.js'
import { maxUsernameLength } from '../identifiers/username.js'
import { withoutDefaults } from '../options/own-fields.js'
import type { ListedSession } from '../sessions/session-list.js'
import type { FieldsSchema } from '../user.js'
import {
  array,
  boolean,
  booleanOr,
  integer,
  nullable,
  type ObjectSchema,
  object,
  type Properties,
  record,
  type Schema,
  strictObject,
  string,
} from './json-schema.js'

/** What a password may have in code points before the policy is asked: it bounds the work of normalising. */
const maxPasswordInput = 1024

// The format is checked by routes/validation.ts: well-formed Unicode without NUL.
const text = (maxLength: number, description: string): Schema<string> =>
  string({ minLength: 1, maxLength, format: 'text', description })

const username = text(maxUsernameLength, 'Letters, digits and @ . + - _')
const password = text(maxPasswordInput, 'Never trimmed or cut')
// White space around an address is trimmed by the service, hence more room here.
const email = text(2 * maxEmailLength, 'One plain e-mail address')

// A checkbox of a form sends a text.
const remember = booleanOr('on', 'true', 'false')
export interface LoginBody {
  username: string
  password: string
  remember?: boolean | 'on' | 'true' | 'false'
}
export interface ConfirmPasswordBody {
  password: string
}
export interface EmailBody {
  email: string
}
export interface ResetBody {
  new_password: string
  confirm_password: string
}
export interface ChangePasswordBody extends ResetBody {
  old_password: string
}
const newPassword = { new_password: password, confirm_password: password }
export const loginBody: Schema<LoginBody> = strictObject({ username, password }, { remember })
export const confirmPasswordBody: Schema<ConfirmPasswordBody> = strictObject({ password })
export const emailBody: Schema<EmailBody> = strictObject({ email })
export const resetBody: Schema<ResetBody> = strictObject(newPassword)
export const changePasswordBody: Schema<ChangePasswordBody> = strictObject({
  old_password: password,
  ...newPassword,
})

// An empty one in a form is none.
const optionalEmail = string({
  maxLength: 2 * maxEmailLength,
  format: 'text',
  description: 'One plain e-mail address',
})
const creation = { username, password, confirm_password: password }

/** @param fields the integrator's own */
export function createUserBody(fields: FieldsSchema | undefined, requireEmail: boolean): ObjectSchema {
  const ours = requireEmail
    ? strictObject({ ...creation, email })
    : strictObject(creation, { email: optionalEmail })
  return {
    ...ours,
    properties: { ...ours.properties, ...propertiesOf(fields) },
    required: [...(ours.required ?? []), ...(fields?.required ?? [])],
  }
}
/**
 * What people may change of themselves: all of it may be left out, and no default may then take the place of a value.
 * `null` takes a field away that nobody needs to have, as in a JSON Merge Patch (RFC 7396).
 * @param fields the integrator's own
 */
export function profileBody(fields: FieldsSchema | undefined): ObjectSchema {
  const own = Object.entries(propertiesOf(fields)).map(([name, schema]) => {
    const { default: _, ...others } = schema as { default?: unknown }
    return [name, fields?.required?.includes(name) ? others : orNull(others)]
  })
  return strictObject({}, { username, ...Object.fromEntries(own) })
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

export type ProfileBody = { username?: string }
export interface CreateUserBody {
  username: string
  password: string
  confirm_password: string
  email?: string
}
export const createUserFields: readonly string[] = [...Object.keys(creation), 'email']

export interface LinkParams {
  uid64: string
  token: string
}
export interface SessionParams {
  id: string
}
export interface UserParams {
  pk: string
}
export const linkParams: Schema<LinkParams> = object({ uid64: string(), token: string() })
export const sessionParams: Schema<SessionParams> = object({
  id: string({ description: 'From the list' }),
})
export const userParams: Schema<UserParams> = object({ pk: string({ description: 'The id of a user' }) })

export interface ListQuery {
  limit: number
  cursor?: string
  search?: string
}
export const listQuery: Schema<ListQuery> = strictObject(
  { limit: integer({ minimum: 1, maximum: 100, default: 50 }) },
  {
    cursor: string({ minLength: 1, maxLength: 1024 }),
    search: text(maxEmailLength, 'How a username begins, or an e-mail address'),
  },
)

export interface UserFlagsBody {
  is_active?: boolean
  is_staff?: boolean
}
export const userFlagsBody: Schema<UserFlagsBody> = strictObject(
  {},
  { is_active: boolean, is_staff: boolean },
)

export const detailReply: Schema<{ detail: string }> = object({ detail: string() })
export const resetLinkReply: Schema<{ valid: boolean }> = object({ valid: boolean })
export const verifyReply: Schema<{ valid: boolean; verified: boolean; username: string }> = object({
  valid: boolean,
  verified: boolean,
  username: string(),
})
export const passwordLengthsReply: Schema<{ min_length: number; max_length: number }> = object({
  min_length: integer({ description: 'Code points' }),
  max_length: integer({ description: 'Code points' }),
})
export const noReply: Schema<null> = { type: 'null', description: 'No content' }

const ownProperties = {
  id: string(),
  username: string(),
  email: nullable(),
  is_verified: boolean,
  is_staff: boolean,
  is_active: boolean,
  created_at: string({ format: 'date-time' }),
  last_login_at: nullable({ format: 'date-time' }),
}

export function ownUserReply(fields: FieldsSchema | undefined): ObjectSchema {
  return withOptional(object(ownProperties), withoutDefaults(propertiesOf(fields)))
}

export function publicUserReply(
  fields: FieldsSchema | undefined,
  publicFields: readonly string[],
): ObjectSchema {
  const { id, username, ...others } = ownProperties
  const shown = Object.entries({ ...others, ...withoutDefaults(propertiesOf(fields)) }).filter(([name]) =>
    publicFields.includes(name),
  )
  return withOptional(object({ id, username }), Object.fromEntries(shown))
}

const time = string({ format: 'date-time' })
const textOrNull = nullable()
const listedSession: Schema<ListedSession> = object({
  id: string(),
  created_at: time,
  last_seen_at: time,
  expires_at: time,
  browser: textOrNull,
  system: textOrNull,
  ip: textOrNull,
  current: boolean,
})
export const sessionListReply: Schema<{ results: ListedSession[] }> = object({
  results: array(listedSession),
})

export function userListReply(publicUser: ObjectSchema): ObjectSchema {
  return object({ results: array(publicUser), next: nullable() })
}

export const apiRootReply: Schema<Record<string, { methods: string[]; href: string }>> = record(
  object({ methods: array(string()), href: string() }),
)

/** Fastify takes JSON Schema, whoever wrote it. */
function propertiesOf(fields: FieldsSchema | undefined): Properties {
  return fields?.properties ?? {}
}

/** More properties, none of them required: a user who was created before a field was declared does not have it. */
function withOptional(schema: ObjectSchema, properties: Properties): ObjectSchema {
  return { ...schema, properties: { ...schema.properties, ...properties } }
}
