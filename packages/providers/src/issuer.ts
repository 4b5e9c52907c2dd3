import { AccountsError } from 'fastify-accounts'
import * as oidc from 'openid-client'
import { askForAuthTime, canConfirm, listsAuthTime, timeOf } from './auth-time.js'
import { createConnection } from './connection.js'
import { failedLogin, refusalOf, unavailable } from './issuer-errors.js'
import type { GrantedTokens } from './kept-tokens.js'
import type { Claims, Profile, Provider } from './provider.js'
import { standardProfile, withPlainTexts } from './standard-profile.js'
import { methodsOf } from './who.js'

/** The values that a flow checks a provider's response against. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** The user who logged in at a provider. */
export interface Login extends Profile {
  /** What the login proves: `fed`, and `mfa` too if the ID token has a sufficient claim. */
  methods: readonly string[]
  /** The login time; `null` if the provider doesn't report it, or can't require a new login. */
  authenticatedAt: Date | null
  /** The tokens to keep for calls to the provider's API. */
  tokens: GrantedTokens | null
}

/**
 * Gets new tokens for a refresh token; `null` if the provider no longer accepts it.
 * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE
 */
export type Refresh = (refreshToken: string) => Promise<GrantedTokens | null>

/** A provider, as flows use it. */
export interface Issuer {
  provider: Provider
  label: string
  /**
   * Where the browser goes.
   * @param confirms whether the user must log in there again, even with an existing session
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE, ACCOUNTS_PROVIDER_MISCONFIGURED; ACCOUNTS_PROVIDER_CANNOT_CONFIRM
   * if it never reports when users logged in there
   */
  authorizationUrl(checks: Checks, confirms: boolean): Promise<string>
  /**
   * Redeems the code from the browser, and reads the identity.
   * @param query of the callback
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE; ACCOUNTS_PROVIDER_REFUSED if any check fails
   */
  redeem(query: string, checks: Checks): Promise<Login>
  /**
   * Prepares one request, so that nothing else is waited for between reading a refresh token and using it.
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE, ACCOUNTS_PROVIDER_MISCONFIGURED
   */
  refresher(): Promise<Refresh>
}

/** @param deadline milliseconds for each request to the provider */
export function createIssuer(provider: Provider, deadline: number): Issuer {
  const { name, label = name, endpoints, parameters, keepTokens } = provider
  const { scopes = ['openid', 'email', 'profile'] } = provider
  const isOpenId = endpoints === undefined
  const { configuration, readSecret } = createConnection(provider, deadline)

  return {
    provider,
    label,

    async authorizationUrl({ state, nonce, verifier, redirectUri }, confirms) {
      const config = await configuration()
      if (confirms && !canConfirm(config, isOpenId))
        throw new AccountsError('ACCOUNTS_PROVIDER_CANNOT_CONFIRM', { provider: label })
      const url = oidc.buildAuthorizationUrl(config, {
        ...(listsAuthTime(config) && { claims: askForAuthTime }),
        ...parameters,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isOpenId && { nonce }),
        ...(confirms && { prompt: 'login', max_age: '0' }),
      })
      return url.href
    },

    async redeem(query, checks) {
      const config = await configuration()
      const secrets = [...new URLSearchParams(query).getAll('code'), checks.verifier, checks.nonce]
      try {
        secrets.push(...(await readSecret()))
        const tokens = await exchange(config, isOpenId, query, checks)
        secrets.push(...textsOf(tokens))
        // Only the ID token is signed and belongs to this login.
        const idToken = { ...tokens.claims() }
        const redeemed = { tokens, claims: await claimsOf(config, tokens, idToken) }
        return {
          ...(await profileOf(provider, config, query, redeemed)),
          methods: methodsOf(provider, idToken),
          authenticatedAt: canConfirm(config, isOpenId) ? timeOf(idToken.auth_time) : null,
          tokens: keepTokens ? granted(tokens, scopes) : null,
        }
      } catch (error) {
        throw failedLogin(label, error, secrets)
      }
    },

    async refresher() {
      const config = await configuration()
      const secrets = await readSecret().catch((error: unknown) => {
        throw unavailable(label, error, [])
      })
      return async (refreshToken) => {
        try {
          return granted(await oidc.refreshTokenGrant(config, refreshToken), scopes)
        } catch (error) {
          // RFC 6749 section 5.2: it has expired or was revoked.
          if ((error as { error?: unknown }).error === 'invalid_grant') return null
          throw unavailable(label, error, [...secrets, refreshToken])
        }
      }
    },
  }
}

/** Exchanges the code of a callback for tokens. */
async function exchange(
  config: oidc.Configuration,
  isOpenId: boolean,
  query: string,
  { state, nonce, verifier, redirectUri }: Checks,
): Promise<Tokens> {
  const callback = new URL(redirectUri)
  callback.search = query
  return oidc.authorizationCodeGrant(config, callback, {
    expectedState: state,
    pkceCodeVerifier: verifier,
    ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
  })
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

const textsOf = ({ access_token, refresh_token, id_token }: Tokens): string[] =>
  [access_token, refresh_token, id_token].filter((each) => each !== undefined)

/** The claims of the ID token, and the provider's other data. */
async function claimsOf(
  config: oidc.Configuration,
  { access_token }: Tokens,
  idToken: Partial<oidc.IDToken>,
): Promise<Claims> {
  // OpenID Connect Core 1.0 section 5.4: with a code, the claims of scopes may only be there.
  const isElsewhere = idToken.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
  if (idToken.sub === undefined || !isElsewhere) return idToken
  const more = await oidc.fetchUserInfo(config, access_token, idToken.sub)
  const { email, email_verified } = more
  return { ...more, ...idToken, email, email_verified }
}

/** The user who logged in, from the claims and the provider's own `profile`. */
async function profileOf(
  provider: Provider,
  config: oidc.Configuration,
  query: string,
  { claims, tokens }: { claims: Claims; tokens: Tokens },
): Promise<Profile> {
  const parameters = new URLSearchParams(query)
  const get = (url: string): Promise<unknown> => getJson(config, tokens.access_token, url)
  const own = (await provider.profile?.({ claims, parameters, get })) ?? {}
  const standard = standardProfile(claims, provider.issuer)
  // The claims vouch for their own address only.
  const emailVerified = standard.emailVerified && (own.email ?? standard.email) === standard.email
  const profile = withPlainTexts({ ...standard, emailVerified, ...own, issuer: standard.issuer })
  const { subject } = profile
  // OpenID Connect Core 1.0 section 2.
  if (typeof subject !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(subject))
    throw new Error(`${provider.name} did not return a subject`)
  return profile
}

async function getJson(config: oidc.Configuration, accessToken: string, url: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' })
  const given = await oidc.fetchProtectedResource(config, accessToken, new URL(url), 'GET', null, headers)
  if (!given.ok) throw refusalOf(url, given)
  return given.json()
}

/** Without `scope`, the requested ones are granted (RFC 6749 section 5.1). */
function granted(
  { access_token, refresh_token, expires_in, scope }: oidc.TokenEndpointResponse,
  asked: readonly string[],
): GrantedTokens {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: expires_in === undefined ? null : Date.now() + expires_in * 1000,
    scopes: scope === undefined ? [...asked] : scope.split(' '),
  }
}
