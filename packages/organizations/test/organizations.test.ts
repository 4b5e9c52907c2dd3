import { organizations } from '@fastify-accounts/organizations'
import { as, logIn, signUp, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, it } from 'vitest'

describe('an organization', () => {
  it('is created by somebody whose address is proven, and shown to its members alone', async () => {
    const world = await testApp({ features: [organizations()] })
    const { app, users, send } = world
    for (const name of ['alice', 'bob']) {
      const user = await signUp(world, name, { email: `${name}@example.org` })
      await users.update(user.id, { isVerified: true }, user.version)
    }
    const [alice, bob] = [await logIn(world, 'alice'), await logIn(world, 'bob')]
    const made = await send('POST', '/organizations/', { name: 'Acme', slug: 'acme' }, as(alice))
    expect(made.json()).toMatchObject({ slug: 'acme', members: 1, roles: ['owner'] })
    const shown = await app.inject({ url: `/organizations/${made.json().id}`, ...as(alice) })
    expect(shown.json()).toEqual(made.json())
    expect((await app.inject({ url: '/organizations/acme', ...as(bob) })).statusCode).toBe(404)
  })
})
