import { named, nameOf } from '../openapi/openapi-components.js'
import type { Route } from '../route.js'
import { onlyTokensReply, tokensReply } from './schemas.js'

/**
 * A route that starts or continues a session, where its client may ask for tokens: each response to a success may have
 * `tokens`, and one without a body gets a body then.
 */
export function withTokens<Given extends Route>(route: Given): Given {
  if (!route.operation.setsSession) return route
  const replies = route.schema.response as Readonly<Record<string, Reply>>
  const response: Record<string, Reply> = {
    ...replies,
    ...(replies['204'] && !replies['200'] && { 200: onlyTokensReply }),
  }
  for (const [status, schema] of Object.entries(replies)) {
    if (schema.type === 'object' && status.startsWith('20')) response[status] = withThem(schema)
  }
  return { ...route, schema: { ...route.schema, response } }
}

interface Reply {
  type?: string
  properties?: object
}

function withThem(schema: Reply): Reply {
  const name = nameOf(schema)
  const extended = { ...schema, properties: { ...schema.properties, tokens: tokensReply } }
  return name === undefined ? extended : named(`${name}WithTokens`, extended)
}
