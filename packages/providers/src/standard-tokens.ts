import type { CustomFetch } from 'openid-client'

/**
 * The token endpoint's responses as RFC 6749 has them, since the library takes nothing else: providers list the scopes,
 * write `null` or `''` for what there isn't, leave out the type of a bearer token, or report an error in a response of
 * their own.
 */
export function withStandardTokens(fetch: CustomFetch): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options)
    if (options.method !== 'POST') return response
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    if (typeof body !== 'object' || body === null) return response
    const error = errorIn(body as Body)
    const { status, statusText, headers } = response
    // GitHub and Slack send errors with 200.
    if (error !== null) return Response.json(error, { status: status === 200 ? 400 : status, headers })
    return Response.json(standardTokens(body as Body), { status, statusText, headers })
  }
}

type Body = Readonly<Record<string, unknown>>

/** Section 5.2, from Meta's `{ error: { message, type } }`, too. */
function errorIn({ error, error_description }: Body): Body | null {
  if (typeof error === 'string' && error !== '') return { error, error_description }
  if (typeof error !== 'object' || error === null) return null
  const { type, message } = error as Body
  return { error: typeof type === 'string' && type !== '' ? type : 'unknown', error_description: message }
}

/** Sections 5.1 and 3.3. Twitch lists the scopes. */
function standardTokens(body: Body): Body {
  const response = Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && value !== ''),
  )
  const { scope } = response
  return {
    ...(response.access_token !== undefined && { token_type: 'bearer' }),
    ...response,
    ...(Array.isArray(scope) && { scope: scope.join(' ') }),
  }
}
