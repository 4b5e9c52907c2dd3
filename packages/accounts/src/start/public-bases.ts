import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'

/** The base URLs of the two groups of routes, absolute and without a trailing slash. */
export interface PublicBases {
  auth: string
  users: string
}

export function publicBases(app: FastifyInstance, options: ResolvedOptions): PublicBases {
  const base = `${options.baseUrl}${app.prefix}${options.prefix}`
  return {
    auth: base + (options.auth === false ? '' : options.auth.prefix),
    users: base + (options.users === false ? '' : options.users.prefix),
  }
}
