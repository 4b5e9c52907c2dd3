import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/options.js'

/** By server, the name under which the mounts of each user store count. */
const servers = new WeakMap<object, Map<unknown, string>>()

/**
 * The name under which attempts are counted: users of two realms share no budget, even in one store, while two mounts
 * of the same users do. The name of the instance decorator, of the first mount of these users in the app.
 */
export function throttleRealm(
  app: FastifyInstance,
  { given, decorateAs }: Pick<ResolvedOptions, 'given' | 'decorateAs'>,
): string {
  const names = servers.get(app.server) ?? new Map<unknown, string>()
  servers.set(app.server, names)
  // A store in memory is each mount's own.
  const users = given.userStore ?? given
  const taken = [...names.values()]
  let name = names.get(users) ?? decorateAs.instance
  // Mounts in scopes of their own may have one name.
  if (!names.has(users)) for (let at = 2; taken.includes(name); at += 1) name = `${decorateAs.instance}${at}`
  names.set(users, name)
  return name
}
