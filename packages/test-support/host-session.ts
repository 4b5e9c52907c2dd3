import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import type { FastifyInstance } from 'fastify'

/** A @fastify/session of the host. */
export async function registerSession(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCookie)
  await app.register(fastifySession, { secret: 'x'.repeat(40), cookie: { secure: false } })
}
