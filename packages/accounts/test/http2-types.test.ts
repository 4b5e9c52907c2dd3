import { baseUrl, secret } from '@fastify-accounts/test-support/app'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import accounts, { frameworkErrors, lingeringClose, maskedRequest } from '../src/index.js'

test('the hooks and functions for your own routes take requests over HTTP/2 without casts', async () => {
  const app = Fastify({
    http2: true,
    frameworkErrors,
    logger: { level: 'silent', serializers: { req: maskedRequest } },
  })
  app.addHook('onRequest', lingeringClose)
  await app.register(accounts, { secret, baseUrl, prefix: '/accounts' })
  app.get('/name', { onRequest: app.accounts.requireUser }, (request) => app.accounts.userOf(request))
  app.get('/', { preHandler: app.accounts.loadUser }, async (request, reply) => {
    await app.accounts.requireRecentLogin(request, reply)
  })
  app.post('/saml', (request, reply) => app.accounts.logIn(request, reply, 'nobody'))
  const answers = await Promise.all([
    app.inject('/name'),
    app.inject('/'),
    app.inject({ method: 'POST', url: '/saml' }),
  ])
  expect(answers.map((answer) => answer.json().code)).toEqual([
    'ACCOUNTS_LOGIN_REQUIRED',
    'ACCOUNTS_LOGIN_REQUIRED',
    'ACCOUNTS_NOT_FOUND',
  ])
  await app.close()
})
