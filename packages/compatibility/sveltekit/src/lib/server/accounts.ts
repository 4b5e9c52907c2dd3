import { env } from '$env/dynamic/private'

/** The visitor's headers to pass on to the service. */
const handedOn = ['accept-language', 'cookie', 'user-agent']

/** Calls the service on behalf of a visitor, and returns the cookies it set. */
export async function callService(
  visitor: { request: Request; getClientAddress(): string },
  path: string,
  init: RequestInit = {},
): Promise<{ response: Response; cookies: string[] }> {
  const headers = new Headers(init.headers)
  for (const name of handedOn) {
    const value = visitor.request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  // Rate limits count by it; the service trusts it because of `trustProxy`.
  headers.set('x-forwarded-for', visitor.getClientAddress())
  const response = await fetch(new URL(path, env.ACCOUNTS_URL), { ...init, headers, redirect: 'manual' })
  return { response, cookies: response.headers.getSetCookie() }
}
