import { AccountsClientError, type CallError } from './error.js'
import { type Exchange, noTokens } from './exchange.js'
import type { Result } from './result.js'
import { type Attempt, asLogin, keeperOf, type TokenService } from './token-keeper.js'
import type { TokenStorage } from './token-storage.js'
import type { Tokens } from './wire.js'

/** The routes that log in if they succeed at once. */
const logsIn = /^(app-)?login(?!-(with(-app)?|code|passkey-options)$)|^signup-passkey$/
/** The others that deliver tokens; a test compares them with the service's. */
const continues = /^(change-)?password$|^(totp-)?confirm(-with-(token|code))?$|^second-factor$/

/**
 * Sends one request to a route of the service, and keeps the tokens and the state of its response.
 * @param ask sends it with other options
 * @param isRead whether it changes nothing
 */
export function sendWithTokens<Data, Status extends number>(
  service: TokenService,
  ask: (service: Exchange) => Promise<Result<Data, Status>>,
  name: string,
  isRead: boolean,
  signal: AbortSignal | undefined,
): Promise<Result<Data, Status>> {
  const keeper = keeperOf(service.tokens)

  const attempt: Attempt<Result<Data, Status>> = async ({ access, refresh, state: oldState }) => {
    let state: string | null | undefined
    const result = await ask({
      ...service,
      headers: {
        ...service.headers,
        'accounts-delivery': deliveryOf(service.tokens),
        ...(access && { authorization: `Bearer ${access}` }),
        ...(oldState && { 'accounts-state': oldState }),
        // Shows that the caller has more than a copy of the access token.
        ...(refresh &&
          !isRead &&
          (logsIn.test(name) || continues.test(name)) && { 'accounts-refresh': refresh }),
      },
      onState: (header) => {
        state = header
      },
    })
    if (!result.ok)
      return [result, result.error.code === 'ACCOUNTS_LOGIN_REQUIRED' && access, undefined, state]
    const { tokens, ...data } = { ...result.data } as { tokens?: Tokens }
    const { status } = result
    if (tokens) {
      // Nothing but tokens: a browser would get a 204.
      const isEmpty = Object.keys(data).length === 0
      Object.assign(result, isEmpty ? { status: 204, data: undefined } : { data })
    }
    const isMissing = !tokens && !isRead && (status as number) !== 202 && logsIn.test(name)
    return [
      isMissing ? noTokens(status) : result,
      undefined,
      tokens && logsIn.test(name) ? asLogin(tokens) : tokens,
      state,
    ]
  }

  // The newest state must have arrived before it is sent back.
  return (
    keeper
      .use(service, signal, !isRead, attempt, name === 'logout' || logsIn.test(name))
      // Whatever the service says, this device has no tokens afterwards.
      .finally(() => name === 'logout' && keeper.replace(null))
      .catch((error) => {
        if (error instanceof AccountsClientError) return { ok: false, error: error as CallError }
        throw error
      })
  )
}

/** The name may have any characters, so it is a Display String (RFC 9651 section 3.3.8). */
function deliveryOf({ name }: TokenStorage): string {
  const shown = name && encodeURIComponent(name).replace(/%../g, (octet) => octet.toLowerCase())
  return shown ? `tokens; name=%"${shown}"` : 'tokens'
}
