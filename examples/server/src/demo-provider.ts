import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Provider } from '@fastify-accounts/providers'
import { SettingError } from './config.js'
import { html } from './html.js'
import { appName } from './page.js'

/** Addresses here belong to the demo provider, so the app believes it about them, and about no others. */
const ownDomain = 'example.com'

/** An OpenID Connect provider on this machine, at which people log in as whoever they like. */
export interface DemoProvider {
  /** As the app registers it. */
  provider: Provider
  close(): Promise<void>
}

/**
 * Starts oidc-provider, a certified server, so that logins with another provider can be tried offline.
 * @param issuer its URL, on loopback
 * @param baseUrl of the app
 */
export async function startDemoProvider(issuer: string, baseUrl: string): Promise<DemoProvider> {
  const { default: OidcProvider } = await import('oidc-provider').catch(() => {
    throw new SettingError('PROVIDERS', 'cannot be demo here: oidc-provider is not installed')
  })
  const clientSecret = randomBytes(32).toString('base64url')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const oidc = new OidcProvider(issuer, {
    clients: [
      {
        client_id: 'example-app',
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/login/with/demo/callback/`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
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
    // Seconds. It forgets everything when it ends anyway.
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // Nobody is asked to agree: it is their own app.
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      const grant = new provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = oidc.callback()

  /** The login page: GET shows it, POST is what its buttons send. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
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

  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    interact(request, response).catch(() => {
      showPage(
        response,
        400,
        html`<h1>This page has expired</h1><p><a href="${baseUrl}/">Back to ${appName}</a></p>`,
      )
    })
  })
  const { hostname, port } = new URL(issuer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SettingError('PROVIDERS', `cannot be demo: port ${port} is needed (${error.message})`)),
    )
    server.listen(Number(port), hostname, resolve)
  })
  return {
    provider: {
      name: 'demo',
      label: 'Demo',
      issuer,
      clientId: 'example-app',
      clientSecret,
      clientAuth: 'client_secret_basic',
      authoritativeFor: [ownDomain],
      // Otherwise its own session would choose who comes back.
      parameters: { prompt: 'login' },
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > 10_000) throw new Error('too long')
  }
  return text
}

function loginPage(isRefused = false) {
  return html`<h1>Log in to Demo</h1>
<p>${appName} wants to know who you are. This provider runs on your machine and asks for no password: be whoever you like.</p>
<form method="post">
<label for="email">Email address</label>
<input id="email" name="email" type="text" inputmode="email" value="ada@${ownDomain}" autocomplete="off" spellcheck="false" autofocus>
${isRefused ? html`<p class="fault" role="alert">Enter a valid email address, such as ada@${ownDomain}.</p>` : null}
<p class="hint">${appName} trusts this provider for addresses at ${ownDomain}. It verifies any other address by email.</p>
<div class="actions"><button type="submit">Continue</button><button type="submit" name="cancel" class="quiet">Cancel</button></div>
</form>`
}

function showPage(response: ServerResponse, status: number, main: ReturnType<typeof html>): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // Without form-action: what the form sends leads back to the app.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  response.end(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Log in to Demo</title>
<style>
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1a1a1a, #f2f2f2); background: light-dark(#e9f5f1, #0d1613); }
main { max-width: 26rem; margin: 12vh auto 2rem; padding: 1.75rem 1.5rem; background: light-dark(#fff, #17211e); border-radius: .5rem; }
@media (max-width: 30rem) { main { margin: 1rem; } }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; padding: .5rem .625rem; font: inherit; border: 1px solid #767676; border-radius: .375rem; }
.hint { font-size: .875rem; color: light-dark(#4b5563, #b6bcc6); }
.fault { margin: .25rem 0 0; font-weight: 600; color: light-dark(#a3001b, #ff9d94); }
.actions { display: flex; flex-wrap: wrap; gap: .625rem; }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: #fff; background: #0b6b4f; border: 1px solid #0b6b4f; border-radius: .375rem; cursor: pointer; }
.quiet { color: inherit; background: transparent; border-color: #767676; }
:focus-visible { outline: 3px solid light-dark(#1a1a1a, #f2f2f2); outline-offset: 2px; }
</style>
</head>
<body><main>${main}</main></body>
</html>
`.toString(),
  )
}
