import type { SchemaOptions, TUnsafe } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { ListedSession } from '../../sessions/session-list.js'
import { named } from '../openapi/openapi-components.js'
import type { SchemaOf } from '../openapi/schema-of.js'

/** Schema of a response with a text. */
export const detailReply = named('Detail', Type.Object({ detail: Type.String() }))
/** Schema of the response to a valid link. */
export const linkReply = named('ValidLink', Type.Object({ valid: Type.Boolean() }))
const toSetUpAgain = {
  passkeys: Type.Integer(),
  apps: Type.Integer({ description: 'Authenticator apps' }),
  recovery_codes: Type.Integer(),
  identities: Type.Integer({ description: 'Logins with other providers' }),
  api_keys: Type.Integer(),
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
const valid = { valid: Type.Boolean(), verified: Type.Boolean() }
const jsonOnly = { description: 'For `Accept: application/json`' }
const opened = { valid: Type.Boolean(), verified: Type.Optional(Type.Boolean(jsonOnly)) }
/** By `users.names`. */
export const verifyReplies = {
  required: named('Verification', Type.Object({ ...valid, username: Type.String() })),
  optional: named('Verification', Type.Object({ ...valid, username: nullable() })),
  none: named('Verification', Type.Object(valid)),
}
/** For a verification link that was opened; the last two only if JSON was requested by name. By `users.names`. */
export const openedReplies = {
  required: named(
    'OpenedVerification',
    Type.Object({ ...opened, username: Type.Optional(Type.String(jsonOnly)) }),
  ),
  optional: named(
    'OpenedVerification',
    Type.Object({ ...opened, username: Type.Optional(nullable(jsonOnly)) }),
  ),
  none: named('OpenedVerification', Type.Object(opened)),
}
export const passwordLengthsReply = named(
  'PasswordLengths',
  Type.Object({
    min_length: Type.Integer({ description: 'Code points' }),
    max_length: Type.Integer({ description: 'Code points' }),
  }),
)
const accessToken = {
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
}
const withTokens = {
  description: 'With `Accounts-Delivery: tokens`, or if the request had an access token',
}
/** Schema of what a client gets instead of a cookie (RFC 6749 section 5.1), where nothing refreshes it. */
export const accessTokenReply = named('Tokens', Type.Object(accessToken, withTokens))
export const onlyAccessTokenReply = named('OnlyTokens', Type.Object({ tokens: accessTokenReply }))
/** The same with refresh tokens. */
export const tokensReply = named(
  'Tokens',
  Type.Object(
    {
      ...accessToken,
      refresh_token: Type.Optional(
        Type.String({
          description:
            'Absent if the request continues a session and neither proves who sends it nor has `Accounts-Refresh`',
        }),
      ),
      refresh_expires_in: Type.Optional(Type.Integer({ description: 'Seconds' })),
    },
    withTokens,
  ),
)
export const onlyTokensReply = named('OnlyTokens', Type.Object({ tokens: tokensReply }))
/** Schema of a response without a body. */
export const noReply = Type.Null({ description: 'No content' })

const time = Type.String({ format: 'date-time' })
/** What users see of themselves, besides their id and name. */
export const ownView = Type.Object({
  email: nullable(),
  is_verified: Type.Boolean(),
  is_staff: Type.Boolean(),
  is_active: Type.Boolean(),
  has_password: Type.Boolean({ description: '`false` if the account can only log in in other ways' }),
  created_at: time,
  last_login_at: nullable({ format: 'date-time' }),
})

/** The same with the option `roles`. */
export const rolesView = Type.Object({
  ...ownView.properties,
  roles: Type.Array(Type.String(), { description: 'May have roles that the service no longer has' }),
})

/** Who a user is. By `users.names`. */
export const identityReplies = {
  required: Type.Object({ id: Type.String(), username: Type.String() }),
  optional: Type.Object({ id: Type.String(), username: nullable() }),
  none: Type.Object({ id: Type.String() }),
}

const listedSession = named(
  'Session',
  Type.Object({
    id: Type.String(),
    created_at: time,
    last_seen_at: time,
    expires_at: time,
    name: nullable({ description: 'Of the device, if an app with tokens has named it' }),
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

/** A page of any users. */
export const userPage = named(
  'UserPage',
  Type.Object({ results: Type.Array(Type.Unknown()), next: nullable() }),
)

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
  {
    statusCode: anything,
    code: anything,
    reason: anything,
    error: anything,
    message: anything,
    fields: anything,
    factors: anything,
    provider: anything,
  },
  { additionalProperties: true },
)

/** A string or null; with a union, each response would be validated to find out which it is. */
function nullable(options: SchemaOptions = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
}
