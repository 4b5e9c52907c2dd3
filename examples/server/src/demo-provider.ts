import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Provider } from '@fastify-accounts/providers'
import type OidcProvider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'
import { SettingError } from './config.js'
import { expiredPage, loginPage, ownDomain, showPage } from './demo-provider-pages.js'

/** An OpenID Connect provider on this machine, where users can log in as anyone. */
export interface DemoProvider {
  /** As the app registers it. */
  provider: Provider
  close(): Promise<void>
}

const clientId = 'example-app'

/**
 * Starts oidc-provider, a certified server, to try logins with another provider offline.
 * @param place its URL, on loopback; with port 0 on any free one
 * @param baseUrl of the app
 */
export async function startDemoProvider(place: string, baseUrl: string): Promise<DemoProvider> {
  const { default: OidcProvider } = await import('oidc-provider').catch(() => {
    throw new SettingError('PROVIDERS', 'cannot be demo: oidc-provider is not installed')
  })
  const clientSecret = randomBytes(32).toString('base64url')
  const server = createServer()
  await listen(server, place)
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const oidc = new OidcProvider(issuer, configuration(baseUrl, clientSecret))
  const handle = oidc.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    interact(oidc, request, response).catch(() => showPage(response, 400, expiredPage(baseUrl)))
  })
  return {
    provider: {
      name: 'demo',
      label: 'Demo',
      issuer,
      clientId,
      clientSecret,
      clientAuth: 'client_secret_basic',
      authoritativeFor: [ownDomain],
      // Otherwise the provider's own session would decide who logs in.
      parameters: { prompt: 'login' },
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Made once per process: generating it takes nearly all of a provider's start. */
let signingKey: KeyObject | undefined

/** One client, and any account that is requested. */
function configuration(baseUrl: string, clientSecret: string): Configuration {
  signingKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/login/with/demo/callback/`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [{ ...signingKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, email) => ({
      accountId: email,
      claims: () => ({
        sub: email,
        email,
        email_verified: true,
        preferred_username: email.split('@')[0],
      }),
    }),
    // Seconds. Everything is in memory anyway.
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // No consent screen: it's the same user's app.
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      const grant = new provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

/** The login page: GET shows it, its buttons POST. */
async function interact(
  oidc: OidcProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await oidc.interactionDetails(request, response)
  if (request.method !== 'POST') return showPage(response, 200, loginPage())
  const form = new URLSearchParams(await bodyOf(request))
  if (form.has('cancel')) {
    return oidc.interactionFinished(request, response, { error: 'access_denied' })
  }
  const email = (form.get('email') ?? '').trim().toLowerCase()
  if (!/^[^\s@]{1,64}@[^\s@]{1,180}$/.test(email)) return showPage(response, 400, loginPage(true))
  return oidc.interactionFinished(request, response, { login: { accountId: email } })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > 10_000) throw new Error('too long')
  }
  return text
}

async function listen(server: Server, issuer: string): Promise<void> {
  const { hostname, port } = new URL(issuer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SettingError('PROVIDERS', `cannot be demo: port ${port} is needed (${error.message})`)),
    )
    server.listen(Number(port), hostname, resolve)
  })
}
