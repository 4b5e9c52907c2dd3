import { AccountsError } from 'fastify-accounts'
import * as oidc from 'openid-client'
import { askForAuthTime, canConfirm, listsAuthTime, timeOf } from './auth-time.js'
import { createConnection } from './connection.js'
import { failedLogin, refusalOf, unavailable } from './issuer-errors.js'
import type { GrantedTokens } from './kept-tokens.js'
import type { Claims, Profile, Provider } from './provider.js'
import { standardProfile, withPlainTexts } from './standard-profile.js'
import { methodsOf } from './who.js'

/** What a flow checks the answer of a provider against. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** Who has logged in at a provider. */
export interface Login extends Profile {
  /** What the login proves: `fed`, and `mfa` too where the ID token says as much as is enough. */
  methods: readonly string[]
  /** When that was; `null` where the provider doesn't say so, or can't be asked for anything newer. */
  authenticatedAt: Date | null
  /** What is to be kept for calls to the provider's API. */
  tokens: GrantedTokens | null
}

/** A provider, as flows talk to it. */
export interface Issuer {
  provider: Provider
  label: string
  /**
   * Where the browser goes.
   * @param confirms whether the person has to log in there anew, whatever session the provider has
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE; ACCOUNTS_PROVIDER_CANNOT_CONFIRM where it never says when
   * somebody has logged in there
   */
  authorizationUrl(checks: Checks, confirms: boolean): Promise<string>
  /**
   * Redeems the code that the browser brought, and reads who that is.
   * @param query of the callback
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE; ACCOUNTS_PROVIDER_REFUSED where anything is not as it must be
   */
  redeem(query: string, checks: Checks): Promise<Login>
  /**
   * New tokens for a refresh token; `null` where the provider takes it no more.
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE
   */
  refresh(refreshToken: string): Promise<GrantedTokens | null>
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
      try {
        await readSecret()
        const redeemed = await exchange(config, isOpenId, query, checks)
        // Only the ID token is signed, and is about this very login.
        const { idToken, tokens } = redeemed
        return {
          ...(await profileOf(provider, config, query, redeemed)),
          methods: methodsOf(provider, idToken),
          authenticatedAt: canConfirm(config, isOpenId) ? timeOf(idToken.auth_time) : null,
          tokens: keepTokens ? granted(tokens, scopes) : null,
        }
      } catch (error) {
        throw failedLogin(label, error)
      }
    },

    async refresh(refreshToken) {
      const config = await configuration()
      try {
        await readSecret()
        return granted(await oidc.refreshTokenGrant(config, refreshToken), scopes)
      } catch (error) {
        // RFC 6749 section 5.2: it has ended, or was taken back.
        if ((error as { error?: unknown }).error === 'invalid_grant') return null
        throw unavailable(label, error)
      }
    },
  }
}

/** What a provider gave for a code. */
interface Redeemed {
  tokens: oidc.TokenEndpointResponse
  idToken: Claims
  /** Those of the ID token, and what the provider says beside. */
  claims: Claims
}

async function exchange(
  config: oidc.Configuration,
  isOpenId: boolean,
  query: string,
  { state, nonce, verifier, redirectUri }: Checks,
): Promise<Redeemed> {
  const callback = new URL(redirectUri)
  callback.search = query
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    ...{ expectedState: state, pkceCodeVerifier: verifier },
    ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
  })
  const idToken = { ...tokens.claims() }
  // OpenID Connect Core 1.0 section 5.4: with a code, the claims of scopes may be there alone.
  const isElsewhere = idToken.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
  if (idToken.sub === undefined || !isElsewhere) return { tokens, idToken, claims: idToken }
  const more = await oidc.fetchUserInfo(config, tokens.access_token, idToken.sub)
  const { email, email_verified } = more
  return { tokens, idToken, claims: { ...more, ...idToken, email, email_verified } }
}

/** Who has logged in, by the claims and by what the provider's own `profile` reads. */
async function profileOf(
  provider: Provider,
  config: oidc.Configuration,
  query: string,
  { claims, tokens }: Redeemed,
): Promise<Profile> {
  const parameters = new URLSearchParams(query)
  const get = (url: string): Promise<unknown> => getJson(config, tokens.access_token, url)
  const own = (await provider.profile?.({ claims, parameters, get })) ?? {}
  const standard = standardProfile(claims, provider.issuer)
  // The claims say so of their own address, and of no other one.
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

/** Without `scope`, those that were asked for are granted (RFC 6749 section 5.1). */
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
