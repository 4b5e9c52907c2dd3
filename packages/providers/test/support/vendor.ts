import { generateKeyPairSync, sign } from 'node:crypto'
import { vi } from 'vitest'

/** A request to a vendor's server. */
export interface Asked {
  url: string
  headers: Headers
  body: URLSearchParams
}

/** A vendor at its real addresses, stubbed so that no request leaves this machine. */
export interface Vendor {
  /** The requests, in order. */
  asked: Asked[]
  /** Claims of the next ID token, in addition to the usual ones. */
  claims: Record<string, unknown>
  /** The token endpoint's response, if not an ID token. */
  tokens: unknown
  /** More documents by URL; a `Response` is returned as it is. */
  documents: Record<string, unknown>
  /** A user logs in there; returns the callback's parameters. */
  logIn(location: string, claims?: Record<string, unknown>): URLSearchParams
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'vendor', alg: 'RS256', use: 'sig' }

/**
 * @param documentUrl the URL of the discovery document; `null` for an OAuth 2 server
 * @param tokenUrl the URL of the token endpoint
 */
export function startVendor(
  documentUrl: string | null,
  document: Record<string, unknown>,
  tokenUrl = String(document.token_endpoint),
): Vendor {
  const self: Vendor = {
    asked: [],
    claims: {},
    tokens: undefined,
    documents: {
      ...(documentUrl !== null && { [documentUrl]: document }),
      ...(documentUrl !== null && { [String(document.jwks_uri)]: { keys: [jwk] } }),
    },
    logIn(location, claims = {}) {
      const { searchParams } = new URL(location)
      self.claims = { ...claims, nonce: searchParams.get('nonce') ?? undefined }
      return new URLSearchParams({ code: 'the-code', state: searchParams.get('state') ?? '' })
    },
  }

  function idToken(clientId: string): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: document.issuer, aud: clientId, iat: now, exp: now + 3600, ...self.claims }
    const text = `${part({ alg: 'RS256', kid: 'vendor' })}.${part(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
  }

  vi.stubGlobal('fetch', async (target: string | URL, init: RequestInit = {}) => {
    const url = String(target)
    const body = new URLSearchParams(String(init.body ?? ''))
    self.asked.push({ url, headers: new Headers(init.headers), body })
    const basics = { access_token: 'access', token_type: 'Bearer' }
    if (url === tokenUrl)
      return Response.json(self.tokens ?? { ...basics, id_token: idToken(body.get('client_id') ?? '') })
    const found = self.documents[url]
    if (found instanceof Response) return found.clone()
    if (url in self.documents) return Response.json(found)
    return Response.json({ message: 'Not Found' }, { status: 404 })
  })
  return self
}
