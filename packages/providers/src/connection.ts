import * as oidc from 'openid-client'
import { createBoundedFetch } from './bounded-fetch.js'
import { unavailable } from './issuer-errors.js'
import type { Provider } from './provider.js'

/** How openid-client talks to a provider. */
export interface Connection {
  /**
   * One discovery at a time. If a new one fails, the previous document stays in use.
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE
   */
  configuration(): Promise<oidc.Configuration>
  /** Gets the client secret, which may expire; call it before each token request. */
  readSecret(): Promise<void>
}

/** How long a discovery document is used before it is fetched again, in milliseconds. */
const documentLifetime = 60 * 60_000

/** @param deadline milliseconds for each request to the provider */
export function createConnection(provider: Provider, deadline: number): Connection {
  const { name, label = name, clientSecret } = provider
  let secret = ''
  const connect = connector(
    provider,
    deadline,
    authentication(provider, () => secret),
  )
  let known: { config: oidc.Configuration; until: number } | undefined
  let underWay: Promise<oidc.Configuration> | undefined

  async function configuration(): Promise<oidc.Configuration> {
    if (known !== undefined && Date.now() < known.until) return known.config
    underWay ??= connect().finally(() => {
      underWay = undefined
    })
    try {
      const config = await underWay
      known = { config, until: Date.now() + documentLifetime }
      return config
    } catch (error) {
      if (known !== undefined) return known.config
      throw unavailable(label, error)
    }
  }

  return {
    configuration,
    async readSecret() {
      secret = typeof clientSecret === 'function' ? await clientSecret() : (clientSecret ?? '')
    },
  }
}

/** Client authentication: with its secret, sent as the provider expects it. */
function authentication({ clientAuth, clientSecret }: Provider, secret: () => string): oidc.ClientAuth {
  return (as, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: known } = as
    const takesPost = known === undefined || known.includes('client_secret_post')
    const method = clientAuth ?? (takesPost ? 'client_secret_post' : 'client_secret_basic')
    const make = method === 'client_secret_post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic
    return (clientSecret === undefined ? oidc.None() : make(secret()))(as, client, body, headers)
  }
}

/** Creates a configuration from the discovery document, or from the provider's own `endpoints`. */
function connector(
  { issuer, clientId, endpoints }: Provider,
  deadline: number,
  authenticate: oidc.ClientAuth,
): () => Promise<oidc.Configuration> {
  const fetch = createBoundedFetch(deadline)
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
    return prepared(await oidc.discovery(new URL(issuer), clientId, {}, authenticate, options))
  }
}
