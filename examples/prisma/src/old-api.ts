import { google, providers } from '@fastify-accounts/providers'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import accounts, { type Accounts, type AccountsOptions, tokens } from 'fastify-accounts'
import { openDatabase } from './database.js'
import { createSessionStore } from './session-store.js'
import { createUserStore } from './user-store.js'

/** What clients send where their fields aren't ours. */
type Old = { Body: Record<'mail' | 'pass' | 'old', string> }

/** The API that clients know: its paths, its fields, its token and its errors. */
export async function buildOldApi(url: string, options: AccountsOptions): Promise<FastifyInstance> {
  const database = openDatabase(url)
  const userStore = createUserStore(database)
  const pages = {
    'signup-verify': '/app/verify/{uid64}/{token}',
    reset: '/app/reset/{uid64}/{token}',
    'email-confirm': '/app/mail/{uid64}/{token}?email={email}',
  }
  const app = Fastify()
  await app.register(accounts, {
    ...options,
    userStore,
    sessionStore: createSessionStore(database, userStore),
    prefix: '/api',
    users: { names: 'none' },
    requireEmailConfirmation: true,
    features: [tokens({ refresh: false }), providers([google({ clientId: 'id', clientSecret: 'secret' })])],
    // Routes whose fields are the same. GET /identities/ and POST /reset/{uid64}/{token}/ keep their paths too.
    paths: {
      'signup-verify': '/verify/{uid64}/{token}/',
      'signup-verify-resend': '/verify/again/',
      forgot: '/recover/',
      'email-confirm': '/mail/{uid64}/{token}/',
      'change-email': '/mail/',
      logout: '/bye/',
    },
    links: { pages },
    errorResponses: 'host',
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { statusCode = 500, code, message } = error
    if (statusCode < 500) return reply.code(statusCode).send({ ok: false, error: code, reason: message })
    request.log.error(error)
    return reply.code(statusCode).send({ ok: false, error: 'SERVER_ERROR', reason: 'Something went wrong.' })
  })
  const { perform } = app.getDecorator<Accounts>('accounts')

  const form = { type: 'object', required: ['pass'], properties: { pass: { type: 'string', minLength: 1 } } }
  app.post<Old>('/api/register', { schema: { body: form } }, async (request, reply) => {
    const { mail: email, pass: password } = request.body
    await perform(request, reply, 'signUp', { body: { email, password, confirm_password: password } })
    return { ok: true }
  })
  app.post<Old>('/api/token', async (request, reply) => {
    // Clients don't say that they keep a token.
    request.headers['accounts-delivery'] = 'tokens'
    const { mail: username, pass: password } = request.body ?? {}
    const { body } = await perform(request, reply, 'logIn', { body: { username, password } })
    return { ok: true, token: body.tokens?.access_token, user: { key: body.id, mail: body.email } }
  })
  app.get('/api/profile', async (request, reply) => {
    const { body } = await perform(request, reply, 'showMe')
    return { ok: true, mail: body.email, since: body.created_at }
  })
  app.put<Old>('/api/pass', async (request, reply) => {
    const { old, pass } = request.body ?? {}
    const change = { old_password: old, new_password: pass, confirm_password: pass }
    const { body } = await perform(request, reply, 'changePassword', { body: change })
    return { ok: true, token: body?.tokens.access_token }
  })
  return app
}
