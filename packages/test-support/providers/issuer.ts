import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** Deviations in an issuer's responses, for tests of rejected responses. */
export interface Twist {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** Replaces the ID token; `null` leaves it out. */
  idToken?: string | null
  /** Signs with a key that the issuer does not publish. */
  forged?: boolean
  /** The response of the userinfo endpoint. */
  userinfo?: object
  /** Further fields in the response of the token endpoint: `refresh_token`, `expires_in`. */
  tokens?: object
  /** Replaces the response of the token endpoint. */
  token?: (response: ServerResponse, request: { headers: IncomingHttpHeaders; body: string }) => void
  /** Replaces the discovery document. */
  discovery?: (response: ServerResponse) => void
}

/** A small OpenID Connect issuer on loopback that tests can manipulate. */
export interface TestIssuer {
  url: string
  /** Number of requests by path. */
  asked: Map<string, number>
  metadata: Record<string, unknown>
  twist: Twist
  /** Whether it issues refresh tokens. */
  refreshes: boolean
  /** The last request body sent to the token endpoint. */
  sent: URLSearchParams
  /** A user logs in there; returns the parameters for the callback. */
  logIn(location: string, claims: Record<string, unknown>): URLSearchParams
  /** An ID token as an SDK gives it to an app, of the client id and with the nonce that the app gave. */
  issue(clientId: string, nonce: string | undefined, claims: Record<string, unknown>): string
  /** Replaces the signing key. */
  rotate(): void
  close(): Promise<void>
}

interface Key {
  kid: string
  privateKey: KeyObject
  jwk: object
}

let keys = 0
function newKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  keys += 1
  const kid = `key-${keys}`
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } }
}

// Generating a key takes longer than most tests, so all issuers start with the same one.
const firstKey = newKey()
const stranger = newKey()

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export async function startIssuer(port = 0): Promise<TestIssuer> {
  let key = firstKey
  const live = new Set<string>()
  let given = 0
  let begun = 0
  const codes = new Map<string, { nonce: string; challenge: string; claims: Record<string, unknown> }>()
  const server: Server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  // Doesn't keep the process alive after the tests.
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const self: TestIssuer = {
    url,
    asked: new Map(),
    metadata: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    },
    twist: {},
    refreshes: false,
    sent: new URLSearchParams(),
    logIn(location, claims) {
      const { searchParams } = new URL(location)
      begun += 1
      const code = `code-${begun}`
      codes.set(code, {
        nonce: searchParams.get('nonce') ?? '',
        challenge: searchParams.get('code_challenge') ?? '',
        claims,
      })
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: url })
    },
    issue: (clientId, nonce, claims) => idToken(clientId, { nonce, claims }),
    rotate() {
      key = newKey()
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }

  function idToken(
    clientId: string,
    { nonce, claims }: { nonce: string | undefined; claims: object },
  ): string {
    const { header, claims: twisted, forged } = self.twist
    const now = Math.floor(Date.now() / 1000)
    const standard = { iss: url, aud: clientId, iat: now, exp: now + 300, nonce, sub: 'subject' }
    const head = base64url({ alg: 'RS256', kid: key.kid, ...header })
    const body = base64url({ ...standard, ...claims, ...twisted })
    const signer = forged ? stranger : key
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), signer.privateKey).toString('base64url')
    return `${head}.${body}.${signature}`
  }

  /** New numbered tokens; with a refresh token if `refreshes` is set. */
  function granted(): object {
    given += 1
    const refresh = self.refreshes ? { refresh_token: `refresh-${given}` } : {}
    if (self.refreshes) live.add(`refresh-${given}`)
    return { access_token: `access-${given}`, token_type: 'Bearer', ...refresh, ...self.twist.tokens }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url)
    self.asked.set(pathname, (self.asked.get(pathname) ?? 0) + 1)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname.endsWith('/.well-known/openid-configuration'))
      return self.twist.discovery ? self.twist.discovery(response) : void json(200, self.metadata)
    if (pathname === '/jwks') return void json(200, { keys: [key.jwk] })
    if (pathname === '/userinfo') return void json(200, self.twist.userinfo ?? {})
    if (pathname !== '/token') return void json(404, {})
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    self.sent = new URLSearchParams(text)
    if (self.twist.token) return self.twist.token(response, { headers: request.headers, body: text })
    const refreshing = self.sent.get('refresh_token')
    if (refreshing !== null) {
      // Refresh tokens work once.
      if (!live.delete(refreshing)) return void json(400, { error: 'invalid_grant' })
      return void json(200, granted())
    }
    const code = self.sent.get('code') ?? ''
    const known = codes.get(code)
    codes.delete(code)
    if (known === undefined) return void json(400, { error: 'invalid_grant' })
    const token =
      self.twist.idToken === undefined ? idToken(self.sent.get('client_id') ?? '', known) : self.twist.idToken
    json(200, { ...granted(), ...(token !== null && { id_token: token }) })
  }
  return self
}
