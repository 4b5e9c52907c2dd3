import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorFacts, errorTable } from '../errors.js'
import { en } from '../languages/en.js'
import type { Json } from './openapi-examples.js'
import type { Route } from './route.js'

/** Every error code of a route: those of its guards, then those of its service. */
function errorsOf(route: Route, { asksForFactor }: { asksForFactor: boolean }): ErrorCode[] {
  const { isOpenToEnroll, isOpenToOtherSites, access, budget, method, schema } = route
  const isSafe = method === 'GET'
  const guarded = access !== 'anyone' && access !== 'anyone-known'
  const codes: (ErrorCode | false)[] = [
    (!isSafe || schema.querystring !== undefined) && 'ACCOUNTS_INVALID_INPUT',
    !isSafe && !isOpenToOtherSites && 'ACCOUNTS_CROSS_SITE',
    guarded && 'ACCOUNTS_LOGIN_REQUIRED',
    (access === 'confirmed' ||
      access === 'owner' ||
      (asksForFactor && access !== 'anyone' && !isOpenToEnroll)) &&
      'ACCOUNTS_CONFIRMATION_REQUIRED',
    asksForFactor && access !== 'anyone' && !isOpenToEnroll && 'ACCOUNTS_ENROLLMENT_REQUIRED',
    budget !== null && 'ACCOUNTS_THROTTLED',
    // A rule of the app's own in the database may refuse any change.
    !isSafe && !isOpenToOtherSites && 'ACCOUNTS_CONFLICT',
    (access !== 'anyone' || budget !== null) && 'ACCOUNTS_UNAVAILABLE',
    ...route.operation.errors,
  ]
  const given = codes.filter((code) => code !== false)
  const core = (Object.keys(errorTable) as ErrorCode[]).filter((code) => given.includes(code))
  return [...core, ...given.filter((code) => !Object.hasOwn(errorTable, code))]
}

/** The errors of a route by status, including those of Fastify for a body. */
export function refusals(route: Route, realm: { asksForFactor: boolean }): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(route, realm)) {
    const [status] = errorFacts(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const answers: [number, Json][] = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${errorFacts(code)[1]}`).join('\n\n'),
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': header('Seconds', 'integer') } }
        : {}),
      content: { 'application/json': errorContent(status, codes), ...pageOf(route) },
    },
  ])
  if (route.method !== 'GET') {
    answers.push(
      [413, fastifyError(413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'The body is too large.')],
      [415, fastifyError(415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE', 'The media type is not supported.')],
    )
  }
  if (!answers.some(([status]) => status < 500))
    return { '4XX': rejectedBefore(route), ...Object.fromEntries(answers) }
  return Object.fromEntries(answers)
}

/** A route that rejects nobody is still one of an app that may. */
function rejectedBefore(route: Route): Json {
  const text = { type: 'string' }
  const schema = {
    type: 'object',
    required: ['statusCode', 'error', 'message'],
    properties: { statusCode: { type: 'integer' }, code: text, error: text, message: text },
  }
  const example = {
    statusCode: 429,
    error: 'Too Many Requests',
    message: 'Rate limit exceeded, retry in 1 minute',
  }
  return {
    description:
      'The app rejected the request before it reached this route, for example by its own rate limit.',
    content: { 'application/json': { schema, example }, ...pageOf(route) },
  }
}

function errorContent(status: number, codes: readonly ErrorCode[]): Json {
  const withFields = codes.includes('ACCOUNTS_INVALID_INPUT')
  const title = STATUS_CODES[status] ?? 'Error'
  const example = (code: ErrorCode): Json => {
    const [, message] = errorFacts(code)
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
      field: { type: 'string', description: 'The name; empty if the error is about the whole body' },
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

/** The same response as a page, if the route has one. */
export function pageOf({ linkPage }: Route): Json {
  if (!linkPage) return {}
  const example = '<!doctype html>…'
  return { 'text/html': { schema: { type: 'string', description: 'The same as a page' }, example } }
}

export function header(description: string, type = 'string'): Json {
  return { type, description }
}
