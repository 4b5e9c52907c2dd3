import type { MountCore } from '../http/feature-core.js'
import { onUser } from '../users/host-accounts.js'
import { type FeatureHost, type HostCall, hostCall } from './host.js'
import type { HostIdentities, HostIdentity, IdentityName } from './identities.js'

declare module '../feature-names.js' {
  interface FeatureCalls {
    /**
     * The identities of a user at other providers, in the order in which they were linked; `null` if there is no such user.
     * @throws Error without `providers()`
     */
    listIdentities(userId: string, call?: HostCall): Promise<HostIdentity[] | null>
    /**
     * Links an identity at another provider, with which the user logs in from then on, and emails the owner: your code vouches
     * that both are the same person. Resolves to whether there is such a user.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT; ACCOUNTS_IDENTITY_TAKEN if another user has it; ACCOUNTS_CONFLICT if the
     * user has 25; Error without `providers()`
     */
    addIdentity(userId: string, identity: IdentityName, call?: HostCall): Promise<boolean>
    /**
     * Removes an identity and emails the owner. Resolves to whether there was one.
     * @param id from `listIdentities`
     * @throws AccountsError ACCOUNTS_CONFLICT if the user couldn't log in anymore; Error without `providers()`
     */
    removeIdentity(userId: string, id: string, call?: HostCall): Promise<boolean>
  }
}

/** @param identitiesOf throws if no feature has them */
export function identityHost(
  core: MountCore,
  identitiesOf: (core: MountCore) => HostIdentities,
): FeatureHost {
  return {
    findByIdentity: async (identity) =>
      (await core.users.findByIdentity?.(identitiesOf(core).keyOf(identity))) ?? null,
    calls: {
      listIdentities: hostCall('list-identities', ['userId'], (core) => async (userId) => {
        const identities = identitiesOf(core)
        return onUser(core, userId, async (user) => identities.list(user))
      }),
      addIdentity: hostCall('link-identity', ['userId', null], (core) => async (userId, identity) => {
        const identities = identitiesOf(core)
        return (await onUser(core, userId, (user) => identities.add(user, identity))) !== null
      }),
      removeIdentity: hostCall('remove-identity', ['userId', 'id'], (core) => async (userId, id) => {
        const identities = identitiesOf(core)
        return (await onUser(core, userId, (user) => identities.remove(user, id))) ?? false
      }),
    },
  }
}
