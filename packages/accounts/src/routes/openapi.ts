import { STATUS_CODES } from 'node:http'
import { header, pageOf, refusals } from './openapi-errors.js'
import { exampleOf, forReaders, type Json, queryOf, requiredTexts } from './openapi-examples.js'
import type { Route, SwaggerTransform } from './route.js'

/** The document under way, as @fastify/swagger hands it to a transform: of OpenAPI, or of its ancestor Swagger 2. */
interface Document {
  tags?: { name: string; description?: string }[]
  components?: { securitySchemes?: Json }
}

/** What the document says of one mount of the plugin. */
export interface Realm {
  /** Goes before each operation id, and is the tag: the name of the instance decorator. */
  name: string
  /** Of the cookie that carries the session. */
  cookieName: string
  newPassword: { minLength: number; maxLength: number }
  /** Whether somebody must have a second factor, and is asked for it everywhere. */
  asksForFactor: boolean
}

/** Mounts of the same name in one document, in scopes of their own, are told apart by a number. */
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
    // The other spelling, without the slash or with it, is the same route.
    if (url.endsWith('/') !== route.path.endsWith('/')) return { schema: { ...schema, hide: true }, url }
    // Swagger 2 has neither media types of their own for a response, nor cookies.
    if (openapiObject === undefined) return { schema, url }
    const name = nameIn(openapiObject, realm)
    return { schema: describe(route, { ...realm, name }, addRealm(openapiObject, name, realm)), url }
  }
}

/** Adds what the operations refer to: the tag and the security scheme. What the host has given stays as it is. */
function addRealm(document: Document, name: string, { cookieName }: Realm): string {
  const schemeName = `${name}Session`
  document.components = {
    ...document.components,
    securitySchemes: {
      ...document.components?.securitySchemes,
      [schemeName]: { type: 'apiKey', in: 'cookie', name: cookieName, description: 'Set by the login.' },
    },
  }
  if (!document.tags?.some((tag) => tag.name === name)) {
    document.tags = [...(document.tags ?? []), { name, description: 'User accounts: fastify-accounts.' }]
  }
  return schemeName
}

const callers: Record<Route['access'], string> = {
  anyone: 'Anyone may call it.',
  'anyone-known': 'Anyone may call it; a session is read if one is sent.',
  'logged-in': 'Requires a session.',
  confirmed: 'Requires a session with a recent login.',
}

/** A route in the words of @fastify/swagger. */
function describe(route: Route, realm: Realm, schemeName: string): Json {
  const { schema } = route
  const { id, summary, query } = route.operation
  const body = schema.body === undefined ? null : forReaders(schema.body as Json, realm.newPassword)
  return {
    operationId: realm.name + capitalized(id),
    summary,
    description: `${summary}. ${callers[route.access]}`,
    tags: [realm.name],
    security: securityOf(route, schemeName),
    ...(body && {
      consumes: ['application/json', 'application/x-www-form-urlencoded'],
      body: { ...body, examples: [exampleOf(body)] },
    }),
    ...(schema.params ? { params: forReaders(schema.params as Json, realm.newPassword) } : {}),
    ...(schema.querystring ? { querystring: queryOf(schema.querystring as Json) } : {}),
    ...(query && { querystring: requiredTexts(query) }),
    response: { ...successes(route, realm), ...refusals(route, realm) },
  }
}

/** One of several; an empty one is no session. */
function securityOf({ access }: Route, schemeName: string): Json[] {
  const session = { [schemeName]: [] }
  if (access === 'anyone') return []
  return access === 'anyone-known' ? [{}, session] : [session]
}

function successes(route: Route, realm: Realm): Json {
  const answers = Object.entries((route.schema.response ?? {}) as Record<string, Json>).map(
    ([status, given]): [string, Json] => {
      const headers = successHeaders(route, status)
      const description = STATUS_CODES[status] ?? 'Success'
      if (given.type === 'null') return [status, { type: 'null', description, headers }]
      const schema = forReaders(given, realm.newPassword)
      const json = { schema, example: exampleOf(schema) }
      return [status, { description, headers, content: { 'application/json': json, ...pageOf(route) } }]
    },
  )
  // Who has sent a form is told on a page.
  if (route.formPage !== undefined) {
    const description = 'To a client that prefers text/html'
    const headers = { Location: header('The page that says it is done') }
    const page = { description, content: pageOf(route) }
    answers.push(route.operation.redirects ? ['303', { type: 'null', description, headers }] : ['200', page])
  }
  return Object.fromEntries(answers)
}

function successHeaders({ access, action, method }: Route, status: string): Json {
  return {
    ...(/^login/.test(action) && { 'Set-Cookie': header('The cookie of the session') }),
    ...(status === '201' && access !== 'confirmed' && { Location: header('Where the user is shown') }),
    ...(action === 'list-users' && method === 'GET' && { Link: header('The next page, as rel="next"') }),
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
