import { AccountsError } from 'fastify-accounts'
import * as oidc from 'openid-client'
import { createBoundedFetch, OutageError } from './bounded-fetch.js'
import { forLog, unavailable } from './issuer-errors.js'
import type { Provider } from './provider.js'
import { expectClean, isMispasted } from './settings.js'
import { withStandardTokens } from './standard-tokens.js'

/** How openid-client talks to a provider. */
export interface Connection {
  /**
   * One discovery at a time. Once there is a document it stays in use until there is a new one: nobody waits for that.
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE; ACCOUNTS_PROVIDER_MISCONFIGURED if the document is of another
   * issuer
   */
  configuration(): Promise<oidc.Configuration>
  /**
   * Gets the client secret, which may expire; call it before each token request.
   * @returns what is sent of it
   */
  readSecret(): Promise<string[]>
}

/** How long a discovery document is used before it is fetched again, in milliseconds. */
const documentLifetime = 60 * 60_000

/** Milliseconds after a failed discovery until the next one, if there is a document. */
const retryPause = 60_000

/** @param deadline milliseconds for each request to the provider */
export function createConnection(provider: Provider, deadline: number): Connection {
  const { name, label = name, clientId, clientSecret } = provider
  let secret = ''
  const connect = connector(
    provider,
    deadline,
    authentication(provider, () => secret),
  )
  let cache: { config: oidc.Configuration; until: number } | undefined
  let underWay: Promise<oidc.Configuration> | undefined

  async function discover(): Promise<oidc.Configuration> {
    try {
      const config = await connect()
      cache = { config, until: Date.now() + documentLifetime }
      return config
    } catch (error) {
      if (cache !== undefined) cache.until = Date.now() + retryPause
      throw error instanceof AccountsError ? error : unavailable(label, error, [])
    } finally {
      underWay = undefined
    }
  }

  return {
    async configuration() {
      if (cache === undefined || Date.now() >= cache.until) underWay ??= discover()
      if (cache === undefined) return underWay as Promise<oidc.Configuration>
      // The next login after the pause tries again, and `doctor` tells why it fails.
      underWay?.catch(() => {})
      return cache.config
    },
    async readSecret() {
      secret = typeof clientSecret === 'function' ? await clientSecret() : (clientSecret ?? '')
      if (clientSecret !== undefined && (typeof secret !== 'string' || secret === '' || isMispasted(secret)))
        throw new OutageError(`what clientSecret of ${name} returned ${expectClean}`)
      return secret === '' ? [] : [secret, basicOf(clientId, secret)]
    },
  }
}

/** The credentials of Basic authentication. */
function basicOf(clientId: string, secret: string): string {
  const headers = new Headers()
  oidc.ClientSecretBasic(secret)({ issuer: '' }, { client_id: clientId }, new URLSearchParams(), headers)
  return (headers.get('authorization') ?? '').replace(/^Basic /, '')
}

/** Client authentication: with its secret, sent as the provider expects it. */
function authentication({ clientAuth, clientSecret }: Provider, secret: () => string): oidc.ClientAuth {
  return (as, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods } = as
    const takesPost = methods === undefined || methods.includes('client_secret_post')
    const method = clientAuth ?? (takesPost ? 'client_secret_post' : 'client_secret_basic')
    const make = method === 'client_secret_post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic
    return (clientSecret === undefined ? oidc.None() : make(secret()))(as, client, body, headers)
  }
}

/** Creates a configuration from the discovery document, or from the provider's own `endpoints`. */
function connector(
  { name, label = name, issuer, clientId, endpoints }: Provider,
  deadline: number,
  authenticate: oidc.ClientAuth,
): () => Promise<oidc.Configuration> {
  const fetch = withStandardTokens(createBoundedFetch(deadline))
  const timeout = deadline / 1000
  const isPlain = new URL(issuer).protocol === 'http:'

  function prepared(config: oidc.Configuration): oidc.Configuration {
    config[oidc.customFetch] = fetch
    config.timeout = timeout
    if (isPlain) oidc.allowInsecureRequests(config)
    // By default it trusts the connection: signatures are only checked with this.
    if (endpoints === undefined) oidc.enableNonRepudiationChecks(config)
    return config
  }

  return async () => {
    if (endpoints !== undefined) {
      const { authorization: authorization_endpoint, token: token_endpoint, iss = issuer } = endpoints
      const server = { issuer: iss, authorization_endpoint, token_endpoint }
      return prepared(new oidc.Configuration(server, clientId, {}, authenticate))
    }
    const execute = isPlain ? [oidc.allowInsecureRequests] : []
    const options = { [oidc.customFetch]: fetch, timeout, execute }
    const config = await oidc
      .discovery(new URL(issuer), clientId, {}, authenticate, options)
      .catch((error: unknown) => {
        const { code, cause } = error as { code?: unknown; cause?: unknown }
        if (cause instanceof Response) throw new OutageError(`${issuer}: discovery returned ${cause.status}`)
        if (code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
        const { body } = cause as { body: { issuer: string } }
        throw new AccountsError('ACCOUNTS_PROVIDER_MISCONFIGURED', {
          provider: label,
          cause: new Error(
            `${name}.issuer is ${issuer}, but its discovery document says ${forLog(body.issuer, [])}: they must be equal`,
          ),
        })
      })
    return prepared(config)
  }
}
