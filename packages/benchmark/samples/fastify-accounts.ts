import Fastify from 'fastify'
import accounts, { type Accounts, type AccountUser } from 'fastify-accounts'

interface Fields {
  display_name: string
}

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts<Fields>
  }
  interface FastifyRequest {
    user: AccountUser<Fields> | null
  }
}

const app = Fastify()
await app.register(accounts, {
  secret: process.env.SECRET,
  baseUrl: 'http://localhost:3000',
  users: {
    fields: { type: 'object', properties: { display_name: { type: 'string', maxLength: 80 } } },
  },
})
app.get('/hello', { onRequest: app.accounts.loadUser }, async (request) => {
  const name: string | undefined = request.user?.fields.display_name
  return { hello: name ?? 'stranger' }
})
await app.listen({ port: 3000 })
