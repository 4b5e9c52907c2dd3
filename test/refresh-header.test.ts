import { everyFeature, mountedOperations } from '@fastify-accounts/test-support/operations'
import { expect, test } from 'vitest'
import type { Route } from '../packages/accounts/src/http/route.js'
import { requestsTo } from '../packages/client/src/request.js'

test('the client sends the header Accounts-Refresh to the routes that set sessions, and to no other', async () => {
  const { app, mounted } = await mountedOperations({ features: await everyFeature() })
  await app.close()
  // The client calls no page for people.
  const isForPeople = ({ linkPage, isLink, name }: Route) =>
    (linkPage && !isLink) || name === 'confirm-identity'
  const all = [...mounted.values()].filter((each) => !isForPeople(each))
  const expected = all
    .filter(({ operation }) => operation.setsSession)
    .map(({ name, method }) => `${method} ${name}`)
  const sent: string[] = []
  for (const { name, method, path } of all) {
    const request = requestsTo({
      baseUrl: 'https://example.org',
      tokens: {
        load: () => ({ access: 'fat_1', refresh: 'far_1', until: Date.now() + 60_000, lifetime: 60_000 }),
        save() {},
      },
      async fetch(_input, { headers } = {}) {
        const given = new Headers(headers).get('accounts-refresh')
        if (given !== null) sent.push(`${method} ${name}`)
        expect(given ?? 'far_1').toBe('far_1')
        return Response.json({})
      },
    })
    const params = { uid64: 'x', token: 'x', id: 'x', pk: 'x', provider: 'x' }
    await request(method, `${name} ${path}` as `${string} /`, {}, method === 'GET' ? undefined : {}, params)
  }
  expect(expected).toContain('POST change-password')
  expect(sent.toSorted()).toEqual(expected.toSorted())
})
