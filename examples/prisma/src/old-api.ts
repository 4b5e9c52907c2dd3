import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import accounts, { type Accounts, type AccountsOptions, tokens } from 'fastify-accounts'
import { openDatabase } from './database.js'
import { createSessionStore } from './session-store.js'
import { createUserStore } from './user-store.js'

/** What clients send: they know these fields, and one token. */
type Fields = { [Name in 'mail' | 'pass' | 'old' | 'name' | 'user' | 'key']: string }
type Answer = (fields: Fields, ...request: [FastifyRequest, FastifyReply]) => Promise<unknown>

/** The API that clients know: its paths, its fields, its token and its errors. */
export async function buildOldApi(
  url: string,
  options: Pick<AccountsOptions, 'secret' | 'baseUrl' | 'mailer' | 'passwordHasher'>,
): Promise<FastifyInstance> {
  const database = openDatabase(url)
  const userStore = createUserStore(database)
  const pages = {
    'signup-verify': '/app/verify/{uid64}/{token}',
    reset: '/app/reset/{uid64}/{token}',
    'email-confirm': '/app/mail/{uid64}/{token}?mail={email}',
  }
  const app = Fastify()
  await app.register(accounts, {
    ...{ ...options, userStore, sessionStore: createSessionStore(database, userStore) },
    users: { names: 'none', fields: { type: 'object', properties: { name: { type: 'string' } } } },
    ...{ requireEmailConfirmation: true, features: [tokens({ refresh: false })], links: { pages } },
  })
  const { perform } = app.getDecorator<Accounts<{ name: string }>>('accounts')
  app.setErrorHandler<{ statusCode?: number; code: string; message: string }>((error, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ ok: false, error: error.code, reason: error.message }),
  )
  const route = (method: string, path: string, answer: Answer) =>
    app.route({
      ...{ method, url: `/api${path}` },
      async handler(request, reply) {
        // These clients don't say that they keep tokens.
        request.headers['accounts-delivery'] = 'tokens'
        return { ok: true, ...Object(await answer((request.body ?? {}) as Fields, request, reply)) }
      },
    })

  route('POST', '/register', async ({ mail: email, pass: password, name }, ...request) => {
    await perform(...request, 'signUp', { body: { email, password, confirm_password: password, name } })
  })
  route('POST', '/verify', async ({ user: uid64, key: token }, ...request) => {
    await perform(...request, 'verifySignup', { params: { uid64, token } })
  })
  route('POST', '/verify/again', async ({ mail: email }, ...request) => {
    await perform(...request, 'resendSignupVerification', { body: { email } })
  })
  route('POST', '/login', async ({ mail: username, pass: password }, ...request) => {
    const { body } = await perform(...request, 'logIn', { body: { username, password } })
    return { token: body.tokens?.access_token, name: body.name }
  })
  route('GET', '/profile', async (_fields, ...request) => {
    const { body } = await perform(...request, 'showMe')
    return { mail: body.email, name: body.name, since: body.created_at }
  })
  route('POST', '/forgot', async ({ mail: email }, ...request) => {
    await perform(...request, 'requestPasswordReset', { body: { email } })
  })
  route('POST', '/reset', async ({ user: uid64, key: token, pass }, ...request) => {
    const body = { new_password: pass, confirm_password: pass }
    await perform(...request, 'resetPassword', { params: { uid64, token }, body })
  })
  route('POST', '/password', async ({ old, pass }, ...request) => {
    const change = { old_password: old, new_password: pass, confirm_password: pass }
    const { body } = await perform(...request, 'changePassword', { body: change })
    return { token: body?.tokens.access_token }
  })
  route('POST', '/mail', async ({ mail: email }, ...request) => {
    await perform(...request, 'changeEmail', { body: { email } })
  })
  route('POST', '/mail/confirm', async ({ user: uid64, key: token, mail: email }, ...request) => {
    await perform(...request, 'confirmEmailChange', { params: { uid64, token }, query: { email } })
  })
  route('DELETE', '/session', async (_fields, ...request) => {
    await perform(...request, 'logOut')
  })
  return app
}
