import type { StoredUser, UserChanges } from 'fastify-accounts'
import { usernameKey } from 'fastify-accounts'
import { changeUser, firstProof, isReplacementName, noPassword } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { PendingIdentity } from './pending-identity.js'
import { isDuplicate } from './sign-up.js'
import { freeName } from './who.js'

/**
 * Gives an account to the first user who proved its address. Everything from before may belong to someone else who
 * signed up with another person's address (Sudhodanan & Paverd 2022, classic-federated merge). A name that no user
 * chose is replaced by the provider's name for the person.
 * @param mayTake whether the account is still unclaimed at that point
 * @returns the changed user; `null` if it is no longer unclaimed
 */
export async function handOver(
  deps: Pick<ProviderDeps, 'users' | 'options'>,
  owner: StoredUser,
  { identity, fields, wishes }: Pick<PendingIdentity, 'identity' | 'fields' | 'wishes'>,
  mayTake: (current: StoredUser) => boolean,
  mailsFor?: Parameters<typeof changeUser<StoredUser>>[3],
): Promise<StoredUser | null> {
  // A login follows: removing the earlier session rows late would remove its session too.
  const users = { ...deps.users, update: deps.users.updateOnly }
  const change = (also: UserChanges) =>
    changeUser(
      users,
      owner,
      (current) =>
        mayTake(current)
          ? {
              ...firstProof(current, noPassword),
              fields,
              credentials: [identity],
              identityKeys: [`oidc:${identity.id}`],
              ...(isReplacementName(current.username) && also),
            }
          : null,
      mailsFor,
    )
  if (deps.options.names !== 'required' || !isReplacementName(owner.username)) return change({})
  const username = await freeName(deps, wishes)
  return change({ username, usernameKey: usernameKey(username) }).catch((error: unknown) => {
    // Another request was faster. The account has a name.
    if (isDuplicate(error, 'username')) return change({})
    throw error
  })
}
