import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { versionOf } from '../../versions.js'
import { addPublicRoute, createHost } from '../host.js'
import { emailOf, password, usernameOf } from '../names.js'
import type { Service } from '../service.js'
import { ownUserSchema } from './own-user.js'

/** Routes that do nothing: the cost of Fastify itself with this body and this answer. */
export const bare: Service = {
  async serve(_, { hash, passkeys }) {
    const app = createHost()
    addRoutes(app, hash === 'real' ? bareHash : async () => {})
    if (passkeys) (await import('./bare-passkeys.js')).addPasskeyRoutes(app, user, schema)
    addPublicRoute(app)
    return app
  },
  versions: () => [versionOf('fastify')],
}

const user = {
  id: '01980000-0000-7000-8000-000000000000',
  username: usernameOf(0),
  email: emailOf(0),
  is_verified: true,
  is_staff: false,
  is_active: true,
  created_at: new Date().toISOString(),
  last_login_at: null,
}
const schema = { response: { '2xx': ownUserSchema } }

function addRoutes(app: FastifyInstance, work: () => Promise<unknown>): void {
  app.get('/me/', { schema }, async () => user)
  app.post('/login/', { schema }, async () => {
    await work()
    return user
  })
  app.post('/user/', { schema }, async (_, reply) => reply.code(201).send(user))
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const salt = randomBytes(32)

/** Only the hash, with our default settings. */
const bareHash = () => derive(password, salt, 64, { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 })
