import type { FastifyInstance } from 'fastify'
import { scopePath } from '../http/scope-path.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'

/** The base URLs of the two groups of routes, absolute and without a trailing slash. */
export interface PublicBases {
  auth: string
  users: string
}

/** @throws Error with one line if links can't lead to this scope */
export function publicBases(app: FastifyInstance, options: ResolvedOptions): PublicBases {
  const path = scopePath(app)
  if (/[:*]/.test(path))
    fail(
      'prefix',
      `can't be below a scope whose prefix has a parameter, ${path}: emailed links need a fixed path`,
    )
  const base = `${options.baseUrl}${path}${options.prefix}`
  return {
    auth: base + (options.auth === false ? '' : options.auth.prefix),
    users: base + (options.users === false ? '' : options.users.prefix),
  }
}
