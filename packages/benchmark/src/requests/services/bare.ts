import { randomBytes } from 'node:crypto'
import { emailOf, password, usernameOf } from '../../people.js'
import { addPublicRoute, createHost, deriveKey, ownUserSchema, type Service } from '../service.js'

/** Routes that do nothing: the cost of Fastify itself with this body and this response. */
export const bare: Service = {
  async serve(_, setup) {
    const app = createHost(setup)
    app.get('/me/', { schema }, async () => user)
    app.post('/login/', { schema }, async () => {
      if (setup.hash === 'real') await deriveKey(password, salt)
      return user
    })
    app.post('/user/', { schema }, async (_, reply) => reply.code(201).send(user))
    addPublicRoute(app)
    return app
  },
  packages: [],
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

const salt = randomBytes(32)
