import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'

/** By server, the name under which the mounts of each user store count. */
const servers = new WeakMap<object, Map<unknown, string>>()

/**
 * The name under which attempts are counted: users of two realms share no budget, even in one store, while two mounts
 * of the same users do. The name of the instance decorator, of the first mount of these users in the app.
 */
export function throttleRealm(
  app: FastifyInstance,
  options: Pick<ResolvedOptions, 'userStore' | 'decorateAs'>,
): string {
  const names = servers.get(app.server) ?? new Map<unknown, string>()
  servers.set(app.server, names)
  // A store in memory is each mount's own.
  const users = options.userStore ?? options
  const taken = [...names.values()]
  let name = names.get(users) ?? options.decorateAs.instance
  // Mounts in scopes of their own may have one name.
  if (!names.has(users))
    for (let at = 2; taken.includes(name); at += 1) name = `${options.decorateAs.instance}${at}`
  names.set(users, name)
  return name
}
