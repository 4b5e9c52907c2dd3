import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorTable } from '../errors.js'
import { en } from '../languages/en.js'
import { operations } from './operations.js'
import type { Route, SwaggerTransform } from './route.js'

/** A JSON schema, or a part of an OpenAPI document. */
type Json = { [name: string]: unknown }

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
  minPasswordLength: number
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

/** A route in the words of @fastify/swagger. */
function describe(route: Route, realm: Realm, schemeName: string): Json {
  const { schema } = route
  const { id, summary, query } = operationOf(route)
  const body = schema.body === undefined ? null : forReaders(schema.body as Json, realm)
  return {
    operationId: realm.name + capitalized(id),
    summary,
    tags: [realm.name],
    security: securityOf(route, schemeName),
    ...(body && {
      consumes: ['application/json', 'application/x-www-form-urlencoded'],
      body: { ...body, examples: [exampleOf(body)] },
    }),
    ...(schema.params ? { params: forReaders(schema.params as Json, realm) } : {}),
    ...(schema.querystring ? { querystring: queryOf(schema.querystring as Json) } : {}),
    ...(query && { querystring: requiredTexts(query) }),
    response: { ...successes(route, realm), ...refusals(route) },
  }
}

/** One of several; an empty one is no session. */
function securityOf({ access }: Route, schemeName: string): Json[] {
  const session = { [schemeName]: [] }
  if (access === 'anyone') return []
  return access === 'anyone-known' ? [{}, session] : [session]
}

function operationOf({ method, path }: Route) {
  const operation = operations[`${method} ${path}`]
  if (operation === undefined) throw new Error(`fastify-accounts: ${method} ${path} is not described`)
  return operation
}

function successes(route: Route, realm: Realm): Json {
  const answers = Object.entries((route.schema.response ?? {}) as Record<string, Json>).map(
    ([status, given]): [string, Json] => {
      const headers = successHeaders(route, status)
      const description = STATUS_CODES[status] ?? 'Success'
      if (given.type === 'null') return [status, { type: 'null', description, headers }]
      const schema = forReaders(given, realm)
      const json = { schema, example: exampleOf(schema) }
      return [status, { description, headers, content: { 'application/json': json, ...pageOf(route) } }]
    },
  )
  // Who has sent a form is told on a page.
  if (route.formPage !== undefined) {
    const description = 'To a client that prefers text/html'
    const headers = { Location: header('The page that says it is done') }
    const page = { description, content: pageOf(route) }
    answers.push(
      operationOf(route).redirects ? ['303', { type: 'null', description, headers }] : ['200', page],
    )
  }
  return Object.fromEntries(answers)
}

function successHeaders({ action, method }: Route, status: string): Json {
  return {
    ...(action === 'login' && { 'Set-Cookie': header('The cookie of the session') }),
    ...(status === '201' && { Location: header('Where the user is shown') }),
    ...(action === 'list-users' && method === 'GET' && { Link: header('The next page, as rel="next"') }),
  }
}

/** Every code that a route refuses with: what its guards say, then what its service says. */
export function errorsOf(route: Route): ErrorCode[] {
  const { access, budget, method, schema } = route
  const isSafe = method === 'GET'
  const guarded = access !== 'anyone' && access !== 'anyone-known'
  const codes: (ErrorCode | false)[] = [
    (!isSafe || schema.querystring !== undefined) && 'ACCOUNTS_INVALID_INPUT',
    !isSafe && 'ACCOUNTS_CROSS_SITE',
    guarded && 'ACCOUNTS_LOGIN_REQUIRED',
    access === 'confirmed' && 'ACCOUNTS_CONFIRMATION_REQUIRED',
    budget !== null && 'ACCOUNTS_THROTTLED',
    (access !== 'anyone' || budget !== null) && 'ACCOUNTS_UNAVAILABLE',
    ...operationOf(route).errors,
  ]
  return Object.keys(errorTable).filter((code) => codes.includes(code as ErrorCode)) as ErrorCode[]
}

/** The errors of a route by their status, and those of Fastify that a body can come to. */
function refusals(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(route)) {
    const [status] = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const answers: [number, Json][] = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code][1]}`).join('\n\n'),
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': header('Seconds', 'integer') } }
        : {}),
      content: { 'application/json': errorContent(status, codes), ...pageOf(route) },
    },
  ])
  if (route.method !== 'GET') {
    answers.push(
      [413, fastifyError(413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'The body is too large.')],
      [415, fastifyError(415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE', 'The media type is not taken.')],
    )
  }
  return Object.fromEntries(answers)
}

function errorContent(status: number, codes: readonly ErrorCode[]): Json {
  const withFields = codes.includes('ACCOUNTS_INVALID_INPUT')
  const title = STATUS_CODES[status] ?? 'Error'
  const example = (code: ErrorCode): Json => {
    const [, message] = errorTable[code]
    const fields = [{ field: 'password', code: 'too_short', message: en.fields.too_short }]
    const common = { statusCode: status, code, error: title, message }
    return { value: code === 'ACCOUNTS_INVALID_INPUT' ? { ...common, fields } : common }
  }
  return {
    schema: errorSchema(status, codes, withFields),
    examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
  }
}

function errorSchema(status: number, codes: readonly string[], withFields: boolean): Json {
  const text = { type: 'string' }
  const field = {
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: {
      field: { type: 'string', description: 'The name; empty where the body as a whole is at fault' },
      code: { type: 'string', enum: Object.keys(en.fields) },
      message: text,
    },
  }
  return {
    type: 'object',
    required: ['statusCode', 'code', 'error', 'message'],
    properties: {
      statusCode: { type: 'integer', enum: [status] },
      code: { type: 'string', enum: codes },
      error: text,
      message: text,
      ...(withFields && { fields: { type: 'array', items: field } }),
    },
  }
}

function fastifyError(status: number, code: string, description: string): Json {
  const schema = errorSchema(status, [code], false)
  const example = { statusCode: status, code, error: STATUS_CODES[status], message: description }
  return { description, content: { 'application/json': { schema, example } } }
}

function pageOf({ linkPage }: Route): Json {
  if (!linkPage) return {}
  const example = '<!doctype html>…'
  return { 'text/html': { schema: { type: 'string', description: 'The same as a page' }, example } }
}

function header(description: string, type = 'string'): Json {
  return { type, description }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const isPassword = /password$/

/** A schema without the formats of our own validator; passwords are told as such, new ones with their least length. */
function forReaders(schema: Json, { minPasswordLength }: Realm): Json {
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const isCreation = 'confirm_password' in properties
  const readable = Object.entries(properties).map(([name, property]) => {
    const { format, ...rest } = property
    if (format !== 'text') return [name, property]
    if (!isPassword.test(name)) return [name, rest]
    const isNew = isCreation && name !== 'old_password'
    return [name, { ...rest, format: 'password', ...(isNew && { minLength: minPasswordLength }) }]
  })
  return { ...schema, properties: Object.fromEntries(readable) }
}

/** What has a default may be left out, which a validator's schema does not say. */
function queryOf(schema: Json): Json {
  const properties = schema.properties as Record<string, Json>
  const required = ((schema.required ?? []) as string[]).filter(
    (name) => !('default' in (properties[name] ?? {})),
  )
  return { ...schema, required }
}

function requiredTexts(texts: Readonly<Record<string, string>>): Json {
  const properties = Object.entries(texts).map(([name, description]) => [
    name,
    { type: 'string', description, example: known[name] },
  ])
  return { type: 'object', required: Object.keys(texts), properties: Object.fromEntries(properties) }
}

/** Values that a reader knows again; what is not among them is made from its schema. */
const known: Json = {
  id: '019aa5a0-4f8e-7d7e-8f5c-0a51c5a9d2f1',
  pk: '019aa5a0-4f8e-7d7e-8f5c-0a51c5a9d2f1',
  username: 'ada',
  email: 'ada@example.org',
  password: 'seven-green-lanterns',
  confirm_password: 'nine-red-balloons',
  new_password: 'nine-red-balloons',
  old_password: 'seven-green-lanterns',
  browser: 'Firefox',
  system: 'Linux',
  ip: '192.0.2.7',
  remember: true,
  is_verified: false,
  is_staff: false,
  is_active: true,
  last_login_at: null,
  detail: 'What happened, in words.',
  next: null,
}

/** An example that the schema allows. */
function exampleOf(schema: Json, name = ''): unknown {
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (name !== '' && name in known) return known[name]
  const [choice] = (schema.anyOf ?? schema.oneOf ?? schema.enum ?? []) as unknown[]
  if (choice !== undefined) return typeof choice === 'object' ? exampleOf(choice as Json, name) : choice
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
      const example = Object.fromEntries(properties.map(([key, each]) => [key, exampleOf(each, key)]))
      // The same again: at creation it stands beside another field than at a change.
      if ('confirm_password' in example) example.confirm_password = example.new_password ?? example.password
      return example
    }
    case 'array':
      return [exampleOf((schema.items ?? {}) as Json, name)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'null':
      return null
    default:
      return schema.format === 'date-time'
        ? '2026-01-31T09:30:00.000Z'
        : 'text'.padEnd(Number(schema.minLength ?? 0), 't')
  }
}
