import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/options.js'

/** Where the routes are, as absolute URLs without a slash at the end. */
export interface PublicBases {
  auth: string
  users: string
  /** The path alone. */
  resetDonePath: string
  /** The path alone; a link's variable part follows. */
  keepEmailPath: string
}

export function publicBases(app: FastifyInstance, options: ResolvedOptions): PublicBases {
  const base = `${options.baseUrl}${app.prefix}${options.prefix}`
  const auth = base + (options.auth === false ? '' : options.auth.prefix)
  const users = base + (options.users === false ? '' : options.users.prefix)
  const authPath = new URL(auth).pathname.replace(/\/$/, '')
  return { auth, users, resetDonePath: `${authPath}/reset/d/`, keepEmailPath: `${authPath}/email/keep/` }
}
