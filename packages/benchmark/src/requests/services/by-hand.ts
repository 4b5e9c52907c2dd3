import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import session from '@fastify/session'
import { sqliteDriver } from '../../databases.js'
import { password } from '../../people.js'
import { addPublicRoute, createHost, type Place, type Service } from '../service.js'
import { noHasher, scryptHasher } from './by-hand/hasher.js'
import { addRoutes } from './by-hand/routes.js'
import { inMemory, inRedisAndPostgres, inSqlite, lifetime, type Stores } from './by-hand/stores.js'
import { userNumber } from './by-hand/users.js'

/** Handwritten code on @fastify/session, with its cheapest settings: a session is saved when it changes. */
function byHand(packages: string[], open: (place: Place) => Promise<Stores>): Service {
  return {
    async serve(place, setup) {
      const { users, sessions, seed } = await open(place)
      const hasher = setup.hash === 'real' ? scryptHasher : noHasher
      if (setup.users > 0) {
        const hash = await hasher.hash(password)
        await seed(Array.from({ length: setup.users }, (_, at) => userNumber(at, hash)))
      }
      const app = createHost(setup)
      await app.register(cookie)
      await app.register(session, {
        secret: randomBytes(32).toString('base64url'),
        cookie: { httpOnly: true, sameSite: 'lax', path: '/', secure: false, maxAge: lifetime },
        saveUninitialized: false,
        rolling: false,
        ...(sessions ? { store: sessions } : {}),
      })
      addRoutes(app, users, hasher, async () => {})
      addPublicRoute(app)
      return app
    },
    packages: ['@fastify/session', '@fastify/cookie', ...packages],
  }
}

export const services = {
  'by-hand-memory': byHand([], inMemory),
  'by-hand-sqlite': byHand([sqliteDriver()], inSqlite),
  'by-hand-redis-postgres': byHand(['pg', 'ioredis'], inRedisAndPostgres),
}
