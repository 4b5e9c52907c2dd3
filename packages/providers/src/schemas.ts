import type { Static, TUnsafe } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { checkbox, named } from 'fastify-accounts/features'

const strict = { additionalProperties: false }
const next = Type.String({
  minLength: 1,
  maxLength: 1000,
  format: 'text',
  description: 'Where the browser goes afterwards: a path of the site, or a URL on it or on a trusted origin',
})
export const providerParams = Type.Object({
  provider: Type.String({ description: 'The name of the provider' }),
})
export const identityParams = Type.Object({
  id: Type.String({ description: 'The id of an identity, from the list; or the name of a provider to link' }),
})
export const loginWithBody = Type.Object(
  {
    next: Type.Optional(next),
    remember: Type.Optional(checkbox),
    from_page: Type.Optional(
      Type.Unsafe<boolean | 'on' | 'true' | 'false'>({
        ...checkbox,
        description:
          'For the forms of our own pages, whose policy stops redirects: a page moves the browser on',
      }),
    ),
  },
  strict,
)
export const linkBody = Type.Object({ next: Type.Optional(next) }, strict)
const idToken = {
  id_token: Type.String({ minLength: 1, maxLength: 8192, description: "From the provider's SDK, unused" }),
  nonce: Type.String({
    minLength: 22,
    maxLength: 200,
    format: 'text',
    description: 'Random: the SDK was given its SHA-256, in lower-case hex',
  }),
  user: Type.Optional(
    Type.String({
      maxLength: 1000,
      format: 'text',
      description: "JSON that comes beside the ID token: Apple's `{ name: { firstName, lastName } }`",
    }),
  ),
}
export const idTokenBody = Type.Object(idToken, strict)
export const loginTokenBody = Type.Object({ ...idToken, remember: Type.Optional(checkbox) }, strict)
/** More parameters, which a library for OAuth 2 sends, are ignored (RFC 6749 section 3.1). */
export const appLoginQuery = Type.Object({
  redirect_uri: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Where the browser goes at the end: one of `appRedirectUris`',
  }),
  code_challenge: Type.String({
    pattern: '^[\\w-]{43}$',
    description: 'The SHA-256 of a random text that only the app has, in base64url (RFC 7636)',
  }),
  code_challenge_method: Type.Literal('S256'),
  state: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[\\x20-\\x7e]*$',
    description: 'Of the app, returned as it is',
  }),
})
export const codeBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 4096 }),
    code_verifier: Type.String({
      pattern: '^[\\w.~-]{43,128}$',
      description: 'The random text behind `code_challenge`',
    }),
  },
  strict,
)
/** One of the two. */
export const claimBody = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        format: 'text',
        description: 'Of the account, which is then kept',
      }),
    ),
    start_afresh: Type.Optional(checkbox),
  },
  strict,
)

const parameter = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
/** The fields a provider makes the browser post; others are ignored. */
export const formPostBody = Type.Object({
  code: parameter(4096),
  state: parameter(100),
  iss: parameter(1000),
  error: parameter(200),
  error_description: parameter(1000),
  user: parameter(1000),
})

export const locationReply = named(
  'ProviderPage',
  Type.Object({
    location: Type.String({ description: "The provider's page that the browser must open" }),
  }),
)

export const appLoginReply = named(
  'AppLogin',
  Type.Object({ provider: Type.String({ description: "The provider's display name" }) }),
)

export const claimReply = named(
  'Claim',
  Type.Object({
    provider: Type.String({ description: 'The name of the provider that proved the address' }),
    email: Type.String(),
    created_at: Type.String({
      format: 'date-time',
      description: 'When someone made the account at this address',
    }),
    has_password: Type.Boolean({ description: 'Whether its password can be given to keep it' }),
  }),
)

const maybe = (options: object = {}): TUnsafe<string | null> =>
  Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
const identityReply = named(
  'Identity',
  Type.Object({
    id: Type.String(),
    provider: maybe({ description: "The provider's name; null if it is no longer configured" }),
    label: maybe({ description: 'What its owner knows it by, such as the email address there' }),
    created_at: maybe({ format: 'date-time' }),
    last_used_at: maybe({ format: 'date-time' }),
  }),
)
/** An identity as its owner sees it over HTTP. */
export type ListedIdentity = Static<typeof identityReply>
export const identityListReply = named('IdentityList', Type.Object({ results: Type.Array(identityReply) }))
