import { everyFeature, mountedOperations } from '@fastify-accounts/test-support/operations'
import { expect, test } from 'vitest'

/** By their names, these neither create nor hand over an account, start no session and set no address. */
const harmless =
  /^(list|show|check|remove|rename|renew|delete|end|request|resend|revoke|reset(?!Password)|start|invite|withdraw|logOut|undo|keep|release|report)(?![a-z])/

test('every route says which rules of the app it asks, as the OpenAPI document does', async () => {
  const features = await everyFeature()
  for (const rule of ['signUp', 'logIn', 'changeEmail'] as const) {
    const { app, mounted } = await mountedOperations({ features, before: { [rule]: () => undefined } })
    await app.close()
    for (const { method, access, operation, mayBeRefused } of mounted.values()) {
      const { id, asks, setsSession } = operation
      if (method !== 'GET' && !harmless.test(id))
        expect(asks, `${id} changes something: list the rules that it asks in asks, or []`).toBeDefined()
      if (setsSession && access.startsWith('anyone'))
        expect(asks, `${id} logs somebody in`).toContain('logIn')
      expect([id, mayBeRefused]).toEqual([id, asks?.includes(rule) ?? false])
    }
  }
})
