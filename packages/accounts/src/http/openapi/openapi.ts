import { STATUS_CODES } from 'node:http'
import type { TokenLimits } from '../../sessions/session-tokens.js'
import type { Route, SwaggerTransform } from '../route.js'
import { nameOf, withReferences } from './openapi-components.js'
import { header, pageOf, type RealmErrors, refusals } from './openapi-errors.js'
import { addWebhooks, type WithWebhooks } from './openapi-events.js'
import { exampleOf, forReaders, type Json, queryOf, requiredTexts } from './openapi-examples.js'

/** The document being built, as @fastify/swagger passes it to a transform: OpenAPI, or its predecessor Swagger 2. */
interface Document extends WithWebhooks {
  tags?: { name: string; description?: string }[]
}

/** How the document describes one mount of the plugin. */
export interface Realm extends RealmErrors {
  /** The prefix of each operation id and component, and the tag: the name of the instance decorator. */
  name: string
  /** Of the session cookie. */
  cookieName: string
  newPassword: { minLength: number; maxLength: number }
  /** Absent if sessions are only delivered as cookies. */
  tokens: Pick<TokenLimits, 'refreshes'> | undefined
  /** Whether the app's own routes may take API keys. */
  hasApiKeys: boolean
  /** Whether bodies are described as forms as well. */
  forms: boolean
  /** Whether browsers get the page after a form of a link at another URL. */
  hasPages: boolean
  /** The `data` of each event that it sends, by type. */
  events: Readonly<Record<string, object>>
}

/** Mounts with the same name in one document, in different scopes, are numbered. */
const namesIn = new WeakMap<object, Map<string, Realm>>()

function nameIn(document: object, realm: Realm): string {
  const names = namesIn.get(document) ?? new Map<string, Realm>()
  namesIn.set(document, names)
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? realm.name : `${realm.name}${count}`
    const owner = names.get(name)
    if (owner !== undefined && owner !== realm) continue
    names.set(name, realm)
    return name
  }
}

export function swaggerTransform(route: Route, realm: Realm): SwaggerTransform {
  return ({ schema = {}, url, openapiObject }) => {
    // The other spelling, with or without the slash, is the same route.
    if (url.endsWith('/') !== route.path.endsWith('/')) return { schema: { ...schema, hide: true }, url }
    // Swagger 2 has neither media types for single responses, nor cookies.
    if (openapiObject === undefined) return { schema, url }
    const name = nameIn(openapiObject, realm)
    addWebhooks(openapiObject, name, realm.events)
    const operation = describe(route, { ...realm, name }, addRealm(openapiObject, name, realm))
    return { schema: withReferences(operation, openapiObject, capitalized(name)) as Json, url }
  }
}

/**
 * Adds what the operations refer to: the tag and the security schemes. The host's own entries stay.
 * @returns the names of the schemes, of which one suffices
 */
function addRealm(document: Document, name: string, { cookieName, tokens, hasApiKeys }: Realm): string[] {
  const own = {
    [`${name}Session`]: { type: 'apiKey', in: 'cookie', name: cookieName, description: 'Set by the login.' },
    ...(tokens && {
      [`${name}Token`]: {
        type: 'http',
        scheme: 'bearer',
        description: 'The access token of a login with `Accounts-Delivery: tokens`.',
      },
    }),
  }
  // For the app's own routes: none of ours takes one.
  const keys = { type: 'http', scheme: 'bearer', description: 'An API key; its scopes say what it may do.' }
  document.components = {
    ...document.components,
    securitySchemes: {
      ...document.components?.securitySchemes,
      ...own,
      ...(hasApiKeys && { [`${name}ApiKey`]: keys }),
    },
  }
  if (!document.tags?.some((tag) => tag.name === name)) {
    document.tags = [...(document.tags ?? []), { name, description: 'User accounts: fastify-accounts.' }]
  }
  return Object.keys(own)
}

const callers: Record<Route['access'], string> = {
  anyone: 'Anyone may call it.',
  'anyone-known': 'Anyone may call it; a session is read if one is sent.',
  'logged-in': 'Requires a session.',
  confirmed: 'Requires a session with a recent login.',
  owner:
    'Requires a session with a recent login; on an account with a login passkey, one by passkey or by a code to an address that has not changed lately.',
}

/** Describes a route in the format of @fastify/swagger. */
function describe(route: Route, realm: Realm, schemes: readonly string[]): Json {
  const { schema } = route
  const { id, summary, query } = route.operation
  const body = schema.body === undefined ? null : forReaders(schema.body as Json, realm.newPassword)
  return {
    operationId: realm.name + capitalized(id),
    summary,
    description: `${summary}. ${callers[route.access]}`,
    tags: [realm.name],
    security: securityOf(route, schemes),
    ...(body && {
      consumes: ['application/json', ...(realm.forms ? ['application/x-www-form-urlencoded'] : [])],
      body: { ...body, examples: [exampleOf(body)] },
    }),
    ...(schema.params ? { params: forReaders(schema.params as Json, realm.newPassword) } : {}),
    ...(schema.querystring ? { querystring: queryOf(schema.querystring as Json) } : {}),
    ...(query && { querystring: requiredTexts(query) }),
    ...(realm.tokens && route.operation.setsSession && { headers: headersOf(route, realm.tokens) }),
    response: { ...successes(route, realm), ...refusals(route, realm) },
  }
}

/** One alternative suffices; an empty one means no session. */
function securityOf({ access }: Route, schemes: readonly string[]): Json[] {
  const session = schemes.map((name) => ({ [name]: [] }))
  if (access === 'anyone') return []
  return access === 'anyone-known' ? [{}, ...session] : session
}

/** What a request that starts or continues a session may have. */
function headersOf({ access }: Route, { refreshes }: NonNullable<Realm['tokens']>): Json {
  const continues = access === 'logged-in' || access === 'owner'
  return { type: 'object', properties: { ...deliveryHeaders, ...(refreshes && continues && refreshHeaders) } }
}

const refreshHeaders = {
  'Accounts-Refresh': {
    type: 'string',
    description:
      'The newest refresh token, besides the access token: the response then has a new one, even if the request proves nothing else',
  },
}

const deliveryHeaders = {
  'Accounts-Delivery': {
    type: 'string',
    description: '`tokens` instead of a cookie, with a name of the device if it has one',
    examples: ['tokens; name="Phone"'],
  },
  'Accounts-State': {
    type: 'string',
    description: 'The newest one that a response had, for clients with tokens',
  },
}

function successes(route: Route, realm: Realm): Json {
  const responses = Object.entries((route.schema.response ?? {}) as Record<string, Json>).map(
    ([status, reply]): [string, Json] => {
      const headers = successHeaders(route, realm, status)
      const description = STATUS_CODES[status] ?? 'Success'
      if (reply.type === 'null') return [status, { type: 'null', description, headers }]
      const schema = forReaders(reply, realm.newPassword)
      const json = nameOf(schema) === undefined ? { schema, example: exampleOf(schema) } : { schema }
      return [status, { description, headers, content: { 'application/json': json, ...pageOf(route) } }]
    },
  )
  if (route.operation.redirects || (realm.hasPages && route.linkPage && route.method === 'POST')) {
    const headers = {
      ...successHeaders(route, realm, '303'),
      Location: header('Where the browser goes next'),
    }
    responses.push(['303', { type: 'null', description: 'Redirects a browser', headers }])
  } else if (route.formAgain !== undefined && !responses.some(([status]) => status === '200')) {
    // The page after submitting the form, where JSON is another status.
    const description = 'To a client that prefers text/html'
    responses.push([
      '200',
      { description, headers: successHeaders(route, realm, '200'), content: pageOf(route) },
    ])
  }
  return Object.fromEntries(responses)
}

function successHeaders(
  { access, action, method, operation }: Route,
  { tokens }: Realm,
  status: string,
): Json {
  // A 202 only promises an email.
  const isDelivery = operation.setsSession && status !== '202'
  return {
    ...(isDelivery && { 'Set-Cookie': header('The cookie of the session') }),
    ...(isDelivery &&
      tokens && {
        'Accounts-State': header('Instead of other cookies: to be sent back from now on'),
        ...(!tokens.refreshes && { 'Accounts-Access-Token': header('The same as in `tokens`') }),
      }),
    ...(status === '201' && access.startsWith('anyone') && { Location: header('Where the user is shown') }),
    ...(action === 'list-users' && method === 'GET' && { Link: header('The next page, as rel="next"') }),
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
