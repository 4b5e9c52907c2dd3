import type { FastifyInstance } from 'fastify'
import type { ServiceName } from './requests.js'
import { betterAuthService } from './services/better-auth.js'
import { ownService } from './services/fastify-accounts.js'
import { floorService } from './services/floor.js'

/** A service under the storm; what it keeps, it keeps in a SQLite file of its own. */
export interface Service {
  /** Makes the tables, and so many users. */
  seed(file: string, users: number): Promise<void>
  /** @param logger whether each request is logged, as in production */
  serve(file: string, logger: boolean): Promise<FastifyInstance>
  /** Of everything that matters, as installed here. */
  versions: string[]
}

export const services: Record<ServiceName, Service> = {
  'fastify-accounts': ownService,
  'better-auth': betterAuthService,
  floor: floorService,
}
