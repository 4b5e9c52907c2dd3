import type { StoredUser, UserChanges } from 'fastify-accounts'
import { usernameKey } from 'fastify-accounts'
import { changeUser, firstProof, isReplacementName, noPassword } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { PendingIdentity } from './pending-identity.js'
import { isDuplicate } from './sign-up.js'
import { freeName } from './who.js'

/**
 * Gives an account to whoever was the first to prove its address. Whatever was there before may be somebody else's, who
 * signed up with an address that was not theirs (Sudhodanan & Paverd 2022, classic-federated merge). A name that nobody
 * has chosen becomes what the provider calls the person.
 * @param mayTake whether the account, as it is by then, is still nobody's
 * @returns the changed user; `null` where it is nobody's no more
 */
export async function handOver(
  deps: Pick<ProviderDeps, 'users' | 'options'>,
  owner: StoredUser,
  { identity, fields, wishes }: Pick<PendingIdentity, 'identity' | 'fields' | 'wishes'>,
  mayTake: (current: StoredUser) => boolean,
  mailsFor?: Parameters<typeof changeUser<StoredUser>>[3],
): Promise<StoredUser | null> {
  // A login follows: to take away the rows of the sessions before, late, would take its session too.
  const users = { ...deps.users, update: deps.users.updateOnly }
  const change = (also: UserChanges) =>
    changeUser(
      users,
      owner,
      (current) =>
        mayTake(current)
          ? {
              ...firstProof(current, noPassword),
              emailChangedAt: null,
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
    // Somebody was faster. It has a name.
    if (isDuplicate(error, 'username')) return change({})
    throw error
  })
}
