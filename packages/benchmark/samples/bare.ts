import Fastify from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    user: { displayName: string } | null
  }
}

const app = Fastify()
app.decorateRequest('user', null)
app.get('/hello', async (request) => {
  const name: string | undefined = request.user?.displayName
  return { hello: name ?? 'stranger' }
})
await app.listen({ port: 3000 })
