import type { AccountUser } from 'fastify-accounts'

/** A provider that people log in with: an OpenID Connect issuer, or an OAuth 2 server with a `profile`. */
export interface Provider {
  /** Its name in paths: lower-case letters, digits and `-`. Unique among the providers of a mount. */
  name: string
  /** What people read: `Google`. Default: `name`. */
  label?: string
  /** The issuer's URL, as its discovery document says it. `http` only on loopback, and not in production. */
  issuer: string
  clientId: string
  /** A function is asked before each use, for secrets that expire. Default: none, for a public client. */
  clientSecret?: string | (() => string | Promise<string>)
  /** How the client secret is sent. Default: `client_secret_post`, unless the issuer does not take that. */
  clientAuth?: 'client_secret_post' | 'client_secret_basic'
  /** Default `['openid', 'email', 'profile']`. */
  scopes?: readonly string[]
  /** Parameters of the authorization request: `{ prompt: 'select_account' }`. Default: none. */
  parameters?: Readonly<Record<string, string>>
  /**
   * For an OAuth 2 server without discovery, which must have a `profile`. `iss` is what it calls itself in the answer to
   * the browser (RFC 9207), where that isn't `issuer`. Default: discovered.
   */
  endpoints?: { authorization: string; token: string; iss?: string }
  /**
   * Which addresses this provider vouches for: all, or those at these domains. Only an address that it calls verified,
   * and is authoritative for, links an identity to an account. Default: none.
   */
  authoritativeFor?: true | readonly string[] | ((email: string, claims: Claims) => boolean)
  /** Values of `acr` and `amr` in the ID token that count as two factors: no second one is asked for then. Default: none. */
  enough?: { acr?: readonly string[]; amr?: readonly string[] }
  /**
   * Reads who somebody is out of the provider's answer. An `email` of its own is verified only where it says so with
   * `emailVerified`. Default: the standard claims of OpenID Connect.
   */
  profile?(answer: Answer): OwnProfile | Promise<OwnProfile>
  /**
   * Whether its tokens are kept, sealed, for calls to its API: see `tokensOf`. Ask for what they shall be good for by
   * `scopes`, and for a refresh token by the scope `offline_access` or as the provider wants it. Default `false`.
   */
  keepTokens?: boolean
  /** Who may log in and sign up with it, such as one domain. Asked each time. Default: everybody. */
  allow?(profile: Profile): boolean | Promise<boolean>
  /** Your own fields of a new user (`users.fields`). Default: none. */
  fields?(profile: Profile): AccountUser['fields']
}

/** Claims of an ID token whose signature was checked; without OpenID Connect, none. */
export type Claims = Readonly<Record<string, unknown>>

/** What a provider answered, for `profile` of a preset. */
export interface Answer {
  claims: Claims
  /** The parameters of the callback, which nobody has signed: Apple sends a name there. */
  parameters: URLSearchParams
  /**
   * Gets JSON from the provider with the access token.
   * @throws where it does not answer with a JSON document within the deadline
   */
  get(url: string): Promise<unknown>
}

/** What a `profile` may say. The issuer is the provider's. */
export type OwnProfile = Partial<Omit<Profile, 'issuer'>>

/** Who a provider says that somebody is. */
export interface Profile {
  /** The issuer that the subject is unique at. */
  issuer: string
  /** Never given to anybody else; at most 255 characters. */
  subject: string
  email: string | null
  /** Whether the provider says that the address is verified. */
  emailVerified: boolean
  /** What the provider calls the person: a username is derived from it where one is required. */
  username: string | null
  name: string | null
  claims: Claims
}

/** What calls a provider's API in the name of a user. */
export interface ProviderTokens {
  accessToken: string
  /** Milliseconds since 1970; `null` where the provider doesn't say. */
  expiresAt: number | null
  /** What the provider has granted. */
  scopes: readonly string[]
}
