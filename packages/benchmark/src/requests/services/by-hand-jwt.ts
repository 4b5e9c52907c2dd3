import { randomBytes } from 'node:crypto'
import jwt from '@fastify/jwt'
import { sqliteDriver } from '../../databases.js'
import { password } from '../../people.js'
import { addPublicRoute, createHost, type Place, type Service } from '../service.js'
import { noHasher, scryptHasher } from './by-hand/hasher.js'
import { inPostgres, inSqlite, type TokenStores } from './by-hand/refresh-tokens.js'
import { addTokenRoutes } from './by-hand/token-routes.js'
import { userNumber } from './by-hand/users.js'

/** Handwritten code on @fastify/jwt, as its page shows: HS256, verified with each request. */
function byHand(packages: string[], open: (place: Place) => Promise<TokenStores>): Service {
  return {
    async serve(place, setup) {
      const { seed, ...stores } = await open(place)
      const hasher = setup.hash === 'real' ? scryptHasher : noHasher
      if (setup.users > 0) {
        const hash = await hasher.hash(password)
        await seed(Array.from({ length: setup.users }, (_, at) => userNumber(at, hash)))
      }
      const app = createHost(setup)
      await app.register(jwt, {
        secret: randomBytes(32).toString('base64url'),
        sign: { expiresIn: '15m' },
      })
      addTokenRoutes(app, stores, hasher)
      addPublicRoute(app)
      return app
    },
    packages: ['@fastify/jwt', ...packages],
  }
}

export const services = {
  'by-hand-sqlite-jwt': byHand([sqliteDriver()], inSqlite),
  'by-hand-postgres-jwt': byHand(['pg'], inPostgres),
}
