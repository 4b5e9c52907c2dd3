import { Type } from '@sinclair/typebox'
import { expect, expectTypeOf, test } from 'vitest'
import {
  type AccountsOptions,
  type AccountUser,
  type EmailChange,
  type LoginAttempt,
  RuleError,
  type SignUpAttempt,
  type SignUpGrant,
  type UserFields,
} from '../src/index.js'

const fields = Type.Object({ city: Type.String(), plan: Type.Optional(Type.Literal('pro')) })
const signUpFields = {
  type: 'object',
  properties: { invitation: { type: 'string' }, terms: { const: true } },
  required: ['invitation'],
} as const

test('rules are typed by the schemas of both kinds of fields', () => {
  type Attempt = SignUpAttempt<typeof fields, typeof signUpFields>
  expectTypeOf<Attempt['fields']>().toEqualTypeOf<{ city?: string; plan?: 'pro' }>()
  expectTypeOf<Attempt['transient']>().toEqualTypeOf<{ invitation?: string; terms?: true }>()
  expectTypeOf<Attempt['actor']>().toEqualTypeOf<AccountUser<typeof fields> | null>()
  expectTypeOf<SignUpAttempt['transient']>().toEqualTypeOf<UserFields>()
  expectTypeOf<SignUpGrant<typeof fields>['fields']>().toEqualTypeOf<
    { city?: string; plan?: 'pro' } | undefined
  >()
  expectTypeOf<LoginAttempt<typeof fields>['user']['fields']>().toEqualTypeOf<{
    city?: string
    plan?: 'pro'
  }>()
})

test('the option takes rules with and without these types, that refuse, grant or do nothing', () => {
  const before: AccountsOptions['before'] = {
    async signUp(
      { transient, fields: { city } }: SignUpAttempt<typeof fields, typeof signUpFields>,
      { signal },
    ) {
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      if (transient.invitation === city) throw new RuleError('SHOP_INVITATION', { message: 'No.' })
      return transient.terms ? { roles: ['editor'], fields: { plan: 'pro' } } : undefined
    },
    logIn({ user }: LoginAttempt<typeof fields>) {
      expectTypeOf(user.fields.plan).toEqualTypeOf<'pro' | undefined>()
    },
    changeEmail: ({ domain, actor }: EmailChange) => {
      expectTypeOf(domain).toEqualTypeOf<string>()
      expectTypeOf(actor).toEqualTypeOf<AccountUser>()
    },
  }
  expect(Object.keys(before)).toHaveLength(3)
  // @ts-expect-error: a grant has no such part
  const wrong: AccountsOptions['before'] = { signUp: () => ({ role: 'editor' }) }
  expect(wrong).toBeDefined()
})
