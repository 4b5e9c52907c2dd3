import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorFacts, errorTable, type ReasonTexts } from '../../errors.js'
import { en } from '../../languages/en.js'
import type { Route } from '../route.js'
import { named } from './openapi-components.js'
import type { Json } from './openapi-examples.js'

/** What the errors of a route depend on besides the route. */
export interface RealmErrors {
  /** Whether some users must have a second factor, which then every route may require. */
  asksForFactor: boolean
  /** Every code that a route of the realm can return. */
  errorCodes: readonly string[]
  /** The rules of `before` that the app has. */
  rules: readonly string[]
  /** The reasons of codes, in English. */
  reasons: ReasonTexts
}

/** The codes of the core, of features, and of Fastify. */
export function codesOf(features: readonly { errors?: object }[]): string[] {
  const ofFeatures = features.flatMap(({ errors = {} }) => Object.keys(errors))
  return [...Object.keys(errorTable), ...ofFeatures, ...Object.keys(fastifyErrors)]
}

/** Every error code of a route: those that follow from its guards, then those of its operation. */
function errorsOf(route: Route, { asksForFactor }: Pick<RealmErrors, 'asksForFactor'>): ErrorCode[] {
  const { isOpenToEnroll, isOpenToOtherSites, access, budget, method } = route
  const isSafe = method === 'GET'
  const guarded = access !== 'anyone' && access !== 'anyone-known'
  // By `users.names`, a body may have no username.
  const takesName = 'username' in ((route.schema.body as { properties?: object })?.properties ?? {})
  const codes: (ErrorCode | false)[] = [
    'ACCOUNTS_INVALID_INPUT',
    !isSafe && !isOpenToOtherSites && 'ACCOUNTS_CROSS_SITE',
    guarded && 'ACCOUNTS_LOGIN_REQUIRED',
    (access === 'confirmed' ||
      access === 'owner' ||
      (asksForFactor && access !== 'anyone' && !isOpenToEnroll)) &&
      'ACCOUNTS_CONFIRMATION_REQUIRED',
    asksForFactor && access !== 'anyone' && !isOpenToEnroll && 'ACCOUNTS_ENROLLMENT_REQUIRED',
    budget !== null && 'ACCOUNTS_THROTTLED',
    !isSafe && 'ACCOUNTS_REQUEST_TIMEOUT',
    // A rule of the app's own in the database may refuse any change.
    !isSafe && !isOpenToOtherSites && 'ACCOUNTS_CONFLICT',
    (access !== 'anyone' || budget !== null) && 'ACCOUNTS_UNAVAILABLE',
    // Those whom `showUser` hides seem not to exist.
    (route.operation.authorize ?? []).some((rule) => rule !== 'showUser') && 'ACCOUNTS_FORBIDDEN',
    ...(route.operation.errors ?? []).filter((code) => takesName || code !== 'ACCOUNTS_USERNAME_TAKEN'),
  ]
  const ownCodes = codes.filter((code) => code !== false)
  const core = (Object.keys(errorTable) as ErrorCode[]).filter((code) => ownCodes.includes(code))
  return [...core, ...ownCodes.filter((code) => !Object.hasOwn(errorTable, code))]
}

/** The errors of a route by status, including those of Fastify for a body. */
export function refusals(route: Route, realm: RealmErrors): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(route, realm)) {
    const [status] = errorFacts(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const mayRefuse = route.operation.asks?.some((rule) => realm.rules.includes(rule)) ?? false
  const responses: [string, Json][] = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${errorFacts(code)[1]}`).join('\n\n'),
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': header('Seconds', 'integer') } }
        : {}),
      content: {
        'application/json': {
          schema: oneOf([
            ...codes.map((code) => errorSchema(code, realm)),
            ...(mayRefuse && status < 500 ? [ruleErrorBody] : []),
          ]),
        },
        ...pageOf(route),
      },
    },
  ])
  if (route.method !== 'GET') {
    for (const [code, [status, description]] of Object.entries(fastifyErrors)) {
      const content = { 'application/json': { schema: errorSchema(code, realm) } }
      responses.push([String(status), { description, content }])
    }
  }
  if (mayRefuse) {
    const content = { 'application/json': { schema: ruleErrorBody }, ...pageOf(route) }
    responses.push(['4XX', { description: 'A rule of the app refused it, with a code of its own.', content }])
  }
  return Object.fromEntries(responses)
}

/** Of a body, by code: status and description. */
const fastifyErrors = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The media type is not supported.'],
} as const

function oneOf(schemas: Json[]): Json {
  const [only] = schemas
  return only !== undefined && schemas.length === 1 ? only : { oneOf: schemas }
}

/** The one form of all errors, with this code. */
function errorSchema(code: string, { errorCodes, reasons }: RealmErrors): Json {
  const type = 'object'
  const reasonTexts = Object.entries(reasons[code] ?? {})
  const properties = {
    code: { type: 'string', enum: [code] },
    // No enumeration: a later version may have more, which clients treat like the code without a reason.
    ...(reasonTexts.length > 0 && {
      reason: {
        type: 'string',
        description: reasonTexts.map(([name, meaning]) => `\`${name}\`: ${meaning}`).join('\n\n'),
        examples: reasonTexts.map(([name]) => name),
      },
    }),
  }
  const narrowed = { type, required: ['code'], properties }
  const schema = { allOf: [errorBody(errorCodes), narrowed], examples: [exampleOf(code)] }
  return named(`${typeName(code)}Error`, schema)
}

/** `ACCOUNTS_NOT_FOUND` is `NotFound`, below the name of the realm. */
function typeName(code: string): string {
  const words = code
    .replace(/^(ACCOUNTS|FST_ERR_CTP)_/, '')
    .toLowerCase()
    .split('_')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function exampleOf(code: string): Json {
  const [status, message] = Object.hasOwn(fastifyErrors, code)
    ? fastifyErrors[code as keyof typeof fastifyErrors]
    : errorFacts(code as ErrorCode)
  const fields = [{ field: 'password', code: 'too_short', message: en.fields.too_short }]
  const common = { statusCode: status, code, error: STATUS_CODES[status] ?? 'Error', message }
  return code === 'ACCOUNTS_INVALID_INPUT' ? { ...common, fields } : common
}

const text = { type: 'string' }
const fieldErrorBody = named('FieldError', {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string', description: 'The name; empty if the error is about the whole body' },
    code: { type: 'string', enum: Object.keys(en.fields) },
    message: text,
  },
})
function errorBody(codes: readonly string[]): Json {
  return named('Error', {
    type: 'object',
    required: ['statusCode', 'code', 'error', 'message'],
    properties: {
      statusCode: { type: 'integer' },
      code: { type: 'string', enum: codes },
      reason: { type: 'string', description: 'Why, with a code that has several meanings' },
      error: text,
      message: text,
      fields: { type: 'array', items: fieldErrorBody, description: 'With `ACCOUNTS_INVALID_INPUT`' },
      factors: {
        type: 'array',
        items: text,
        description: 'What completes the login, or confirms it, in the order in which to offer it',
      },
      provider: { type: 'string', description: 'The login provider that the error is about' },
    },
    examples: [exampleOf('ACCOUNTS_INVALID_INPUT')],
  })
}

/** What a rule of the app refuses with. */
const ruleErrorBody = named('RuleError', {
  type: 'object',
  required: ['statusCode', 'code', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    code: { type: 'string', description: 'Of the app: it begins with neither `ACCOUNTS_` nor `FST_`' },
    error: text,
    message: text,
    fields: { type: 'array', items: fieldErrorBody, description: 'What is wrong with single fields' },
  },
  examples: [
    { statusCode: 403, code: 'MYAPP_CLOSED', error: 'Forbidden', message: 'Sign-up opens on Monday.' },
  ],
})

/** The same response as a page, if the route has one. */
export function pageOf({ linkPage }: Route): Json {
  if (!linkPage) return {}
  const example = '<!doctype html>…'
  return { 'text/html': { schema: { type: 'string', description: 'The same as a page' }, example } }
}

export function header(description: string, type = 'string'): Json {
  return { type, description }
}
