// An app with a TypeBox of its own, the one that the plugin depends on or the one after it.
import * as Type34 from '@sinclair/typebox'
import Fastify from 'fastify'
import accounts, { type AccountsOptions, type AccountUser } from 'fastify-accounts'
import { detailReply, removedViewReply } from 'fastify-accounts/features'
import type { TypeBoxTypeProvider as Provider1 } from 'type-provider-1'
import type { TypeBoxTypeProvider as Provider34 } from 'type-provider-34'
import * as Type1 from 'typebox'

const fields34 = Type34.Object({ age: Type34.Optional(Type34.Integer()) })
const fields1 = Type1.Object({ age: Type1.Optional(Type1.Integer()) })

type IsNumber<Value> = [Value] extends [number | undefined] ? (0 extends 1 & Value ? false : true) : false
export const areRead: [
  IsNumber<AccountUser<typeof fields34>['fields']['age']>,
  IsNumber<AccountUser<typeof fields1>['fields']['age']>,
] = [true, true]

const options = (fields: typeof fields34 | typeof fields1): AccountsOptions => ({
  secret: 'a secret that is long enough for a test',
  baseUrl: 'http://localhost:3000',
  users: { variant: 'signup', fields },
})

const app34 = Fastify().withTypeProvider<Provider34>()
app34.register(accounts, options(fields34))
app34.get('/34', { schema: { response: { 200: Type34.Object({ removed: removedViewReply }) } } }, () => ({
  removed: null,
}))

const app1 = Fastify().withTypeProvider<Provider1>()
app1.register(accounts, options(fields1))
app1.get(
  '/1',
  { schema: { response: { 200: Type1.Object({ reply: Type1.Unsafe<{ detail: string }>(detailReply) }) } } },
  () => ({
    reply: { detail: '' },
  }),
)
