import { AccountsError } from 'fastify-accounts'
import * as oidc from 'openid-client'
import { askForAuthTime, canConfirm, listsAuthTime } from './auth-time.js'
import { createConnection } from './connection.js'
import { type CheckIdToken, createIdTokenCheck } from './id-token.js'
import { failedLogin, refusalOf, unavailable } from './issuer-errors.js'
import type { GrantedTokens } from './kept-tokens.js'
import type { Claims, Provider } from './provider.js'
import { createLoginReader, type ReadLogin } from './read-login.js'

/** The values that a flow checks a provider's response against. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** The user who logged in at a provider. */
export interface Login extends ReadLogin {
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
   * @param warn called once if the provider doesn't say clearly whether addresses are verified
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE; ACCOUNTS_PROVIDER_REFUSED if any check fails
   */
  redeem(query: string, checks: Checks, warn: (line: string) => void): Promise<Login>
  /**
   * Checks an ID token that the provider's SDK gave to an app.
   * @param warn as for `redeem`
   * @throws AccountsError ACCOUNTS_NOT_FOUND if the provider has no `appAudiences`; what `redeem` throws
   */
  check: CheckIdToken
  /**
   * Prepares one request, so that nothing else is waited for between reading a refresh token and using it.
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE, ACCOUNTS_PROVIDER_MISCONFIGURED
   */
  refresher(): Promise<Refresh>
}

/** @param deadline milliseconds for each request to the provider */
export function createIssuer(provider: Provider, deadline: number): Issuer {
  const { name, label = name, endpoints, parameters, keepTokens } = provider
  const { scopes = ['openid', 'email', 'profile'], lacks = [] } = provider
  const isOpenId = endpoints === undefined
  const used = { nonce: isOpenId && !lacks.includes('nonce'), pkce: !lacks.includes('pkce') }
  const read = createLoginReader(provider)
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
        ...(used.pkce && {
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
        ...(used.nonce && { nonce }),
        ...(confirms && { prompt: 'login', max_age: '0' }),
      })
      return url.href
    },

    async redeem(query, checks, warn) {
      const config = await configuration()
      const secrets = [...new URLSearchParams(query).getAll('code'), checks.verifier, checks.nonce]
      try {
        secrets.push(...(await readSecret()))
        const tokens = await exchange(config, query, checks, { ...used, idToken: isOpenId })
        secrets.push(...textsOf(tokens))
        const idToken = { ...tokens.claims() }
        const login = await read(
          config,
          idToken,
          {
            claims: await claimsOf(config, tokens, idToken),
            parameters: new URLSearchParams(query),
            get: (url) => getJson(config, tokens.access_token, url),
          },
          warn,
        )
        return { ...login, tokens: keepTokens ? granted(tokens, scopes) : null }
      } catch (error) {
        throw failedLogin(label, error, secrets)
      }
    },

    check: createIdTokenCheck(provider, read, deadline),

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
  query: string,
  { state, nonce, verifier, redirectUri }: Checks,
  used: { nonce: boolean; pkce: boolean; idToken: boolean },
): Promise<Tokens> {
  const callback = new URL(redirectUri)
  callback.search = query
  return oidc.authorizationCodeGrant(config, callback, {
    expectedState: state,
    idTokenExpected: used.idToken,
    ...(used.pkce && { pkceCodeVerifier: verifier }),
    ...(used.nonce && { expectedNonce: nonce }),
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

async function getJson(config: oidc.Configuration, accessToken: string, url: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' })
  const response = await oidc.fetchProtectedResource(config, accessToken, new URL(url), 'GET', null, headers)
  if (!response.ok) throw refusalOf(url, response)
  return response.json()
}

/** Without `scope`, the requested ones are granted (RFC 6749 section 5.1). GitHub and LinkedIn separate them by commas. */
function granted(
  { access_token, refresh_token, expires_in, scope }: oidc.TokenEndpointResponse,
  scopes: readonly string[],
): GrantedTokens {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: expires_in === undefined ? null : Date.now() + expires_in * 1000,
    scopes: scope === undefined ? [...scopes] : scope.split(/[ ,]+/),
  }
}
