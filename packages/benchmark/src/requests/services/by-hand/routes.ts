import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { publicUrl } from '../../../people.js'
import { ownUserSchema } from '../../service.js'
import type { Hasher } from './hasher.js'
import type { User, Users } from './users.js'

declare module 'fastify' {
  interface Session {
    userId?: string
  }
}

export const text = (minLength = 1, maxLength = 256) => ({ type: 'string', minLength, maxLength })
const email = { type: 'string', format: 'email', maxLength: 254 }
export const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const page = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'string' }, username: { type: 'string' } } },
    },
    next: { type: 'string', nullable: true },
  },
}

/**
 * The measured actions, as written in an afternoon: schemas in and out, sessions of @fastify/session, a new session
 * id at each login. No rate limits, no origin check, and other sessions are not ended.
 *
 * @param send sends a mail
 */
export function addRoutes(
  app: FastifyInstance,
  users: Users,
  hasher: Hasher,
  send: (to: string, text: string) => Promise<void>,
): void {
  async function whoIs(request: FastifyRequest): Promise<User | undefined> {
    const { userId } = request.session
    if (userId === undefined) return undefined
    const user = await users.byId(userId)
    return user?.is_active ? user : undefined
  }
  const refuse = (reply: FastifyReply) => reply.code(401).send({ error: 'Unauthorized' })

  app.get('/me/', { schema: { response: { 200: ownUserSchema } } }, async (request, reply) => {
    const user = await whoIs(request)
    return user ? own(user) : refuse(reply)
  })

  app.post<{ Body: { username: string; password: string } }>(
    '/login/',
    { schema: { body: object({ username: text(), password: text() }), response: { 200: ownUserSchema } } },
    async (request, reply) => {
      const { username, password } = request.body
      const user = await users.byUsername(username.toLowerCase())
      if (!user?.is_active || !(await hasher.verify(password, user.password_hash))) return refuse(reply)
      const now = Date.now()
      await users.noteLogin(user.id, now)
      await request.session.regenerate()
      request.session.userId = user.id
      return own({ ...user, last_login_at: now })
    },
  )

  app.post<{ Body: { username: string; email: string; password: string } }>(
    '/user/',
    {
      schema: {
        body: object({ username: text(), email, password: text(8), confirm_password: text(8) }),
        response: { 201: ownUserSchema },
      },
    },
    async (request, reply) => {
      const { username, email: address, password } = request.body
      const user: User = {
        id: uuidv7(),
        username: username.toLowerCase(),
        email: address.toLowerCase(),
        password_hash: await hasher.hash(password),
        is_verified: 0,
        is_staff: 0,
        is_active: 1,
        created_at: Date.now(),
        last_login_at: null,
      }
      if (!(await users.insert(user))) return reply.code(409).send({ error: 'Conflict' })
      return reply.code(201).send(own(user))
    },
  )

  app.post<{ Body: { old_password: string; new_password: string } }>(
    '/change-password/',
    { schema: { body: object({ old_password: text(), new_password: text(8), confirm_password: text(8) }) } },
    async (request, reply) => {
      const user = await whoIs(request)
      if (!user || !(await hasher.verify(request.body.old_password, user.password_hash))) return refuse(reply)
      await users.setPassword(user.id, await hasher.hash(request.body.new_password))
      await request.session.regenerate()
      request.session.userId = user.id
      void send(user.email, `Hello ${user.username},\n\nyour password was changed.\n`)
      return reply.code(204).send()
    },
  )

  app.get<{ Querystring: { limit: number; after: string } }>(
    '/user/',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: {
            limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
            after: { type: 'string', default: '0.' },
          },
        },
        response: { 200: page },
      },
    },
    async (request, reply) => {
      if (!(await whoIs(request))) return refuse(reply)
      const { limit, after } = request.query
      const [createdAt, id = ''] = after.split('.')
      const results = await users.page(limit, { createdAt: Number(createdAt), id })
      const last = results.length === limit ? results.at(-1) : undefined
      const next = last ? `${publicUrl}/user/?limit=${limit}&after=${last.created_at}.${last.id}` : null
      return { results, next }
    },
  )
}

/** What users may see of themselves. */
export function own(user: User) {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    is_verified: Boolean(user.is_verified),
    is_staff: Boolean(user.is_staff),
    is_active: Boolean(user.is_active),
    created_at: new Date(Number(user.created_at)).toISOString(),
    last_login_at: user.last_login_at === null ? null : new Date(Number(user.last_login_at)).toISOString(),
  }
}
