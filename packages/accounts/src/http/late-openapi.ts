import type { FastifyInstance, RouteOptions } from 'fastify'
import { convert } from './openapi-conversion.js'
import type { SwaggerTransform } from './route.js'

type Json = { [name: string]: unknown }
type Generate = (options?: { yaml?: boolean }) => object | string

/** The part of an OpenAPI 3 document that is added to. */
interface Document {
  openapi?: string
  servers?: { url: string }[]
  paths: { [path: string]: Json }
}

/**
 * Adds this scope's routes to a @fastify/swagger registered after us. It only sees routes registered after
 * it, so it gets what it would have made of ours.
 */
export function describeLate(app: FastifyInstance, scope: FastifyInstance): void {
  if (app.hasDecorator('swagger')) return
  const routes: RouteOptions[] = []
  scope.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    if (!app.hasDecorator('swagger')) return
    const owner = ownerOf(app)
    const generate = owner.swagger
    const told = new WeakSet<object>()
    owner.swagger = (options) => {
      const document = generate() as Document
      if (document.openapi === undefined) return generate(options)
      if (!told.has(document)) for (const route of routes) addOperation(document, route)
      told.add(document)
      // JSON is also YAML (YAML 1.2).
      return options?.yaml ? JSON.stringify(document, null, 2) : document
    }
  })
}

/** The decorated instance: ours, or one that it inherits from. */
function ownerOf(app: object): { swagger: Generate } {
  return Object.hasOwn(app, 'swagger') ? (app as { swagger: Generate }) : ownerOf(Object.getPrototypeOf(app))
}

function addOperation(document: Document, route: RouteOptions): void {
  const { swaggerTransform } = (route.config ?? {}) as { swaggerTransform?: SwaggerTransform }
  if (route.method === 'HEAD' || swaggerTransform === undefined) return
  const asked = { schema: route.schema ?? {}, url: route.url, openapiObject: document }
  const { hide, ...schema } = swaggerTransform(asked).schema as Json
  if (hide) return
  const path = pathIn(document, route.url)
  const operation = convert(operationOf(schema), document)
  document.paths[path] = { ...document.paths[path], [String(route.method).toLowerCase()]: operation }
}

/** As in @fastify/swagger: the path of a server isn't repeated. */
function pathIn({ servers = [] }: Document, url: string): string {
  let path = url
  for (const server of servers) {
    const base = server.url.startsWith('/') ? server.url : new URL(server.url).pathname
    if (base !== '/' && path.startsWith(base)) path = path.slice(base.length)
  }
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function operationOf({ body, consumes, params, querystring, response, ...rest }: Json): Json {
  // In the order of @fastify/swagger.
  const parameters = [...parametersOf('query', querystring), ...parametersOf('path', params)]
  const { examples, ...schema } = (body ?? {}) as { examples?: unknown[] }
  const media = { schema, example: examples?.[0] }
  const content = Object.fromEntries(((consumes ?? []) as string[]).map((type) => [type, media]))
  return {
    ...rest,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content } }),
    responses: Object.fromEntries(
      Object.entries(response as Json).map(([status, each]) => [status, responseOf(each)]),
    ),
  }
}

function parametersOf(place: 'path' | 'query', given: unknown): Json[] {
  const { properties = {}, required = [] } = (given ?? {}) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, each]) => {
    const { description, ...schema } = each as Json
    const about = description === undefined ? {} : { description }
    return { name, in: place, required: required.includes(name), ...about, schema }
  })
}

function responseOf(given: unknown): Json {
  const { type: _, headers = {}, ...rest } = given as Json
  const described = Object.entries(headers as Json).map(([name, each]) => {
    const { description, ...schema } = each as Json
    return [name, { description, schema }]
  })
  return { ...rest, headers: Object.fromEntries(described) }
}
