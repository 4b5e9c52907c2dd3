import { baseUrl, cheapHasher, goodPassword, outbox, secret } from '@fastify-accounts/test-support/app'
import { Type as Type0 } from '@sinclair/typebox'
import Fastify from 'fastify'
import { Type as Type1 } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import accounts, {
  type Accounts,
  type AccountUser,
  type FieldsOf,
  type FieldsSchema,
  type JsonValue,
  type UserFields,
} from '../src/index.js'

const ofTypeBox0 = Type0.Object({
  display_name: Type0.String({ minLength: 1, maxLength: 80 }),
  locale: Type0.Optional(Type0.Union([Type0.Literal('en'), Type0.Literal('de')])),
  age: Type0.Optional(Type0.Integer()),
  newsletter: Type0.Optional(Type0.Boolean()),
  tags: Type0.Optional(Type0.Array(Type0.String())),
  address: Type0.Optional(
    Type0.Object({
      city: Type0.String(),
      street: Type0.Optional(Type0.Union([Type0.String(), Type0.Null()])),
    }),
  ),
  nickname: Type0.Optional(Type0.Unsafe<string | null>({ type: ['string', 'null'] })),
  counts: Type0.Optional(Type0.Record(Type0.String(), Type0.Number())),
})

const ofTypeBox1 = Type1.Object({
  display_name: Type1.String({ minLength: 1, maxLength: 80 }),
  locale: Type1.Optional(Type1.Union([Type1.Literal('en'), Type1.Literal('de')])),
  age: Type1.Optional(Type1.Integer()),
  newsletter: Type1.Optional(Type1.Boolean()),
  tags: Type1.Optional(Type1.Array(Type1.String())),
  address: Type1.Optional(
    Type1.Object({
      city: Type1.String(),
      street: Type1.Optional(Type1.Union([Type1.String(), Type1.Null()])),
    }),
  ),
  nickname: Type1.Optional(Type1.Unsafe<string | null>({ type: ['string', 'null'] })),
  counts: Type1.Optional(Type1.Record(Type1.String(), Type1.Number())),
})

const byHand = {
  type: 'object',
  properties: {
    display_name: { type: 'string', minLength: 1, maxLength: 80 },
    locale: { enum: ['en', 'de'] },
    age: { type: 'integer' },
    newsletter: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    address: {
      type: 'object',
      properties: { city: { type: 'string' }, street: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['city'],
    },
    nickname: { type: ['string', 'null'] },
    counts: { type: 'object', patternProperties: { '^.*$': { type: 'number' } } },
  },
  required: ['display_name'],
} as const

interface Declared {
  display_name?: string
  locale?: 'en' | 'de'
  age?: number
  newsletter?: boolean
  tags?: string[]
  address?: { city: string; street?: string | null }
  nickname?: string | null
  counts?: { [name: string]: number }
}

describe("the types of the app's own fields", () => {
  it('match the schema, in whichever way it was written', () => {
    expectTypeOf<FieldsOf<typeof ofTypeBox0>>().toEqualTypeOf<Declared>()
    expectTypeOf<FieldsOf<typeof ofTypeBox1>>().toEqualTypeOf<Declared>()
    expectTypeOf<FieldsOf<typeof byHand>>().toEqualTypeOf<Declared>()
  })

  it('have no other field', () => {
    const user = {} as {
      typeBox0: AccountUser<typeof ofTypeBox0>
      typeBox1: AccountUser<typeof ofTypeBox1>
      byHand: AccountUser<typeof byHand>
    }
    // Never runs: it must not compile.
    const wrong = () => [
      // @ts-expect-error: no such field was declared
      user.typeBox0.fields.nope,
      // @ts-expect-error: no such field was declared
      user.typeBox1.fields.nope,
      // @ts-expect-error: no such field was declared
      user.byHand.fields.nope,
      // @ts-expect-error: no such field was declared in it
      user.typeBox1.fields.address?.nope,
    ]
    expect(wrong).toThrow(TypeError)
  })

  it('are assignable to any user', () => {
    expectTypeOf<AccountUser<typeof ofTypeBox0>>().toExtend<AccountUser>()
    expectTypeOf<AccountUser<typeof ofTypeBox1>>().toExtend<AccountUser>()
    expectTypeOf<AccountUser<typeof byHand>>().toExtend<AccountUser>()
    expectTypeOf<AccountUser<Declared>>().toExtend<AccountUser>()
  })

  it("are any JSON if the schema doesn't say", () => {
    expectTypeOf<FieldsOf<FieldsSchema>>().toEqualTypeOf<UserFields>()
    const loose = { type: 'object', properties: { motto: { type: 'string' } } } satisfies FieldsSchema
    expectTypeOf<FieldsOf<typeof loose>>().toEqualTypeOf<{ motto?: JsonValue }>()
    const open = {
      type: 'object',
      properties: { any: {}, list: { type: 'array' }, map: { type: 'object' } },
    } as const
    expectTypeOf<FieldsOf<typeof open>>().toEqualTypeOf<{
      any?: JsonValue
      list?: JsonValue[]
      map?: UserFields
    }>()
  })

  it('support tuples, constants and several schemas for one value', () => {
    const typeBox1 = Type1.Object({
      place: Type1.Tuple([Type1.Number(), Type1.String()]),
      kind: Type1.Enum(['a', 'b']),
      both: Type1.Intersect([Type1.Object({ a: Type1.String() }), Type1.Object({ b: Type1.Number() })]),
    })
    const byHand = {
      type: 'object',
      properties: {
        place: { type: 'array', items: [{ type: 'number' }, { type: 'string' }] },
        kind: { oneOf: [{ const: 'a' }, { const: 'b' }] },
        both: {
          allOf: [
            { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
            { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
          ],
        },
      },
    } as const
    type Declared = { place?: [number, string]; kind?: 'a' | 'b'; both?: { a: string } & { b: number } }
    expectTypeOf<FieldsOf<typeof typeBox1>>().toEqualTypeOf<Declared>()
    expectTypeOf<FieldsOf<typeof byHand>>().toEqualTypeOf<Declared>()
  })
})

describe.each([
  ['@sinclair/typebox', ofTypeBox0],
  ['typebox', ofTypeBox1],
  ['by hand', byHand],
] as const)('fields from a schema made with %s', (_, fields) => {
  it('are validated at creation, stored and returned', async () => {
    const app = Fastify()
    await app.register(accounts, {
      secret,
      baseUrl,
      users: { fields },
      decorateAs: { instance: 'members', request: 'member' },
      passwordHasher: cheapHasher(),
      mailer: outbox(),
    })
    const create = (payload: object) =>
      app.inject({
        method: 'POST',
        url: '/user/',
        payload: { username: 'ada', password: goodPassword, confirm_password: goodPassword, ...payload },
      })
    const refused = await create({ age: 1.5, locale: 'fr', tags: [1], address: {}, nope: 1 })
    const faults = refused.json().fields.map(({ field }: { field: string }) => field)
    expect(new Set(faults)).toEqual(new Set(['display_name', 'age', 'locale', 'tags', 'address', 'nope']))
    const given = { display_name: 'Ada', nickname: null, address: { city: 'London' }, counts: { visits: 2 } }
    expect((await create(given)).json()).toMatchObject(given)
    const accountsOf = app.getDecorator<Accounts<typeof fields>>('members')
    expect((await accountsOf.findUser({ username: 'ada' }))?.fields).toEqual(given)
    await app.close()
  })
})
