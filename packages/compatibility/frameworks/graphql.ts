import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { AccountsError } from 'fastify-accounts'
import mercurius from 'mercurius'

export async function createApp(): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(accounts, {
    secret: process.env.SECRET,
    baseUrl: 'http://localhost:3000',
    prefix: '/accounts',
    users: true,
  })
  await app.register(async (scope) => {
    scope.addHook('onRequest', app.accounts.refuseCrossSite)
    scope.addHook('onRequest', app.accounts.loadUser)
    await scope.register(mercurius, {
      schema: 'type Query { me: String, news: String } type Subscription { news: String }',
      context: (request) => ({ user: request.user }),
      resolvers: {
        Query: {
          news: () => 'for everybody',
          me: (_root, _arguments, { user }) => {
            if (user === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
            return user.username
          },
        },
        Subscription: {
          news: { subscribe: (_root, _arguments, { pubsub }) => pubsub.subscribe('news') },
        },
      },
      subscription: {
        // Called once for each socket, which would outlive the login.
        context: async (socket, request) => {
          await app.accounts.requireUser(request)
          const check = () =>
            app.accounts
              .requireUser(request)
              .catch(({ statusCode, code }) => socket.close(statusCode < 500 ? 1008 : 1013, code))
          const timer = setInterval(check, 60_000)
          socket.on('close', () => clearInterval(timer))
          return { user: request.user }
        },
      },
    })
  })
  return app
}

declare module 'mercurius' {
  interface MercuriusContext {
    user: import('fastify-accounts').AccountUser | null
  }
}
