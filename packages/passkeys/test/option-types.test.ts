import type { PasskeysOptions } from '@fastify-accounts/passkeys'
import type { Refusing } from '@fastify-accounts/test-support/option-types'
import { expectTypeOf, test } from 'vitest'

test('every optional option takes `undefined`', () => {
  expectTypeOf<Refusing<PasskeysOptions>>().toBeNever()
})
