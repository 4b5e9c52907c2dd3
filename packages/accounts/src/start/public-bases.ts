import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'

/** Where the two groups of routes begin, as absolute URLs without a slash at the end. */
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
