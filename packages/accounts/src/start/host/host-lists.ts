import type { MountCore } from '../../http/feature-core.js'

/** @throws Error if the user store can't list users */
export function listOf({ users: { list } }: Pick<MountCore, 'users'>): NonNullable<typeof list> {
  if (list === undefined) throw new Error('fastify-accounts: the user store can’t list users')
  return list
}
