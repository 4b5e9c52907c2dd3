import { named, nameOf } from '../openapi/openapi-components.js'
import type { Route } from '../route.js'
import { accessTokenReply, onlyAccessTokenReply, onlyTokensReply, tokensReply } from './schemas.js'

/**
 * A route that starts or continues a session, where its client may ask for tokens: each response to a success may have
 * `tokens`, and one without a body gets a body then.
 * @param refreshes whether there are refresh tokens
 */
export function withTokens<Given extends Route>(route: Given, refreshes: boolean): Given {
  if (!route.operation.setsSession) return route
  const tokens = refreshes ? tokensReply : accessTokenReply
  const replies = route.schema.response as Readonly<Record<string, Reply>>
  const response: Record<string, Reply> = {
    ...replies,
    ...(replies['204'] && !replies['200'] && { 200: refreshes ? onlyTokensReply : onlyAccessTokenReply }),
  }
  for (const [status, schema] of Object.entries(replies)) {
    if (schema.type === 'object' && status.startsWith('20')) response[status] = withThem(schema, tokens)
  }
  return { ...route, schema: { ...route.schema, response } }
}

interface Reply {
  type?: string
  properties?: object
}

function withThem(schema: Reply, tokens: object): Reply {
  const name = nameOf(schema)
  const extended = { ...schema, properties: { ...schema.properties, tokens } }
  return name === undefined ? extended : named(`${name}WithTokens`, extended)
}
