import { fileURLToPath } from 'node:url'
import fastifySwagger from '@fastify/swagger'
import { cover } from '@fastify-accounts/test-support/depth'
import { createConfig, lintFromString, loadConfig } from '@redocly/openapi-core'
import { Type } from '@sinclair/typebox'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AccountsOptions, errorTable } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'

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
  schema: { properties?: Record<string, { enum?: string[] }> }
  example?: unknown
  examples?: Record<string, { value: object }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, object> }
  tags: { name: string; description?: string }[]
}

type Order = 'before' | 'after'
const orders: Order[] = ['before', 'after']
const versions = ['3.1.0', '3.0.3']

/** Which documents are linted: it takes a second for each. */
const linted = cover(
  orders.flatMap((order) => versions.map((version) => [order, version] as const)),
  (each) => each,
)

const documents = new Map<string, Promise<Document>>()

/** The document of an app with two realms, with @fastify/swagger registered before or after. Made once. */
function documentOf(order: Order, version = '3.1.0', openapi: object = {}): Promise<Document> {
  const key = JSON.stringify([order, version, openapi])
  const document = documents.get(key) ?? makeDocument(order, version, openapi)
  documents.set(key, document)
  return document
}

async function makeDocument(order: Order, version: string, openapi: object): Promise<Document> {
  const app = Fastify()
  const swagger = () => app.register(fastifySwagger, { openapi: { openapi: version, info, ...openapi } })
  if (order === 'before') await swagger()
  await app.register(accounts, { ...options, users: { fields, publicFields: ['display_name'] } })
  await app.register(accounts, {
    ...options,
    users: true,
    prefix: '/staff',
    requireEmailConfirmation: true,
    session: { cookieName: 'staff' },
    decorateAs: { instance: 'staff', request: 'staffUser' },
  })
  if (order === 'after') await swagger()
  return swaggerOf(app)
}

async function swaggerOf(app: FastifyInstance): Promise<Document> {
  await app.ready()
  const document = JSON.parse(JSON.stringify(app.swagger()))
  await app.close()
  return document
}

function operationsOf({ paths }: Document): (Operation & { route: string })[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, route: `${method.toUpperCase()} ${path}` })),
  )
}

describe.each(orders)('@fastify/swagger registered %s the plugin', (order) => {
  const lintedVersions = linted.filter(([each]) => each === order).map(([, version]) => version)

  it.each(lintedVersions)('produces an OpenAPI %s document without Redocly findings', async (version) => {
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
    const source = JSON.stringify(await documentOf(order, version))
    const problems = await lintFromString({ source, config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    )
  })

  it.each(lintedVersions)('passes the shipped redocly.yaml, as OpenAPI %s', async (version) => {
    const config = await loadConfig({ configPath: root('redocly.yaml') })
    const app = {
      info: { ...info, license: { name: 'MIT', url: 'https://example.org/license' } },
      servers: [{ url: 'https://accounts.test' }],
    }
    const source = JSON.stringify(await documentOf(order, version, app))
    const problems = await lintFromString({ source, config })
    expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([])
  })

  it.each(lintedVersions)(
    'has only the Spectral warnings listed in the docs, as OpenAPI %s',
    async (version) => {
      const spectral = new Spectral()
      spectral.setRuleset({ extends: [oas as RulesetDefinition] })
      const app = {
        info: { title: 'Accounts', version: '1.0.0' },
        servers: [{ url: 'https://accounts.test' }],
      }
      const problems = await spectral.run(JSON.stringify(await documentOf(order, version, app)))
      expect([...new Set(problems.map(({ code }) => code))].toSorted()).toEqual([
        'info-contact',
        'info-description',
        'path-keys-no-trailing-slash',
      ])
    },
  )

  it('gives every operation a unique name, in both realms', async () => {
    const document = await documentOf(order)
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
    const described = operationsOf(await documentOf(order)).map(({ route }) => route)
    expect(described.filter((route) => !route.includes('/staff')).sort()).toEqual(mounted.sort())
  })

  it('describes each link page once if it is also available without a version', async () => {
    const documentWith = async (mount: Partial<AccountsOptions>) => {
      const app = Fastify()
      if (order === 'before') await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
      await app.register(accounts, { ...options, users: true, ...mount })
      if (order === 'after') await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
      return swaggerOf(app)
    }
    expect(await documentWith({ constraints: { version: '1.0.0' } })).toEqual(await documentWith({}))
  })

  it('documents who may call, and with which cookie', async () => {
    const { paths, components } = await documentOf(order)
    expect(components.securitySchemes).toMatchObject({
      accountsSession: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
      staffSession: { type: 'apiKey', in: 'cookie', name: '__Host-staff' },
    })
    expect(paths['/login/']?.post?.security).toEqual([])
    expect(paths['/me/']?.get?.security).toEqual([{ accountsSession: [] }])
    expect(paths['/staff/user/']?.post?.security).toEqual([{}, { staffSession: [] }])
  })

  it('documents bodies in both media types, pages alongside JSON, and each error under its status', async () => {
    const { paths } = await documentOf(order)
    const login = paths['/login/']?.post
    expect(Object.keys(login?.requestBody?.content ?? {})).toEqual([
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

    for (const { responses, route } of operationsOf(await documentOf(order))) {
      for (const [status, { content }] of Object.entries(responses).filter(([each]) => each >= '400')) {
        // Such a route rejects nobody, but the app's hooks may.
        if (status === '4XX') {
          expect(['GET /api-root/', 'GET /reset/d/']).toContain(route.replace('/staff', ''))
          continue
        }
        const json = content?.['application/json']
        for (const code of json?.schema.properties?.code?.enum ?? ['none']) {
          if (code.startsWith('FST_')) continue
          expect(errorTable[code as keyof typeof errorTable][0]).toBe(Number(status))
          expect(json?.examples?.[code]?.value).toMatchObject({ code, statusCode: Number(status) })
        }
      }
    }
  })

  it('omits from paths what is in the server URL', async () => {
    const app = Fastify()
    const swagger = () =>
      app.register(fastifySwagger, {
        openapi: { openapi: '3.1.0', info, servers: [{ url: 'https://example.org/api' }] },
      })
    if (order === 'before') await swagger()
    await app.register(accounts, { ...options, prefix: '/api' })
    if (order === 'after') await swagger()
    expect(Object.keys((await swaggerOf(app)).paths)).toContain('/login/')
  })

  it('also works as YAML, and as Swagger 2 unless OpenAPI is requested', async () => {
    const app = Fastify()
    const old = Fastify()
    if (order === 'before') await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
    if (order === 'before') await old.register(fastifySwagger)
    for (const each of [app, old]) await each.register(accounts, options)
    if (order === 'after') await app.register(fastifySwagger, { openapi: { openapi: '3.1.0', info } })
    if (order === 'after') await old.register(fastifySwagger)
    await app.ready()
    expect(app.swagger({ yaml: true })).toContain('accountsLogIn')
    await app.close()
    expect(await swaggerOf(old)).toMatchObject({ swagger: '2.0' })
  })
})

it('is the same document whether @fastify/swagger comes before or after', async () => {
  const sorted = (document: Document) => operationsOf(document).sort((a, b) => (a.route < b.route ? -1 : 1))
  const [before, after] = [sorted(await documentOf('before')), sorted(await documentOf('after'))]
  const bare = (operations: object[]) =>
    JSON.parse(
      JSON.stringify(operations, (name, value) =>
        name === 'headers' && Object.keys(value).length === 0 ? undefined : value,
      ),
    )
  expect(bare(after)).toEqual(bare(before))
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
