import type { CallOptions } from './exchange.js'
import { keeperOf, type TokenService } from './token-keeper.js'

export interface AccessTokenOptions extends CallOptions {
  /** The token that the service has refused with a 401, if it has: then another one comes. */
  refused?: string | undefined
}

/**
 * `fetch` with the token, for the app's own routes.
 * @throws TypeError for another origin than the service's
 * @throws AccountsClientError if a refresh or the storage fails
 */
export async function fetchWithTokens(
  service: TokenService,
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const { fetch = globalThis.fetch } = service
  // A text or a URL has none of its parts.
  const request: Partial<Request> = input as Request
  const url = ownUrl(service, request.url ?? String(input))

  return keeperOf(service.tokens).use(
    service,
    init.signal ?? request.signal,
    false,
    async ({ access = '' }) => {
      const headers = new Headers(init.headers ?? request.headers)
      if (access) headers.set('authorization', `Bearer ${access}`)
      const reply = await fetch(request.clone?.() ?? url, {
        // Not every platform takes the header off for another origin.
        redirect: 'error',
        credentials: 'omit',
        ...init,
        headers,
      })
      // A stream can't be sent again.
      const isStream = (init.body as ReadableStream | undefined)?.getReader
      return [reply, !isStream && reply.status === 401 && (await refusesToken(reply)) && access]
    },
  )
}

/**
 * Whether it is the token that is refused: the app's own routes may have other reasons for a 401, and count attempts. From
 * another origin, a browser hides the header unless CORS exposes it.
 */
async function refusesToken(response: Response): Promise<boolean> {
  const said = response.headers.get('www-authenticate') + (await response.clone().text())
  return /invalid_token|"ACCOUNTS_LOGIN_REQUIRED"/.test(said)
}

/** The URL, if it is one of the service's origin. Without the class URL, which React Native has only in part. */
function ownUrl({ baseUrl = '' }: TokenService, url: string): string {
  const [origin] = /^https?:\/\/[^/?#\\]+/i.exec(baseUrl) ?? []
  const full = url.startsWith('/') ? origin + url : url
  if (origin && full.startsWith(`${origin}/`)) return full
  throw new TypeError(`Not at ${origin}: ${url}`)
}

/** A token that is good for a while, for what isn't sent with `fetch`; `null` if nobody is logged in. */
export const accessToken = (
  service: TokenService,
  { signal, refused }: AccessTokenOptions = {},
): Promise<string | null> =>
  keeperOf(service.tokens).use(service, signal, false, async ({ access = null }) => [
    access,
    access === refused && access,
  ])
