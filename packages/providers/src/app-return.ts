import { AccountsError, RuleError } from 'fastify-accounts'
import {
  type Client,
  type FeatureCore,
  fieldError,
  invalidInput,
  type Result,
} from 'fastify-accounts/features'
import { isRedirectUri } from './redirect-uris.js'

/** The app that a flow in the system browser goes back to. */
export interface AppReturn {
  redirectUri: string
  /** The app's own, returned as it is. */
  state: string
  /** Only who has the text behind it (PKCE, S256) can use what the flow ends with. */
  challenge: string
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT: a page, since nothing may be sent to another address */
export function appReturnOf(
  uris: readonly string[],
  query: { redirect_uri: string; state: string; code_challenge: string },
  options: FeatureCore['options'],
): AppReturn {
  const { redirect_uri: redirectUri, state, code_challenge: challenge } = query
  if (!isRedirectUri(uris, redirectUri, options)) throw invalidInput(fieldError('redirect_uri', 'invalid'))
  return { redirectUri, state, challenge }
}

/** Where the browser goes at the end of a flow of an app (RFC 6749 sections 4.1.2 and 4.1.2.1). */
export function appUrl({ redirectUri, state }: AppReturn, result: Record<string, string>): string {
  const separator = redirectUri.includes('?') ? '&' : '?'
  return `${redirectUri}${separator}${new URLSearchParams({ ...result, state })}`
}

/**
 * Sends an error of the work to the app.
 * @throws what is neither a documented error nor one of a rule of the app
 */
export async function endInApp(client: Client, app: AppReturn, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AccountsError || error instanceof RuleError)) throw error
    const { code, statusCode } = error
    const userId = error instanceof AccountsError ? error.userId : undefined
    client.note({ reason: code, ...(userId !== undefined && { user: { id: userId } }) })
    // The others have their own lines.
    if (statusCode === 500) client.log.error({ err: error }, 'accounts: the request failed')
    return {
      status: 303,
      location: appUrl(app, { error: oauthErrorOf(statusCode), error_description: code }),
    }
  }
}

function oauthErrorOf(statusCode: number): string {
  if (statusCode === 429 || statusCode === 503) return 'temporarily_unavailable'
  return statusCode >= 500 ? 'server_error' : 'access_denied'
}
