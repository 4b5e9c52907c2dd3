import type { FastifyInstance } from 'fastify'
import type { ServiceName } from './requests.js'
import { betterAuthService } from './services/better-auth.js'
import { ownService } from './services/fastify-accounts.js'
import { floorService } from './services/floor.js'

/** A service under the storm; it stores everything in its own SQLite file. */
export interface Service {
  /** Creates the tables, and this many users. */
  seed(file: string, users: number): Promise<void>
  /** @param logger whether each request is logged, as in production */
  serve(file: string, logger: boolean): Promise<FastifyInstance>
  /** The versions of everything that matters, as installed here. */
  versions: string[]
}

export const services: Record<ServiceName, Service> = {
  'fastify-accounts': ownService,
  'better-auth': betterAuthService,
  floor: floorService,
}
