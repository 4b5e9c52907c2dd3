import { betterAuth } from 'better-auth'
import { fromNodeHeaders } from 'better-auth/node'
import Fastify from 'fastify'

const auth = betterAuth({
  secret: process.env.SECRET,
  baseURL: 'http://localhost:3000',
  emailAndPassword: { enabled: true },
  user: { additionalFields: { displayName: { type: 'string' } } },
})

declare module 'fastify' {
  interface FastifyRequest {
    user: typeof auth.$Infer.Session.user | null
  }
}

const app = Fastify()
app.route({
  method: ['GET', 'POST'],
  url: '/api/auth/*',
  async handler(request, reply) {
    const response = await auth.handler(
      new Request(new URL(request.url, 'http://localhost:3000'), {
        method: request.method,
        headers: fromNodeHeaders(request.headers),
        ...(request.body ? { body: JSON.stringify(request.body) } : {}),
      }),
    )
    reply.status(response.status)
    response.headers.forEach((value, name) => {
      reply.header(name, value)
    })
    return reply.send(await response.text())
  },
})
app.decorateRequest('user', null)
app.addHook('onRequest', async (request) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  request.user = session?.user ?? null
})
app.get('/hello', async (request) => {
  const name: string | undefined = request.user?.displayName
  return { hello: name ?? 'stranger' }
})
await app.listen({ port: 3000 })
