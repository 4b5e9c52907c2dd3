import type { AccountUser } from 'fastify-accounts'

/** A provider that users log in with: an OpenID Connect issuer, or an OAuth 2 server with a `profile`. */
export interface Provider {
  /** Its name in paths: lower-case letters, digits and `-`. Unique among the providers of a mount. */
  name: string
  /** The display name: `Google`. Default: `name`. */
  label?: string | undefined
  /** The issuer's URL, as in its discovery document. `http` only on loopback, and not in production. */
  issuer: string
  clientId: string
  /** A function is called before each use, for secrets that expire. Default: none, for a public client. */
  clientSecret?: string | (() => string | Promise<string>) | undefined
  /** How the client secret is sent. Default: `client_secret_post`, unless the issuer does not accept that. */
  clientAuth?: 'client_secret_post' | 'client_secret_basic' | undefined
  /** Default `['openid', 'email', 'profile']`. */
  scopes?: readonly string[] | undefined
  /** Parameters of the authorization request: `{ prompt: 'select_account' }`. Default: none. */
  parameters?: Readonly<Record<string, string>> | undefined
  /**
   * For an OAuth 2 server without discovery, which must have a `profile`. `iss` is its own name in the response to
   * the browser (RFC 9207), if that isn't `issuer`. Default: discovered.
   */
  endpoints?: { authorization: string; token: string; iss?: string | undefined } | undefined
  /**
   * Protections that the provider doesn't support: it sends no `nonce` in its ID tokens, or rejects the `code_verifier` of
   * PKCE. Default: none, both are used.
   */
  lacks?: readonly ('nonce' | 'pkce')[] | undefined
  /**
   * Which addresses this provider vouches for: all, or those at these domains. Only an address that it calls verified,
   * and is authoritative for, links an identity to an account. Default: none.
   */
  authoritativeFor?: true | readonly string[] | ((email: string, claims: Claims) => boolean) | undefined
  /** Values of `acr` and `amr` in the ID token that count as two factors: no second one is required then. Default: none. */
  enough?: { acr?: readonly string[] | undefined; amr?: readonly string[] | undefined } | undefined
  /**
   * Reads the identity from the provider's response. Its own `email` is verified only if it says so with
   * `emailVerified`. Default: the standard claims of OpenID Connect.
   */
  profile?: ((response: ProviderResponse) => OwnProfile | Promise<OwnProfile>) | undefined
  /**
   * Whether its tokens are kept, sealed, for calls to its API: see `tokensOf`. Request their permissions with
   * `scopes`, and a refresh token with the scope `offline_access` or as the provider requires. Default `false`.
   */
  keepTokens?: boolean | undefined
  /**
   * Who may log in and sign up with it, such as one domain. Called each time; if it throws or takes longer than
   * `adapterTimeout`, the response is 503. Default: everyone.
   */
  allow?: ((profile: Profile) => boolean | Promise<boolean>) | undefined
  /**
   * The client ids for which this provider's SDKs issue ID tokens to your apps: with one of those, people can log in, link
   * and confirm without a browser. Default: none, such ID tokens aren't accepted.
   */
  appAudiences?: readonly string[] | undefined
  /** Your own fields of a new user (`users.fields`). Default: none. */
  fields?: ((profile: Profile) => AccountUser['fields']) | undefined
}

/** Options of all providers of a mount. */
export interface ProvidersOptions {
  /**
   * Where what an app began in the system browser may end (RFC 8252): `org.example.app:/login`, an https URL that the app
   * has claimed, on an origin that is neither that of `baseUrl` nor trusted, or `http://127.0.0.1/login`, there with any
   * port; `http://localhost/login` only outside production. Default: none, the routes of apps aren't mounted.
   */
  appRedirectUris?: readonly string[] | undefined
}

/** Claims of an ID token whose signature was checked; without OpenID Connect, none. */
export type Claims = Readonly<Record<string, unknown>>

/** A provider's response, for a preset's `profile`. */
export interface ProviderResponse {
  claims: Claims
  /** The unsigned parameters of the callback: Apple sends a name there. */
  parameters: URLSearchParams
  /**
   * Gets JSON from the provider with the access token.
   * @throws if it does not respond with a JSON document within the deadline
   */
  get(url: string): Promise<unknown>
}

/** What a `profile` may return. The issuer is the provider's. */
export type OwnProfile = Partial<Omit<Profile, 'issuer'>>

/** A user's identity, as reported by a provider. */
export interface Profile {
  /** The issuer within which the subject is unique. */
  issuer: string
  /** Never reassigned; at most 255 characters. */
  subject: string
  email: string | null
  /** Whether the provider says that the address is verified. */
  emailVerified: boolean
  /** The provider's name for the person: a username is derived from it if one is required. */
  username: string | null
  name: string | null
  claims: Claims
}

/** Tokens for calling a provider's API on behalf of a user. */
export interface ProviderTokens {
  accessToken: string
  /** Milliseconds since 1970; `null` if the provider doesn't say. */
  expiresAt: number | null
  /** The granted scopes. */
  scopes: readonly string[]
}
