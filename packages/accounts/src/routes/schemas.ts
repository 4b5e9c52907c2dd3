import { type Static, type TObject, type TSchema, type TString, Type } from '@sinclair/typebox'
import { maxEmailLength } from '../identifiers/email.js'
import { maxUsernameLength } from '../identifiers/username.js'

/** What a password may have in code points before the policy is asked: it bounds the work of normalising. */
const maxPasswordInput = 1024

// The format is checked by routes/validation.ts: well-formed Unicode without NUL.
const text = (maxLength: number, description: string): TString =>
  Type.String({ minLength: 1, maxLength, format: 'text', description })

const username = text(maxUsernameLength, 'Letters, digits and @ . + - _')
const password = text(maxPasswordInput, 'Never trimmed or cut')
// White space around an address is trimmed by the service, hence more room here.
const email = text(2 * maxEmailLength, 'One plain e-mail address')
const body = { additionalProperties: false }

// A checkbox of a form sends a text.
const remember = Type.Optional(
  Type.Union([Type.Boolean(), Type.Literal('on'), Type.Literal('true'), Type.Literal('false')]),
)
export const loginBody = Type.Object({ username, password, remember }, body)
export const confirmPasswordBody = Type.Object({ password }, body)
export const emailBody = Type.Object({ email }, body)
export const resetBody = Type.Object({ new_password: password, confirm_password: password }, body)
export const changePasswordBody = Type.Object(
  { old_password: password, new_password: password, confirm_password: password },
  body,
)
export type LoginBody = Static<typeof loginBody>
export type ConfirmPasswordBody = Static<typeof confirmPasswordBody>
export type EmailBody = Static<typeof emailBody>
export type ResetBody = Static<typeof resetBody>
export type ChangePasswordBody = Static<typeof changePasswordBody>

const optionalEmail = Type.Optional(
  Type.String({ maxLength: 2 * maxEmailLength, format: 'text', description: 'One plain e-mail address' }),
)
const creation = { username, password, confirm_password: password }

/** @param fields the integrator's own */
export function createUserBody(fields: TObject | undefined, requireEmail: boolean): TObject {
  const ours = Type.Object({ ...creation, email: requireEmail ? email : optionalEmail }, body)
  return {
    ...ours,
    properties: { ...ours.properties, ...fields?.properties },
    required: [...(ours.required ?? []), ...(fields?.required ?? [])],
  }
}
/**
 * What people may change of themselves: all of it may be left out, and no default may then take the place of a value.
 * @param fields the integrator's own
 */
export function profileBody(fields: TObject | undefined): TObject {
  const own = Object.entries(fields?.properties ?? {}).map(([name, { default: _, ...schema }]) => [
    name,
    schema,
  ])
  return {
    ...Type.Object({ username: Type.Optional(username) }, body),
    properties: { username, ...Object.fromEntries(own) },
  }
}
export type ProfileBody = { username?: string }
export interface CreateUserBody {
  username: string
  password: string
  confirm_password: string
  email?: string
}
export const createUserFields: readonly string[] = [...Object.keys(creation), 'email']

export const linkParams = Type.Object({ uid64: Type.String(), token: Type.String() })
export type LinkParams = Static<typeof linkParams>
export const sessionParams = Type.Object({ id: Type.String({ description: 'From the list' }) })
export type SessionParams = Static<typeof sessionParams>
export const userParams = Type.Object({ pk: Type.String({ description: 'The id of a user' }) })
export type UserParams = Static<typeof userParams>

export const listQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    search: Type.Optional(text(maxEmailLength, 'How a username begins, or an e-mail address')),
  },
  body,
)
export type ListQuery = Static<typeof listQuery>

export const userFlagsBody = Type.Object(
  { is_active: Type.Optional(Type.Boolean()), is_staff: Type.Optional(Type.Boolean()) },
  body,
)
export type UserFlagsBody = Static<typeof userFlagsBody>

export const detailReply = Type.Object({ detail: Type.String() })
export const resetLinkReply = Type.Object({ valid: Type.Boolean() })
export const resetDoneReply = Type.Object({ detail: Type.String() })
export const verifyReply = Type.Object({
  valid: Type.Boolean(),
  verified: Type.Boolean(),
  username: Type.String(),
})
export const passwordLengthsReply = Type.Object({
  min_length: Type.Integer({ description: 'Code points' }),
  max_length: Type.Integer({ description: 'Code points' }),
})
export const noReply = Type.Null({ description: 'No content' })

// A union would have each answer validated to find out which it is.
const nullable = (format?: string): TSchema =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(format && { format }) })

const ownProperties = {
  id: Type.String(),
  username: Type.String(),
  email: nullable(),
  is_verified: Type.Boolean(),
  is_staff: Type.Boolean(),
  is_active: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  last_login_at: nullable('date-time'),
}

export function ownUserReply(fields: TObject | undefined): TObject {
  return withOptional(Type.Object(ownProperties), fields?.properties ?? {})
}

export function publicUserReply(fields: TObject | undefined, publicFields: readonly string[]): TObject {
  const { id, username, ...others } = ownProperties
  const shown = Object.entries({ ...others, ...fields?.properties }).filter(([name]) =>
    publicFields.includes(name),
  )
  return withOptional(Type.Object({ id, username }), Object.fromEntries(shown))
}

const time = Type.String({ format: 'date-time' })
const textOrNull = Type.Union([Type.String(), Type.Null()])
export const sessionListReply = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      created_at: time,
      last_seen_at: time,
      expires_at: time,
      browser: textOrNull,
      system: textOrNull,
      ip: textOrNull,
      current: Type.Boolean(),
    }),
  ),
})

export function userListReply(publicUser: TObject): TObject {
  return Type.Object({ results: Type.Array(publicUser), next: nullable() })
}

export const apiRootReply = Type.Record(
  Type.String(),
  Type.Object({ methods: Type.Array(Type.String()), href: Type.String() }),
)

/** More properties, none of them required: a user who was created before a field was declared does not have it. */
function withOptional(schema: TObject, properties: TObject['properties']): TObject {
  return { ...schema, properties: { ...schema.properties, ...properties } }
}
