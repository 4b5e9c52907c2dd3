import { env } from '$env/dynamic/private'

/** Headers of the visitor that the service is to see. */
const handedOn = ['accept-language', 'cookie', 'user-agent']

/** Calls the service in the name of a visitor, and says what cookies came back. */
export async function callService(
  visitor: { request: Request; getClientAddress(): string },
  path: string,
  init: RequestInit = {},
): Promise<{ answer: Response; cookies: string[] }> {
  const headers = new Headers(init.headers)
  for (const name of handedOn) {
    const value = visitor.request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  // The limits of tries count by it; the service believes it because of `trustProxy`.
  headers.set('x-forwarded-for', visitor.getClientAddress())
  const answer = await fetch(new URL(path, env.ACCOUNTS_URL), { ...init, headers, redirect: 'manual' })
  return { answer, cookies: answer.headers.getSetCookie() }
}
