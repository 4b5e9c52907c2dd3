import { initTRPC, TRPCError } from '@trpc/server'
import { type CreateFastifyContextOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts from 'fastify-accounts'

const createContext = ({ req }: CreateFastifyContextOptions) => ({ user: req.user })
const t = initTRPC.context<typeof createContext>().create()

const loggedIn = t.procedure.use(({ ctx, next }) => {
  if (ctx.user === null) throw new TRPCError({ code: 'UNAUTHORIZED' })
  return next({ ctx: { user: ctx.user } })
})

const router = t.router({
  news: t.procedure.query(() => 'for everybody'),
  me: loggedIn.query(({ ctx }) => ctx.user.username),
})

export async function createApp(): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(accounts, {
    secret: process.env.SECRET,
    baseUrl: 'http://localhost:3000',
    prefix: '/accounts',
    users: true,
  })
  await app.register(async (scope) => {
    scope.addHook('onRequest', app.accounts.loadUser)
    await scope.register(fastifyTRPCPlugin, {
      prefix: '/trpc',
      trpcOptions: { router, createContext },
    })
  })
  return app
}
