import { AccountsError } from 'fastify-accounts'
import * as oidc from 'openid-client'
import { createBoundedFetch, OutageError } from './bounded-fetch.js'
import type { GrantedTokens } from './kept-tokens.js'
import type { Claims, Profile, Provider } from './provider.js'
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

/** Beneath ACCOUNTS_PROVIDER_REFUSED where somebody has changed their mind at the provider, which is nothing to look into. */
export class CanceledError extends Error {}

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

/** How long a discovery document is used before it is fetched anew, in milliseconds. */
const documentLifetime = 60 * 60_000

/** @param deadline milliseconds for each request to the provider */
export function createIssuer(provider: Provider, deadline: number): Issuer {
  const { name, label = name, issuer, clientId, endpoints, scopes, parameters, clientAuth } = provider
  const asked = scopes ?? ['openid', 'email', 'profile']
  const fetch = createBoundedFetch(deadline)
  const isPlain = new URL(issuer).protocol === 'http:'
  let secret = ''
  const authenticate: oidc.ClientAuth = (as, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: known } = as
    const takesPost = known === undefined || known.includes('client_secret_post')
    const method = clientAuth ?? (takesPost ? 'client_secret_post' : 'client_secret_basic')
    const make = method === 'client_secret_post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic
    return (provider.clientSecret === undefined ? oidc.None() : make(secret))(as, client, body, headers)
  }

  function prepared(config: oidc.Configuration): oidc.Configuration {
    config[oidc.customFetch] = fetch
    config.timeout = deadline / 1000
    if (isPlain) oidc.allowInsecureRequests(config)
    // By itself it trusts the connection: signatures are checked only so.
    if (endpoints === undefined) oidc.enableNonRepudiationChecks(config)
    return config
  }

  async function discover(): Promise<oidc.Configuration> {
    if (endpoints !== undefined) {
      const { authorization: authorization_endpoint, token: token_endpoint, iss = issuer } = endpoints
      const server = { issuer: iss, authorization_endpoint, token_endpoint }
      return prepared(new oidc.Configuration(server, clientId, {}, authenticate))
    }
    const execute = isPlain ? [oidc.allowInsecureRequests] : []
    const options = { [oidc.customFetch]: fetch, timeout: deadline / 1000, execute }
    return prepared(await oidc.discovery(new URL(issuer), clientId, {}, authenticate, options))
  }

  let known: { config: oidc.Configuration; until: number } | undefined
  let underWay: Promise<oidc.Configuration> | undefined

  /** One discovery at a time. While a new one fails, the document of before is as good as it was. */
  async function configuration(): Promise<oidc.Configuration> {
    if (known !== undefined && Date.now() < known.until) return known.config
    underWay ??= discover().finally(() => {
      underWay = undefined
    })
    try {
      const config = await underWay
      known = { config, until: Date.now() + documentLifetime }
      return config
    } catch (error) {
      if (known !== undefined) return known.config
      throw unavailable(error)
    }
  }

  const unavailable = (error: unknown): AccountsError =>
    new AccountsError('ACCOUNTS_PROVIDER_UNAVAILABLE', { provider: label, cause: new Error(wordsOf(error)) })
  const refused = (error: unknown): AccountsError =>
    new AccountsError('ACCOUNTS_PROVIDER_REFUSED', {
      provider: label,
      cause: isCanceled(error) ? new CanceledError(wordsOf(error)) : new Error(wordsOf(error)),
    })

  const listsAuthTime = (config: oidc.Configuration): boolean =>
    config.serverMetadata().claims_supported?.includes('auth_time') === true

  /** Whether it may say when somebody has logged in there: where it lists its claims, that is one of them. */
  const canConfirm = (config: oidc.Configuration): boolean =>
    endpoints === undefined &&
    (config.serverMetadata().claims_supported === undefined || listsAuthTime(config))

  async function readSecret(): Promise<void> {
    const { clientSecret } = provider
    secret = typeof clientSecret === 'function' ? await clientSecret() : (clientSecret ?? '')
  }

  async function exchange(
    config: oidc.Configuration,
    query: string,
    { state, nonce, verifier, redirectUri }: Checks,
  ): Promise<{ tokens: oidc.TokenEndpointResponse; idToken: Claims; claims: Claims }> {
    await readSecret()
    const callback = new URL(redirectUri)
    callback.search = query
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    const isOpenId = endpoints === undefined
    const tokens = await oidc.authorizationCodeGrant(config, callback, {
      ...checks,
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

  return {
    provider,
    label,

    async authorizationUrl({ state, nonce, verifier, redirectUri }, confirms) {
      const config = await configuration()
      if (confirms && !canConfirm(config))
        throw new AccountsError('ACCOUNTS_PROVIDER_CANNOT_CONFIRM', { provider: label })
      const url = oidc.buildAuthorizationUrl(config, {
        ...(listsAuthTime(config) && { claims: askForAuthTime }),
        ...parameters,
        redirect_uri: redirectUri,
        scope: asked.join(' '),
        state,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(endpoints === undefined && { nonce }),
        ...(confirms && { prompt: 'login', max_age: '0' }),
      })
      return url.href
    },

    async redeem(query, checks) {
      const config = await configuration()
      let profile: Login
      try {
        const { idToken, claims, tokens } = await exchange(config, query, checks)
        const get = async (url: string): Promise<unknown> => {
          const headers = new Headers({ accept: 'application/json' })
          const given = await oidc.fetchProtectedResource(
            config,
            tokens.access_token,
            new URL(url),
            'GET',
            null,
            headers,
          )
          if (!given.ok) throw refusalOf(url, given)
          return given.json()
        }
        const parameters = new URLSearchParams(query)
        const own = (await provider.profile?.({ claims, parameters, get })) ?? {}
        const standard = standardProfile(claims, issuer)
        // The claims say so of their own address, and of no other one.
        const emailVerified = standard.emailVerified && (own.email ?? standard.email) === standard.email
        const said = withPlainTexts({ ...standard, emailVerified, ...own, issuer: standard.issuer })
        // Only the ID token is signed, and is about this very login.
        profile = {
          ...said,
          methods: methodsOf(provider, idToken),
          authenticatedAt: canConfirm(config) ? timeOf(idToken.auth_time) : null,
          tokens: provider.keepTokens ? granted(tokens) : null,
        }
      } catch (error) {
        throw isOutage(error) ? unavailable(error) : refused(error)
      }
      const { subject } = profile
      // OpenID Connect Core 1.0 section 2.
      if (typeof subject !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(subject))
        throw refused(new Error(`${name} did not say a subject`))
      return profile
    },

    async refresh(refreshToken) {
      const config = await configuration()
      try {
        await readSecret()
        return granted(await oidc.refreshTokenGrant(config, refreshToken))
      } catch (error) {
        // RFC 6749 section 5.2: it has ended, or was taken back.
        if ((error as { error?: unknown }).error === 'invalid_grant') return null
        throw unavailable(error)
      }
    },
  }

  /** Without `scope`, those that were asked for are granted (RFC 6749 section 5.1). */
  function granted({
    access_token,
    refresh_token,
    expires_in,
    scope,
  }: oidc.TokenEndpointResponse): GrantedTokens {
    return {
      accessToken: access_token,
      refreshToken: refresh_token ?? null,
      expiresAt: expires_in === undefined ? null : Date.now() + expires_in * 1000,
      scopes: scope === undefined ? [...asked] : scope.split(' '),
    }
  }
}

/** OpenID Connect Core 1.0 section 5.5: by itself a provider says it only where a `max_age` is asked for. */
const askForAuthTime = JSON.stringify({ id_token: { auth_time: { essential: true } } })

function timeOf(seconds: unknown): Date | null {
  const at = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN)
  // Beyond what a date can be, it would be neither older nor newer than anything.
  return Number.isNaN(at.getTime()) ? null : at
}

/** Whether the provider did not answer, or with an error of its own; all else is an answer that must not be. */
function isOutage(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause as Error) {
    if (each instanceof OutageError || each.name === 'TimeoutError' || each.name === 'AbortError') return true
    // RFC 6749 section 4.1.2.1.
    const { error: code } = each as { error?: unknown }
    if (code === 'server_error' || code === 'temporarily_unavailable') return true
    // What fetch() throws where the network fails.
    if (each instanceof TypeError && /fetch failed|terminated/.test(each.message)) return true
    if (each.cause instanceof Response) return isTrouble(each.cause.status)
    const { status } = each as { status?: unknown }
    if (typeof status === 'number') return isTrouble(status)
  }
  return false
}

/** RFC 6749 section 4.1.2.1, and what Apple says in its place. */
const isCanceled = (error: unknown): boolean =>
  error instanceof oidc.AuthorizationResponseError &&
  ['access_denied', 'user_cancelled_authorize'].includes(error.error)

/** What an answer other than a document means: mostly that this app asks for what the token isn't good for. */
function refusalOf(url: string, { status, headers }: Response): Error {
  const message = `${url} answered ${status}`
  // GitHub says so to whoever asks too often.
  const isLimit =
    status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0')
  if (isLimit) return new OutageError(message)
  const hint = status === 403 || status === 404 ? ': is a scope or a permission missing?' : ''
  return Object.assign(new Error(message + hint), { status })
}

const isTrouble = (status: number): boolean => status >= 500 || status === 429

/** For the log: in words alone, since the library hangs whole answers on its errors, tokens included. */
function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let each = error; each instanceof Error && words.length < 5; each = each.cause) {
    const { error: code, error_description: detail } = each as {
      error?: unknown
      error_description?: unknown
    }
    words.push([each.message, code, detail].filter((word) => typeof word === 'string').join(' '))
  }
  return words.join(': ').slice(0, 500)
}

/** OpenID Connect Core 1.0 section 5.1. */
function standardProfile(claims: Claims, issuer: string): Profile {
  return withPlainTexts({
    issuer: plainText(claims.iss, 255) ?? issuer,
    subject: plainText(claims.sub, 255) ?? '',
    email: claims.email as string | null,
    emailVerified: claims.email_verified === true,
    username: claims.preferred_username as string | null,
    name: claims.name as string | null,
    claims,
  })
}

/** Whoever wrote them, they are kept with the account, and wait in a cookie. */
function withPlainTexts(profile: Profile): Profile {
  const { email, username, name } = profile
  return {
    ...profile,
    email: plainText(email, 254),
    username: plainText(username, 150),
    name: plainText(name, 150),
  }
}

function plainText(value: unknown, longest: number): string | null {
  const isKept = typeof value === 'string' && value !== '' && value.length <= longest
  return isKept && value.isWellFormed() && !value.includes('\0') ? value : null
}
