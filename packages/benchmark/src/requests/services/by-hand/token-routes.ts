import type { FastifyInstance, FastifyReply } from 'fastify'
import { ownUserSchema } from '../../service.js'
import type { Hasher } from './hasher.js'
import { hashOf, newRefreshToken, refreshLifetime, type TokenStores } from './refresh-tokens.js'
import { object, own, text } from './routes.js'
import type { User } from './users.js'

const tokensSchema = {
  type: 'object',
  properties: { access_token: { type: 'string' }, refresh_token: { type: 'string' } },
}
const withTokens = (properties: object) => ({
  type: 'object',
  properties: { ...properties, tokens: tokensSchema },
})

/**
 * The same with an access token, which a look-up of its user follows, and a refresh token, which each refresh replaces.
 * Nobody notices that a copy of it was stolen, a lost response logs out, and a logout leaves the access token.
 */
export function addTokenRoutes(
  app: FastifyInstance,
  { users, refreshTokens }: Pick<TokenStores, 'users' | 'refreshTokens'>,
  hasher: Hasher,
): void {
  const refuse = (reply: FastifyReply) => reply.code(401).send({ error: 'Unauthorized' })
  const tokensFor = async ({ id }: User, reply: FastifyReply, refresh_token: string) => ({
    access_token: await reply.jwtSign({ sub: id }),
    refresh_token,
  })

  app.get('/me/', { schema: { response: { 200: ownUserSchema } } }, async (request, reply) => {
    const { sub } = await request.jwtVerify<{ sub: string }>()
    const user = await users.byId(sub)
    return user?.is_active ? own(user) : refuse(reply)
  })

  app.post<{ Body: { username: string; password: string } }>(
    '/login/',
    {
      schema: {
        body: object({ username: text(), password: text() }),
        response: { 200: withTokens(ownUserSchema.properties) },
      },
    },
    async (request, reply) => {
      const { username, password } = request.body
      const user = await users.byUsername(username.toLowerCase())
      if (!user?.is_active || !(await hasher.verify(password, user.password_hash))) return refuse(reply)
      const now = Date.now()
      await users.noteLogin(user.id, now)
      const token = newRefreshToken()
      await refreshTokens.insert(hashOf(token), user.id, now + refreshLifetime)
      return { ...own({ ...user, last_login_at: now }), tokens: await tokensFor(user, reply, token) }
    },
  )

  app.post<{ Body: { refresh_token: string } }>(
    '/tokens/refresh/',
    { schema: { body: object({ refresh_token: text() }), response: { 200: withTokens({}) } } },
    async (request, reply) => {
      const now = Date.now()
      const next = newRefreshToken()
      const hash = hashOf(request.body.refresh_token)
      const userId = await refreshTokens.rotate(hash, hashOf(next), now + refreshLifetime, now)
      const user = userId === undefined ? undefined : await users.byId(userId)
      return user?.is_active ? { tokens: await tokensFor(user, reply, next) } : refuse(reply)
    },
  )
}
