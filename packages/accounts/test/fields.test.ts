import fastifySwagger from '@fastify/swagger'
import {
  baseUrl,
  cheapHasher,
  cookieOf,
  goodPassword,
  logIn,
  outbox,
  secret,
  signUp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, expectTypeOf, it } from 'vitest'
import accounts, {
  type Accounts,
  type AccountUser,
  type FieldsSchema,
  type JsonValue,
  type UserFields,
} from '../src/index.js'

const fields = Type.Object({
  display_name: Type.String({ minLength: 1, maxLength: 80 }),
  locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('de')])),
})

// Own names, so this doesn't conflict with the other tests' declarations, like a second realm.
declare module 'fastify' {
  interface FastifyInstance {
    members: Accounts<typeof fields>
  }
  interface FastifyRequest {
    member: AccountUser<typeof fields> | null
  }
}

async function membersApp(before: (app: FastifyInstance) => unknown = () => {}): Promise<FastifyInstance> {
  const app = Fastify()
  await before(app)
  await app.register(accounts, {
    secret,
    baseUrl,
    users: { fields, publicFields: ['display_name'] },
    decorateAs: { instance: 'members', request: 'member' },
    passwordHasher: cheapHasher(),
    mailer: outbox(),
  })
  return app
}

const creation = { username: 'ada', password: goodPassword, confirm_password: goodPassword }

describe('own fields', () => {
  it('are validated at creation, stored, returned, and typed in the request', async () => {
    const app = await membersApp()
    app.get('/hello', { onRequest: app.members.requireUser }, async (request) => {
      expectTypeOf(request.member?.fields.display_name).toEqualTypeOf<string | undefined>()
      expectTypeOf(app.members.userOf(request).fields.locale).toEqualTypeOf<'en' | 'de' | undefined>()
      // @ts-expect-error: no such field was declared
      request.member?.fields.nickname
      return `hello ${request.member?.fields.display_name}, ${app.members.userOf(request).fields.locale}`
    })
    const create = (extra: object) =>
      app.inject({ method: 'POST', url: '/user/', payload: { ...creation, ...extra } })

    const refused = await create({ locale: 'fr', nickname: 'a' })
    expect(
      refused
        .json()
        .fields.map((fault: { field: string }) => fault.field)
        .sort(),
    ).toEqual(expect.arrayContaining(['display_name', 'locale', 'nickname']))
    const created = await create({ display_name: 'Ada L.', locale: 'en' })
    expect(created.json()).toMatchObject({ username: 'ada', display_name: 'Ada L.', locale: 'en' })

    const login = { username: 'ada', password: goodPassword }
    const cookie = cookieOf(await app.inject({ method: 'POST', url: '/login/', payload: login }))
    const get = (url: string) => app.inject({ url, headers: { cookie } })
    expect((await get('/me/')).json()).toMatchObject({ display_name: 'Ada L.', locale: 'en' })
    expect((await get('/hello')).body).toBe('hello Ada L., en')
    expect((await get('/user/')).json().results).toEqual([
      { id: created.json().id, username: 'ada', display_name: 'Ada L.' },
    ])
  })

  it('are closed internally as well, and return no default for users without a value', async () => {
    const service = await testApp({
      users: {
        fields: {
          type: 'object',
          properties: {
            newsletter: { type: 'boolean', default: true },
            prefs: { type: 'object', properties: { theme: { type: 'string', default: 'light' } } },
            tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
            anything: { type: 'object', additionalProperties: true },
          },
        },
      },
    })
    const { id } = await signUp(service)
    const kept = await service.users.findById(id)
    await service.users.update(id, { fields: {} }, kept?.version ?? 0)
    const headers = { cookie: await logIn(service) }
    const patch = (body: object) => service.send('PATCH', '/me/', body, { headers })
    expect((await service.send('GET', '/me/', undefined, { headers })).json()).not.toHaveProperty(
      'newsletter',
    )
    for (const [field, value] of [
      ['prefs', { theme: 'dark', isAdmin: true }],
      ['tags', [{ name: 'a', more: 1 }]],
    ] satisfies [string, JsonValue][]) {
      const response = await patch({ [field]: value })
      expect([response.statusCode, response.json().fields]).toEqual([
        400,
        [expect.objectContaining({ field, code: 'invalid' })],
      ])
      await expect(
        service.app.accounts.createUser({
          username: 'bob',
          password: goodPassword,
          fields: { [field]: value },
        }),
      ).rejects.toMatchObject({ fields: [expect.objectContaining({ field })] })
    }
    const given = { prefs: {}, tags: [{ name: 'a' }], anything: { at: 'all' } }
    expect((await patch(given)).json()).toMatchObject({ ...given, prefs: { theme: 'light' } })
    expect((await service.users.findById(id))?.fields).toEqual({ ...given, prefs: { theme: 'light' } })
  })

  it('enforce the rules between them at a change as well as at creation', async () => {
    const service = await testApp({
      users: {
        fields: {
          type: 'object',
          properties: {
            country: { type: 'string' },
            vat: { type: 'string' },
            plan: { type: 'string' },
            old: { type: 'string' },
          },
          required: ['old'],
          dependencies: { country: ['vat'] },
          not: { properties: { plan: { const: 'root' } }, required: ['plan'] },
        } as FieldsSchema,
      },
    })
    const { id } = await service.app.accounts.createUser({
      username: 'alice',
      password: goodPassword,
      fields: { old: 'x' },
    })
    const kept = await service.users.findById(id)
    // From before `old` was declared.
    await service.users.update(id, { fields: {} }, kept?.version ?? 0)
    const headers = { cookie: await logIn(service) }
    const statusOf = async (body: object) =>
      (await service.send('PATCH', '/me/', body, { headers })).statusCode
    expect(await statusOf({ plan: 'root' })).toBe(400)
    expect(await statusOf({ country: 'DE' })).toBe(400)
    expect(await statusOf({ country: 'DE', vat: 'DE1' })).toBe(200)
    expect(await statusOf({ vat: null })).toBe(400)
    expect((await service.users.findById(id))?.fields).toEqual({ country: 'DE', vat: 'DE1' })
  })

  it('are typed and validated when a script creates a user', async () => {
    const app = await membersApp()
    await app.ready()
    const script = { username: 'ada', password: goodPassword }
    const user = await app.members.createUser({ ...script, fields: { display_name: 'Ada' } })
    expect(user.fields).toEqual({ display_name: 'Ada' })
    // @ts-expect-error: must be a string
    await expect(app.members.createUser({ ...script, fields: { display_name: 1 } })).rejects.toMatchObject({
      code: 'ACCOUNTS_INVALID_INPUT',
    })
  })

  it('may be handwritten JSON Schema, with its own type', async () => {
    interface Fields {
      display_name: string
      locale: 'en' | 'de'
    }
    expectTypeOf<AccountUser<Fields>['fields']>().toEqualTypeOf<Partial<Fields>>()
    expectTypeOf<AccountUser<FieldsSchema>['fields']>().toEqualTypeOf<UserFields>()
    expectTypeOf<AccountUser['fields']>().toEqualTypeOf<UserFields>()
    const app = Fastify()
    await app.register(accounts, {
      secret,
      baseUrl,
      users: {
        fields: {
          type: 'object',
          properties: { display_name: { type: 'string', minLength: 1 }, locale: { enum: ['en', 'de'] } },
          required: ['display_name'],
        },
      },
      passwordHasher: cheapHasher(),
      mailer: outbox(),
    })
    const create = (extra: object) =>
      app.inject({ method: 'POST', url: '/user/', payload: { ...creation, ...extra } })
    expect((await create({ locale: 'fr' })).json().fields).toMatchObject([
      { field: 'display_name', code: 'required' },
      { field: 'locale', code: 'invalid' },
    ])
    expect((await create({ display_name: 'Ada', locale: 'de' })).json()).toMatchObject({
      display_name: 'Ada',
      locale: 'de',
    })
  })

  it('may be nested 32 levels deep, and no deeper', async () => {
    const app = Fastify()
    const anything = Type.Object({ anything: Type.Unknown() })
    await app.register(accounts, {
      secret,
      baseUrl,
      users: { fields: anything },
      passwordHasher: cheapHasher(),
      mailer: outbox(),
    })
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const sendDeep = async (
      method: 'POST' | 'PATCH',
      url: string,
      body: object,
      depth: number,
      cookie = '',
    ) =>
      app.inject({
        ...{ method, url },
        payload: JSON.stringify({ ...body, anything: 0 }).replace('0}', `${nested(depth)}}`),
        headers: { 'content-type': 'application/json', cookie },
      })
    for (const depth of [33, 7_500]) {
      const { statusCode, body } = await sendDeep('POST', '/user/', creation, depth)
      expect([statusCode, JSON.parse(body).fields[0].field]).toEqual([400, 'anything'])
    }
    expect((await sendDeep('POST', '/user/', creation, 32)).statusCode).toBe(201)
    const { username, password } = creation
    const cookie = cookieOf(
      await app.inject({ method: 'POST', url: '/login/', payload: { username, password } }),
    )
    for (const depth of [33, 7_500]) {
      const { statusCode, body } = await sendDeep('PATCH', '/me/', {}, depth, cookie)
      expect([statusCode, JSON.parse(body).fields]).toMatchObject([400, [{ field: 'anything' }]])
    }
    expect((await sendDeep('PATCH', '/me/', {}, 32, cookie)).statusCode).toBe(200)
  })

  it('are in the OpenAPI document of @fastify/swagger', async () => {
    const app = await membersApp((host) => host.register(fastifySwagger, { openapi: { openapi: '3.1.0' } }))
    await app.ready()
    const { paths, components }: Document = JSON.parse(JSON.stringify(app.swagger()))
    const json = (part: { content: Record<string, { schema: object }> } | undefined) =>
      part?.content['application/json']?.schema
    const { MembersUser, MembersPublicUser, MembersUserPage } = components.schemas
    const operation = (path: string, method: string): Operation => {
      const found = paths[path]?.[method]
      if (found === undefined) throw new Error(`${method} ${path} is not in the document`)
      return found
    }
    const create = operation('/user/', 'post')
    expect(json(create.requestBody)).toMatchObject({
      properties: { display_name: { type: 'string', maxLength: 80 }, locale: {} },
      required: expect.arrayContaining(['username', 'display_name']),
    })
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(json(create.responses['201'])).toEqual(ref('MembersUser'))
    expect(json(operation('/me/', 'get').responses['200'])).toEqual(ref('MembersUser'))
    expect(MembersUser).toMatchObject({ properties: { display_name: {}, locale: {} } })
    expect(json(operation('/user/', 'get').responses['200'])).toEqual(ref('MembersUserPage'))
    expect(MembersUserPage).toMatchObject({ properties: { results: { items: ref('MembersPublicUser') } } })
    expect(MembersPublicUser).toMatchObject({ properties: { display_name: {} } })
  })
})

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

interface Operation {
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content: Record<string, { schema: object }> }>
}
