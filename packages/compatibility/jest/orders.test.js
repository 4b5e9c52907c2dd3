import { createTestOptions, logInAs } from '@fastify-accounts/testing'
import { buildApp } from './app.js'

test('users see their own orders', async () => {
  const app = await buildApp(createTestOptions())
  const headers = await logInAs(app, { username: 'ada' })
  const response = await app.inject({ url: '/orders', headers })
  expect(response.body).toBe('orders of ada')
  expect((await app.inject('/orders')).statusCode).toBe(401)
  await app.close()
})
