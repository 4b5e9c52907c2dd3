import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'

/** By server, the name under which the mounts of each user store count attempts. */
const servers = new WeakMap<object, Map<unknown, string>>()

/**
 * The name under which attempts are counted: two realms share no budget, even in one store, but two mounts of
 * the same users do. It is the instance decorator of the app's first mount of these users.
 */
export function throttleRealm(
  app: FastifyInstance,
  options: Pick<ResolvedOptions, 'userStore' | 'decorateAs'>,
): string {
  const names = servers.get(app.server) ?? new Map<unknown, string>()
  servers.set(app.server, names)
  // Each mount has its own in-memory store.
  const users = options.userStore ?? options
  const taken = [...names.values()]
  let name = names.get(users) ?? options.decorateAs.instance
  // Mounts in different scopes may have the same name.
  if (!names.has(users))
    for (let at = 2; taken.includes(name); at += 1) name = `${options.decorateAs.instance}${at}`
  names.set(users, name)
  return name
}
