import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A certified issuer. */
export interface Certified {
  url: string
  /** How many times it asked a user to log in. */
  logins: number
  close(): void
}

/** The client that it knows. */
export const certifiedClient = { clientId: 'app', clientSecret: 'a secret of the app' }

/** A certified server that logs everyone in as ada and grants consent automatically. */
export async function startCertified(callback: string, conformIdTokenClaims = false): Promise<Certified> {
  const server: Server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: certifiedClient.clientId,
        client_secret: certifiedClient.clientSecret,
        redirect_uris: [callback],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    // Whether the claims of scopes are only at the UserInfo endpoint.
    conformIdTokenClaims,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: 'ada@example.org',
        email_verified: true,
        preferred_username: 'ada',
      }),
    }),
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc
      const grant = new ctx.oidc.provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const self: Certified = {
    url,
    logins: 0,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    self.logins += 1
    void provider.interactionFinished(request, response, { login: { accountId: 'ada-1' } })
  })
  return self
}
