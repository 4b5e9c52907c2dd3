import { type CallOptions, type Exchange, exchange, type Method } from './exchange.js'
import { filled, queryOf } from './path.js'
import type { Result } from './result.js'
import { sendWithTokens } from './send-with-tokens.js'
import { keepsTokens, type Service } from './token-keeper.js'

/**
 * Requests to the routes below a prefix, by their names. A link about an address has it in its query, as in the email.
 */
export const requestsTo =
  <Name extends string>(service: Service, defaults: Readonly<Record<Name, string>>, prefix = '') =>
  <Data, Status extends number>(
    method: Method,
    name: Name,
    call: CallOptions = {},
    body?: object,
    params: object = {},
    query: object = { email: (params as { email?: string }).email },
  ): Promise<Result<Data, Status>> => {
    const path = prefix + filled(service.paths?.[name] ?? defaults[name], params) + queryOf(query)
    const ask = (given: Exchange) => exchange<Data, Status>(given, method, path, body, call)
    // The bodies of some routes say which token they are about.
    return keepsTokens(service) && !name.startsWith('tokens-')
      ? sendWithTokens(service, ask, name, method === 'GET', call.signal)
      : ask(service)
  }
