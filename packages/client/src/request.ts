import { type CallOptions, type ClientOptions, type Exchange, exchange, type Method } from './exchange.js'
import { filled, queryOf } from './path.js'
import type { Result } from './result.js'
import { sendWithTokens } from './send-with-tokens.js'
import { keepsTokens } from './token-keeper.js'

/**
 * Requests to the routes below a prefix, by name and default path: `login /login/`. A link about an address has it in its
 * query, as in the email.
 */
export const requestsTo =
  (service: ClientOptions, prefix = '') =>
  <Data, Status extends number>(
    method: Method,
    route: `${string} /${string}`,
    call: CallOptions = {},
    body?: object,
    params: object = {},
    query: object = { email: (params as { email?: string }).email },
  ): Promise<Result<Data, Status>> => {
    const [name, usual] = route.split(' ') as [string, string]
    const path = prefix + filled(service.paths?.[name] ?? usual, params) + queryOf(query)
    const ask = (target: Exchange) => exchange<Data, Status>(target, method, path, body, call)
    // The bodies of some routes say which token they are about.
    return keepsTokens(service) && !name.startsWith('tokens-')
      ? sendWithTokens(service, ask, name, method === 'GET', call.signal)
      : ask(service)
  }
