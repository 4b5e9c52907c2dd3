import type { FastifyInstance } from 'fastify'

/** What a service is given to keep its users and sessions in; all of it is its own. */
export interface Place {
  /** An empty folder. */
  folder: string
  /** An empty database. */
  postgresUrl: string
  redisUrl: string
  /** Whether each write reaches the disk before it is answered, where that can be chosen. */
  durable: boolean
  /** Stands before all its keys in Redis. */
  redisPrefix: string
  /** The same for all processes of one service. */
  secret: string
}

export interface Setup {
  /** How many users it has from the beginning, numbered from 0, under one password. */
  users: number
  /** `removed`: what stands in the place of the hash costs nothing, so that all the rest can be seen. */
  hash: 'real' | 'removed'
  /** Whether it has a list of users, where that is a part that can be left out. */
  list: boolean
  /** Whether every user has an authenticator app, all with the same secret. Default `false`. */
  secondFactor?: boolean
  /** Whether people sign up and log in with passkeys. Default `false`. */
  passkeys?: boolean
}

export interface Service {
  /** Makes the tables and the users, and the server, which does not listen yet. */
  serve(place: Place, setup: Setup): Promise<FastifyInstance>
  /** Of everything that matters, as installed here. */
  versions(): string[]
}
