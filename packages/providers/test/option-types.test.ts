import type { apple, github, google, linkedin, microsoft, Provider } from '@fastify-accounts/providers'
import type { Refusing } from '@fastify-accounts/test-support/option-types'
import { expectTypeOf, test } from 'vitest'

test('every optional option takes `undefined`', () => {
  expectTypeOf<Refusing<Provider>>().toBeNever()
  type Presets = typeof apple | typeof github | typeof google | typeof linkedin | typeof microsoft
  expectTypeOf<Refusing<Parameters<Presets>[0]>>().toBeNever()
})
