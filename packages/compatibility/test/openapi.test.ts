import { fileURLToPath } from 'node:url'
import fastifySwagger from '@fastify/swagger'
import { createConfig, lintFromString, loadConfig } from '@redocly/openapi-core'
import { Type } from '@sinclair/typebox'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  type AccountsFeature,
  type AccountsOptions,
  apiKeys,
  errorTable,
  invitations,
  tokens,
} from 'fastify-accounts'
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

const options: AccountsOptions = {
  secret: 'a test needs no better secret than this one',
  baseUrl: 'https://example.org',
  mailer: { send: async () => {} },
}
const fields = Type.Object({
  display_name: Type.String({ minLength: 1, maxLength: 80 }),
  locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('de')])),
})
const root = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
const info = { title: 'An app', version: '1.0.0' }

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  parameters?: { name: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object; example: object }> }
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Content> }>
}
interface Content {
  schema: Schema
}
interface Schema {
  $ref?: string
  type?: string | string[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, { enum?: string[] }>
  examples?: object[]
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> }
  tags: { name: string; description?: string }[]
}

/** The names of the components that a part of a document refers to. */
function referredTo(part: unknown): string[] {
  const refs = JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  return [...new Set([...refs].map(([, name = '']) => name))]
}

const versions = ['3.1.0', '3.0.3']

const documents = new Map<string, Promise<Document>>()

/** The document of an app with two realms. Made once. */
function documentOf(version = '3.1.0', openapi: object = {}): Promise<Document> {
  const key = JSON.stringify([version, openapi])
  const document = documents.get(key) ?? makeDocument(version, openapi)
  documents.set(key, document)
  return document
}

/** As an app describes a route of its own that programs call. */
const ordersSchema = {
  operationId: 'listOrders',
  summary: 'List orders',
  description: 'Lists orders.',
  tags: ['staff'],
  security: [{ staffApiKey: [] }, { staffSession: [] }],
  response: {
    200: { type: 'array', items: { type: 'string' }, description: 'The orders' },
    '4xx': { type: 'object', properties: {}, description: 'Refused' },
  },
}

/** A feature of another package, with an event of its own. */
const clubs: AccountsFeature & { events: string[] } = { name: 'clubs', events: ['club.joined'] }

async function makeDocument(version: string, openapi: object): Promise<Document> {
  const app = Fastify()
  await app.register(fastifySwagger, { openapi: { openapi: version, info, ...openapi } })
  await app.register(accounts, { ...options, users: { fields, publicFields: ['display_name'] } })
  await app.register(accounts, {
    ...options,
    users: true,
    prefix: '/staff',
    requireEmailConfirmation: true,
    session: { cookieName: 'staff' },
    decorateAs: { instance: 'staff', request: 'staffUser' },
    openapi: { forms: true, webhooks: true },
    features: [tokens(), apiKeys({ scopes: ['orders:read'] }), invitations(), clubs],
  })
  app.get('/orders', { schema: ordersSchema }, async () => [])
  return swaggerOf(app)
}

async function swaggerOf(app: FastifyInstance): Promise<Document> {
  await app.ready()
  const document = JSON.parse(JSON.stringify(app.swagger()))
  await app.close()
  return document
}

/** Those of the plugin, without the app's own. */
function operationsOf({ paths }: Document): (Operation & { route: string })[] {
  const { '/orders': _, ...ours } = paths
  return Object.entries(ours).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, route: `${method.toUpperCase()} ${path}` })),
  )
}

describe('@fastify/swagger', () => {
  it.each(versions)('produces an OpenAPI %s document without Redocly findings', async (version) => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        'no-invalid-media-type-examples': 'error',
        'operation-operationId-unique': 'error',
        // Up to the app.
        'info-license': 'off',
        'no-server-example.com': 'off',
        'no-empty-servers': 'off',
        // The contract's paths have a trailing slash.
        'no-path-trailing-slash': 'off',
      },
    })
    const source = JSON.stringify(await documentOf(version))
    const problems = await lintFromString({ source, config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    )
  })

  it.each(versions)('passes the shipped redocly.yaml, as OpenAPI %s', async (version) => {
    const config = await loadConfig({ configPath: root('redocly.yaml') })
    const app = {
      info: { ...info, license: { name: 'MIT', url: 'https://example.org/license' } },
      servers: [{ url: 'https://accounts.test' }],
    }
    const source = JSON.stringify(await documentOf(version, app))
    const problems = await lintFromString({ source, config })
    expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([])
  })

  it.each(versions)('has only the Spectral warnings listed in the docs, as OpenAPI %s', async (version) => {
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [oas as RulesetDefinition] })
    const app = {
      info: { title: 'Accounts', version: '1.0.0' },
      servers: [{ url: 'https://accounts.test' }],
    }
    const problems = await spectral.run(JSON.stringify(await documentOf(version, app)))
    expect([...new Set(problems.map(({ code }) => code))].toSorted()).toEqual([
      'info-contact',
      'info-description',
      'path-keys-no-trailing-slash',
    ])
  })

  it('gives every operation a unique name, in both realms', async () => {
    const document = await documentOf()
    const operations = operationsOf(document)
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining(['accountsLogIn', 'staffLogIn', 'accountsSignUp', 'accountsCreateUser']),
    )
    expect(document.tags.map(({ description }) => typeof description)).not.toContain('undefined')
    for (const { operationId, summary, description, tags } of operations) {
      expect(description).toMatch(/^[A-Z].+\. [A-Z].+\.$/s)
      const [tag = ''] = tags
      expect([summary.length > 5, tags.length, operationId.startsWith(tag)]).toEqual([true, 1, true])
      expect(document.tags.map(({ name }) => name)).toContain(tag)
    }
  })

  it('has every route of GET /api-root/, and nothing else', async () => {
    const app = Fastify()
    await app.register(accounts, { ...options, users: true })
    const index: Record<string, { methods: string[]; href: string }> = (await app.inject('/api-root/')).json()
    await app.close()
    const mounted = Object.values(index).flatMap(({ methods, href }) =>
      methods.map((method) => `${method} ${href.replace(options.baseUrl, '')}`),
    )
    const described = operationsOf(await documentOf()).map(({ route }) => route)
    expect(described.filter((route) => !route.includes('/staff')).sort()).toEqual(mounted.sort())
  })

  it('describes each link page once if it is also available without a version', async () => {
    const documentWith = async (mount: Partial<AccountsOptions>) => {
      const app = Fastify()
      await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
      await app.register(accounts, { ...options, users: true, ...mount })
      return swaggerOf(app)
    }
    expect(await documentWith({ constraints: { version: '1.0.0' } })).toEqual(await documentWith({}))
  })

  it('documents who may call, and with which cookie or token', async () => {
    const { paths, components } = await documentOf()
    expect(components.securitySchemes).toMatchObject({
      accountsSession: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
      staffSession: { type: 'apiKey', in: 'cookie', name: '__Host-staff' },
      staffToken: { type: 'http', scheme: 'bearer' },
      staffApiKey: { type: 'http', scheme: 'bearer' },
    })
    expect(components.securitySchemes).not.toHaveProperty('accountsApiKey')
    const { '/orders': orders, ...ours } = paths
    expect(orders?.get?.security).toContainEqual({ staffApiKey: [] })
    expect(JSON.stringify(ours)).not.toContain('ApiKey":[]')
    expect(components.securitySchemes).not.toHaveProperty('accountsToken')
    expect(paths['/login/']?.post?.security).toEqual([])
    expect(paths['/me/']?.get?.security).toEqual([{ accountsSession: [] }])
    expect(paths['/staff/user/']?.post?.security).toEqual([{}, { staffSession: [] }, { staffToken: [] }])
  })

  it('documents tokens only where clients may ask for them', async () => {
    const { paths, components } = await documentOf()
    const login = paths['/staff/login/']?.post
    expect(login?.parameters?.map(({ name }) => name)).toEqual(['Accounts-Delivery', 'Accounts-State'])
    expect(login?.responses['200']?.headers).toHaveProperty('Accounts-State')
    const change = paths['/staff/change-password/']?.post?.parameters
    expect(change?.map(({ name }) => name)).toContain('Accounts-Refresh')
    expect(components.schemas.StaffUserWithTokens?.properties).toHaveProperty('tokens')
    expect(Object.keys(paths['/staff/confirm/']?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '204']),
    )
    expect(JSON.stringify(paths['/login/'])).not.toContain('okens')
    expect(JSON.stringify(paths['/staff/me/'])).not.toContain('okens')
    expect(JSON.stringify(paths)).not.toContain('Accounts-Access-Token')
  })

  it('says nothing of refresh tokens where there are none, and where the access token is as well', async () => {
    const app = Fastify()
    await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
    await app.register(accounts, { ...options, users: true, features: [tokens({ refresh: false })] })
    const { paths, components } = await swaggerOf(app)
    expect(JSON.stringify([paths, components]).match(/.{0,40}refresh.{0,40}/gi)).toBeNull()
    for (const [path, status] of [
      ['/login/', '200'],
      ['/confirm/', '200'],
      ['/change-password/', '200'],
    ] as const)
      expect(paths[path]?.post?.responses[status]?.headers).toHaveProperty('Accounts-Access-Token')
    expect(Object.keys(components.schemas.AccountsTokens?.properties ?? {})).toEqual([
      'access_token',
      'token_type',
      'expires_in',
    ])
  })

  it('documents JSON bodies, with `openapi.forms` forms as well, pages alongside JSON, and each error under its status', async () => {
    const { paths, components } = await documentOf()
    const login = paths['/login/']?.post
    // Generated clients of orval send no Content-Type if there are two.
    expect(Object.keys(login?.requestBody?.content ?? {})).toEqual(['application/json'])
    expect(Object.keys(paths['/staff/login/']?.post?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ])
    expect(login?.requestBody?.content['application/json']?.example).toMatchObject({ username: 'ada' })
    expect(paths['/user/']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
      properties: { display_name: { maxLength: 80 }, password: { minLength: 8, format: 'password' } },
      required: expect.arrayContaining(['username', 'display_name']),
    })
    expect(Object.keys(paths['/reset/{uid64}/{token}/']?.get?.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/html',
    ])
    const limit = paths['/user/']?.get?.parameters?.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ required: false, schema: { default: 50 } })

    for (const { responses, route } of operationsOf(await documentOf())) {
      // Every request may have two Host headers, and every body may stop arriving.
      expect([route, Object.keys(responses)]).toEqual([route, expect.arrayContaining(['400'])])
      expect([route, '408' in responses]).toEqual([route, !route.startsWith('GET')])
      for (const [status, { content }] of Object.entries(responses).filter(([each]) => each >= '400')) {
        expect(status).toMatch(/^\d{3}$/)
        const names = referredTo(content?.['application/json'])
        expect([route, status, names.length > 0]).toEqual([route, status, true])
        for (const name of names) {
          const { allOf: [error, narrowed] = [], examples = [] } = components.schemas[name] ?? {}
          expect(error).toEqual({
            $ref: `#/components/schemas/${route.includes('/staff') ? 'Staff' : 'Accounts'}Error`,
          })
          const [code = 'none'] = narrowed?.properties?.code?.enum ?? []
          expect(examples).toMatchObject([{ code, statusCode: Number(status) }])
          if (code.startsWith('FST_')) continue
          expect(errorTable[code as keyof typeof errorTable][0]).toBe(Number(status))
        }
      }
    }
  })

  it('has each schema once, as a component of its realm', async () => {
    const { paths, webhooks, components } = await documentOf()
    const names = Object.keys(components.schemas)
    expect(names).toEqual(
      expect.arrayContaining(
        ['User', 'PublicUser', 'Session', 'Error', 'FieldError', 'NotFoundError'].flatMap((name) => [
          `Accounts${name}`,
          `Staff${name}`,
        ]),
      ),
    )
    // Nothing dangles, and nothing is unused.
    expect(referredTo({ paths, webhooks, components }).sort()).toEqual(names.sort())
    expect(components.schemas.AccountsUser?.properties).toHaveProperty('display_name')
    expect(components.schemas.StaffUser?.properties).not.toHaveProperty('display_name')
    const own = paths['/me/']?.get?.responses['200']?.content?.['application/json']?.schema
    expect(own).toEqual({ $ref: '#/components/schemas/AccountsUser' })
    // In neither the responses nor other components.
    const copies = operationsOf(await documentOf()).flatMap(({ responses }) =>
      Object.values(responses).map(({ content }) => content?.['application/json']?.schema),
    )
    expect(copies.filter((schema) => schema?.properties !== undefined)).toEqual([])
  })

  it('describes the events of features that are on as webhooks, where the app asks for it', async () => {
    const { webhooks = {}, components } = await documentOf()
    const groups = new Set(Object.keys(webhooks).map((type) => type.split('.').slice(0, -1).join('.')))
    expect([...groups].toSorted()).toEqual(
      ['api_key', 'club', 'invitation', 'mail', 'service', 'session', 'user', 'users'].map(
        (group) => `staff.${group}`,
      ),
    )
    expect(webhooks).toHaveProperty(['staff.session.tokens_reused'])
    const created = webhooks['staff.user.created']?.post
    expect(created?.operationId).toBe('staffUserCreated')
    expect(created?.requestBody?.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/StaffUserCreatedEvent' } },
    })
    const { allOf: [body, narrowed] = [], examples } = components.schemas.StaffUserCreatedEvent ?? {}
    expect(body).toEqual({ $ref: '#/components/schemas/StaffEvent' })
    expect(narrowed?.properties).toMatchObject({ type: { enum: ['user.created'] } })
    expect(examples).toMatchObject([
      { type: 'user.created', data: { origin: 'self' }, actor: { kind: 'request' } },
    ])
    expect(await documentOf('3.0.3')).not.toHaveProperty('webhooks')
  })

  it('omits from paths what is in the server URL', async () => {
    const app = Fastify()
    await app.register(fastifySwagger, {
      openapi: { openapi: '3.1.0', info, servers: [{ url: 'https://example.org/api' }] },
    })
    await app.register(accounts, { ...options, prefix: '/api' })
    expect(Object.keys((await swaggerOf(app)).paths)).toContain('/login/')
  })

  it('also works as YAML, and as Swagger 2 unless OpenAPI is requested', async () => {
    const app = Fastify()
    const old = Fastify()
    await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
    await old.register(fastifySwagger)
    for (const each of [app, old]) await each.register(accounts, options)
    await app.ready()
    expect(app.swagger({ yaml: true })).toContain('accountsLogIn')
    await app.close()
    expect(await swaggerOf(old)).toMatchObject({ swagger: '2.0' })
  })
})

it('describes verification as JSON and as a page, with a body for each way, one proof in an example, and public users as others see them', async () => {
  const { paths, components } = await documentOf()
  const verify = paths['/user/v/{uid64}/{token}/']?.post
  expect(Object.keys(verify?.responses['200']?.content ?? {})).toEqual(['application/json', 'text/html'])
  expect(verify?.requestBody).toBeUndefined()
  const fieldsOf = (path: string) => {
    const schema = paths[path]?.post?.requestBody?.content['application/json']?.schema
    return Object.keys((schema as Schema | undefined)?.properties ?? {})
  }
  expect(fieldsOf('/user/v/{uid64}/{token}/new-password/')).toEqual([
    ...['new_password', 'confirm_password', 'username', 'profile'],
  ])
  const exampleOf = (path: string) => paths[path]?.post?.requestBody?.content['application/json']?.example
  for (const path of ['/user/v/{uid64}/{token}/password/', '/confirm/'])
    expect(exampleOf(path)).toEqual({ password: 'seven-green-lanterns' })
  const [shown] = components.schemas.AccountsPublicUser?.examples ?? []
  expect(Object.keys(shown as object).sort()).toEqual(['display_name', 'id', 'username'])
})

it('is incomplete if it is registered after the plugin, which a warning says', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line) => void lines.push(line) } } })
  await app.register(accounts, options)
  await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
  expect((await swaggerOf(app)).paths).toEqual({})
  expect(lines.map((line) => JSON.parse(line).code)).toContain('ACCOUNTS_WARN_LATE_SWAGGER')
})

it('distinguishes two realms of the same name', async () => {
  const app = Fastify()
  await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
  for (const name of ['a', 'b']) {
    await app.register(async (scope) => {
      await scope.register(accounts, { ...options, prefix: `/${name}`, session: { cookieName: name } })
    })
  }
  const { paths } = await swaggerOf(app)
  expect([paths['/a/login/']?.post?.operationId, paths['/b/login/']?.post?.operationId]).toEqual([
    'accountsLogIn',
    'accounts2LogIn',
  ])
})

describe('next to schemas of the app', () => {
  const User = { type: 'object', properties: { name: { type: 'string' } } }

  it('leaves them alone, whether they are shared, in the options of @fastify/swagger or of Zod', async () => {
    const app = Fastify()
    const schemas = { AccountsUser: User, User }
    await app.register(fastifySwagger, {
      openapi: { openapi: '3.1.0', info, components: { schemas } as object },
      refResolver: { buildLocalReference: (json, _uri, _fragment, at) => String(json.$id ?? `def-${at}`) },
      transformObject: jsonSchemaTransformObject,
    })
    app.addSchema({ $id: 'Session', ...User })
    const registry = z.globalRegistry.add(z.object({ text: z.string() }), { id: 'Detail' })
    onTestFinished(() => void registry.clear())
    await app.register(accounts, options)
    app.get('/own', { schema: { response: { 200: { $ref: 'Session#' } } } as object }, () => ({}))
    const { paths, components } = await swaggerOf(app)
    expect(components.schemas).toMatchObject({ ...schemas, Session: User })
    expect(components.schemas.Detail?.properties).toHaveProperty('text')
    expect(components.schemas.AccountsDetail?.properties).toHaveProperty('detail')
    expect(JSON.stringify(paths['/own'])).toContain('"#/components/schemas/Session"')
    // Its name is taken, so ours stays where it is.
    const own = paths['/me/']?.get?.responses['200']?.content?.['application/json']?.schema
    expect(own?.properties).toHaveProperty('is_verified')
    const list = paths['/sessions/']?.get?.responses['200']?.content?.['application/json']?.schema
    expect(list).toEqual({ $ref: '#/components/schemas/AccountsSessionList' })
    expect(app.getSchemas()).toEqual({ Session: expect.anything() })
  })
})
