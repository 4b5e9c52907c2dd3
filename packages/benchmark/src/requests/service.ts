import { type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import Fastify, { type FastifyInstance } from 'fastify'

/** Where a service stores its users and sessions; it shares none of this. */
export interface Place {
  /** An empty folder. */
  folder: string
  /** An empty database. */
  postgresUrl: string
  /** The prefix of all its keys in Redis. */
  redisPrefix: string
  /** The same at each start. */
  secret: string
}

export interface Setup {
  /** How many users it has initially, numbered from 0, all with one password. */
  users: number
  /** `removed`: the hash is replaced with one that costs nothing, so everything else becomes visible. */
  hash: 'real' | 'removed'
  /** Whether it has a list of users, if that is optional. */
  list?: boolean
  /** Whether each use of a session renews it, where renewing is not a request of its own. */
  renews?: boolean
  /** Whether the log is on, and limits and hashes have their defaults: otherwise nothing limits the load. */
  production?: boolean
}

export interface Service {
  /** Creates the tables, the users, and the server, which does not listen yet. */
  serve(place: Place, setup: Setup): Promise<FastifyInstance>
  /** The packages whose versions matter. */
  packages: string[]
}

/** The host application of every service. In production it logs, but not in a test. */
export function createHost({ production = false }: Setup): FastifyInstance {
  const logger = production && process.env.NODE_ENV === 'production'
  return Fastify({ logger, trustProxy: 'loopback', keepAliveTimeout: 600_000 })
}

/** Its one public route. */
export function addPublicRoute(app: FastifyInstance): void {
  const response = { 200: { type: 'object', properties: { hello: { type: 'string' } } } }
  app.get('/public', { schema: { response } }, async () => ({ hello: 'world' }))
}

const text = { type: 'string' }
const flag = { type: 'boolean' }

/** What every service but better-auth returns to users about themselves. */
export const ownUserSchema = {
  type: 'object',
  properties: {
    id: text,
    username: text,
    email: { type: 'string', nullable: true },
    is_verified: flag,
    is_staff: flag,
    is_active: flag,
    created_at: text,
    last_login_at: { type: 'string', nullable: true },
  },
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** scrypt with our default cost, for those who call it themselves. */
export function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  return derive(password, salt, 64, { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 })
}
