import type { FeatureLinks } from '../feature-names.js'

/** What links of the features of this project do. Features of others may have more. */
export const linkPurposes = [
  'reset-password',
  'password-link',
  'verify-email',
  'change-email',
  'undo-email',
  'release-email',
  'not-me',
  // With `invitations()`:
  'invitation',
  // With `login.emailCode`:
  'login-code',
  // With providers:
  'confirm-identity',
] as const satisfies readonly (keyof FeatureLinks | 'confirm-identity')[]

/** What both sides know without the token: the route, and the user's id in the link's path. */
export interface TokenContext {
  /** What the link does. A token is only valid for its own purpose. */
  purpose: keyof FeatureLinks
  /** The deployment and mount that the link leads to, as a URL. */
  audience: string
  /** The user's id. */
  subject: string
}

/** What a token says, bound to its context. */
export interface TokenClaims extends TokenContext {
  /** Digest of the user's state that the link depends on; at most 32 URL-safe characters. */
  state: string
  /** Whole seconds. */
  issuedAt: Date
  /** Whole seconds. */
  expiresAt: Date
}

/**
 * Makes and checks the tokens in links. Asynchronous, for key management services and JWT libraries.
 * Its conformance suite is `tokenSignerCases` of `@fastify-accounts/testing`.
 */
export interface TokenSigner {
  /**
   * A token of `[A-Za-z0-9_.~-]` that nobody else can make. Up to 100 characters fit Fastify's default
   * `maxParamLength`; for longer ones raise it, which the plugin checks at the start.
   */
  sign(claims: TokenClaims): Promise<string>

  /**
   * The claims, if the token was made by `sign` for exactly this context; `null` for anything else, of whatever
   * length or form. Doesn't throw for bad tokens, and doesn't check times: the plugin does.
   */
  verify(token: string, context: TokenContext): Promise<TokenClaims | null>
}
