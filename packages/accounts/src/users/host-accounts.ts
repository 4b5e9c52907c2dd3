import type { Deps } from '../deps.js'
import { AccountsError, attributed } from '../errors.js'
import { findServiceById, findUserById } from '../identifiers/user-id.js'
import type { StoredUser } from '../user.js'

/*
 * What calls of the app's own code share.
 */

/** The user or service account with this id. */
export async function findAccount({ users }: Pick<Deps, 'users'>, id: string): Promise<StoredUser | null> {
  return (await findUserById(users, id)) ?? (await findServiceById(users, id))
}

/** What a service returns, or `null` if there is no such user: to the app's own code that is no error. */
export async function foundOrNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'ACCOUNTS_NOT_FOUND') return null
    throw error
  }
}

/** Whether what a service changes was there. */
export async function isFound(work: () => Promise<unknown>): Promise<boolean> {
  return (await foundOrNull(async () => [await work()])) !== null
}

/** Works on a user, to whom every refusal is attributed. `null` if there is no such user. */
export async function onUser<T>(
  { users }: Pick<Deps, 'users'>,
  id: string,
  work: (user: StoredUser) => Promise<T>,
): Promise<T | null> {
  const user = await findUserById(users, id)
  return user && attributed(user, () => work(user))
}

/** @throws Error if the user store can't list users */
export function listOf({ users: { list } }: Pick<Deps, 'users'>): NonNullable<typeof list> {
  if (list === undefined) throw new Error('fastify-accounts: the user store can’t list users')
  return list
}
