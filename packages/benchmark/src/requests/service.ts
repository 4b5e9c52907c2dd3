import type { FastifyInstance } from 'fastify'

/** Where a service stores its users and sessions; it shares none of this. */
export interface Place {
  /** An empty folder. */
  folder: string
  /** An empty database. */
  postgresUrl: string
  redisUrl: string
  /** Whether each write reaches the disk before it is answered, if that is configurable. */
  durable: boolean
  /** The prefix of all its keys in Redis. */
  redisPrefix: string
  /** The same for all processes of one service. */
  secret: string
}

export interface Setup {
  /** How many users it has initially, numbered from 0, all with one password. */
  users: number
  /** `removed`: the hash is replaced with one that costs nothing, so everything else becomes visible. */
  hash: 'real' | 'removed'
  /** Whether it has a list of users, if that is optional. */
  list: boolean
  /** Whether every user has an authenticator app, all with the same secret. Default `false`. */
  secondFactor?: boolean
  /** Whether people sign up and log in with passkeys. Default `false`. */
  passkeys?: boolean
}

export interface Service {
  /** Creates the tables, the users, and the server, which does not listen yet. */
  serve(place: Place, setup: Setup): Promise<FastifyInstance>
  /** The versions of everything that matters, as installed here. */
  versions(): string[]
}
