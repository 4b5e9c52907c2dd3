import Fastify from 'fastify'
import accounts from 'fastify-accounts'

export async function buildApp(overrides = {}) {
  const app = Fastify()
  const baseUrl = 'https://shop.example'
  await app.register(accounts, { secret: process.env.SECRET, baseUrl, ...overrides })
  app.get(
    '/orders',
    { onRequest: app.accounts.requireUser },
    async ({ user }) => `orders of ${user.username}`,
  )
  return app
}
