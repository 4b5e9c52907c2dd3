import Fastify from 'fastify'
import { createScryptHasher } from 'fastify-accounts'
import { versionOf } from '../../versions.js'
import { password, usernameOf } from '../requests.js'
import type { Service } from '../service.js'

/**
 * What the machine allows: Fastify that only hashes. One hash at a time and 64 waiting, by the same hasher;
 * "who am I" returns a constant text. No service that hashes can serve the others better.
 */
export const floorService: Service = {
  async seed() {},

  async serve(_file, logger) {
    const app = Fastify({ logger, trustProxy: 'loopback' })
    const hasher = createScryptHasher()
    const hash = await hasher.hash(password)
    let turn: Promise<unknown> = Promise.resolve()
    let waiting = 0
    app.post('/login/', async (_request, reply) => {
      if (waiting >= 64) return reply.code(503).send({ message: 'full' })
      waiting += 1
      const mine = turn.then(() => hasher.verify(password, hash))
      turn = mine
      await mine
      waiting -= 1
      return { username: usernameOf(0) }
    })
    app.get('/me/', async () => ({ username: usernameOf(0) }))
    return app
  },

  versions: [versionOf('fastify')],
}
