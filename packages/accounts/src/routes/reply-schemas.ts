import type { SchemaOptions, Static, TObject, TSchema, TUnsafe } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { withoutDefaults } from '../options/own-fields.js'
import type { ListedSession } from '../sessions/session-list.js'
import type { FieldsSchema } from '../user.js'
import { type Names, propertiesOf, withOptional } from './field-schemas.js'
import { named } from './openapi-components.js'

/** Schema of a response with a text. */
export const detailReply = named('Detail', Type.Object({ detail: Type.String() }))
/** Schema of the response to a valid link. */
export const linkReply = named('ValidLink', Type.Object({ valid: Type.Boolean() }))
const toSetUpAgain = {
  passkeys: Type.Integer(),
  apps: Type.Integer({ description: 'Authenticator apps' }),
  recovery_codes: Type.Integer(),
  identities: Type.Integer({ description: 'Logins with other providers' }),
}
const removedCounts = named(
  'Removed',
  Type.Object(
    {
      ...toSetUpAgain,
      remembered_devices: Type.Integer({ description: 'Devices that skip the second factor' }),
    },
    { description: 'How many of each; absent if there is nothing' },
  ),
)
/** The same for a link that also removes ways to log in, and the response once it has. */
export const removingLinkReply = named(
  'ValidRemovalLink',
  Type.Object({ valid: Type.Boolean(), removes: Type.Optional(removedCounts) }),
)
export const removedReply = named(
  'RemovalDetail',
  Type.Object({ detail: Type.String(), removed: Type.Optional(removedCounts) }),
)
/** Schema of what the owner can set up again. */
export const removedViewReply = Type.Union(
  [Type.Object({ removed_at: Type.String({ format: 'date-time' }), ...toSetUpAgain }), Type.Null()],
  { description: 'What was removed when the account was secured, until something is set up again' },
)
const verification = Type.Object({
  valid: Type.Boolean(),
  verified: Type.Boolean(),
  username: Type.Optional(nullable()),
})
/** An option decides whether `username` exists and may be null, which no single schema type expresses. */
export function verifyReply(names: Names): typeof verification {
  const { valid, verified } = verification.properties
  const schema = Type.Object({ valid, verified, ...nameIn(names) })
  return named('Verification', schema) as unknown as typeof verification
}
/** For a verification link that was opened; the last two only if JSON was requested by name. */
export function openedReply(names: Names): TObject {
  const asked = { description: 'For `Accept: application/json`' }
  const { username } = nameIn(names, asked)
  return named(
    'OpenedVerification',
    Type.Object({
      valid: Type.Boolean(),
      verified: Type.Optional(Type.Boolean(asked)),
      ...(username && { username: Type.Optional(username) }),
    }),
  )
}
export const passwordLengthsReply = named(
  'PasswordLengths',
  Type.Object({
    min_length: Type.Integer({ description: 'Code points' }),
    max_length: Type.Integer({ description: 'Code points' }),
  }),
)
/** Schema of a response without a body. */
export const noReply = Type.Null({ description: 'No content' })

const time = Type.String({ format: 'date-time' })
const ownProperties = {
  email: nullable(),
  is_verified: Type.Boolean(),
  is_staff: Type.Boolean(),
  is_active: Type.Boolean(),
  has_password: Type.Boolean({ description: '`false` if the account can only log in in other ways' }),
  created_at: time,
  last_login_at: nullable({ format: 'date-time' }),
}

/** Schema of the user as they see themselves. */
export function ownUserReply(fields: FieldsSchema | undefined, names: Names): TObject {
  const ours = { id: Type.String(), ...nameIn(names), ...ownProperties }
  return named('User', withOptional(Type.Object(ours), withoutDefaults(propertiesOf(fields))))
}

export function publicUserReply(
  fields: FieldsSchema | undefined,
  publicFields: readonly string[],
  names: Names,
): TObject {
  const shown = Object.entries({ ...ownProperties, ...withoutDefaults(propertiesOf(fields)) }).filter(
    ([name]) => publicFields.includes(name),
  )
  return withOptional(Type.Object({ id: Type.String(), ...nameIn(names) }), Object.fromEntries(shown))
}

/** For a user in one of the two views, which says itself what it contains. */
export function shownUserReply(
  fields: FieldsSchema | undefined,
  publicFields: readonly string[],
  names: Names,
): TObject {
  const { required = [] } = publicUserReply(fields, publicFields, names)
  return named('PublicUser', { ...ownUserReply(fields, names), required })
}

/** The username of an account in a response: none if usernames are off. */
function nameIn(names: Names, options: SchemaOptions = {}): { username?: TSchema } {
  if (names === 'none') return {}
  return { username: names === 'optional' ? nullable(options) : Type.String(options) }
}

const listedSession = named(
  'Session',
  Type.Object({
    id: Type.String(),
    created_at: time,
    last_seen_at: time,
    expires_at: time,
    browser: nullable(),
    system: nullable(),
    ip: nullable(),
    current: Type.Boolean(),
  }),
)
export const sessionListReply = named(
  'SessionList',
  Type.Object({
    results: Type.Array(listedSession satisfies SchemaOf<ListedSession, typeof listedSession>),
  }),
)

export function userListReply(publicUser: TObject): TObject {
  return named('UserPage', Type.Object({ results: Type.Array(publicUser), next: nullable() }))
}

export const apiRootReply = named(
  'RouteIndex',
  Type.Record(Type.String(), Type.Object({ methods: Type.Array(Type.String()), href: Type.String() })),
)

const anything = Type.Optional(Type.Unknown())
/**
 * An error. The schema restricts nothing, because a host's error handler may send anything. But if it sends
 * the error itself, Fastify serializes the fields named by the response schema, and without one drops them.
 */
export const errorReply = Type.Object(
  { statusCode: anything, code: anything, error: anything, message: anything, fields: anything },
  { additionalProperties: true },
)

/** `never` unless the schema describes exactly a `T`. */
type SchemaOf<T, Schema extends TSchema> =
  (<U>() => U extends Static<Schema> ? 1 : 2) extends <U>() => U extends T ? 1 : 2 ? Schema : never

/** A string or null; with a union, each response would be validated to find out which it is. */
function nullable(options: SchemaOptions = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
}
