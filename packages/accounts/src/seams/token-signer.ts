import type { FeatureLinks } from '../feature-names.js'
/** What both sides know from elsewhere: the route, and the user id in the link's path. */
export interface TokenContext {
  /** What the link does. A token for one purpose is worth nothing for another. */
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
 * Makes and checks the tokens in links. Asynchronous, so that a key management service or a JWT library fits.
 * The laws are in `fastify-accounts/testing` as `tokenSignerCases`.
 */
export interface TokenSigner {
  /**
   * A token of `[A-Za-z0-9_.~-]` that nobody else can make. Up to 100 characters fit Fastify's default
   * `maxParamLength`; with longer ones the host raises it, and the plugin checks that at start.
   */
  sign(claims: TokenClaims): Promise<string>

  /**
   * The claims, if the token was made by `sign` for exactly this context; `null` for anything else, of whatever
   * length or form. Does not throw for bad tokens, and does not judge times: the plugin does.
   */
  verify(token: string, context: TokenContext): Promise<TokenClaims | null>
}
