import type { FeatureCore, SpendOnce } from 'fastify-accounts/features'
import type { Flows } from './flow.js'
import type { Issuer } from './issuer.js'
import type { PendingIdentities } from './pending-identity.js'

/** What the services of providers work with. */
export interface ProviderDeps extends FeatureCore {
  /** By the names of the providers. */
  issuers: ReadonlyMap<string, Issuer>
  flows: Flows
  pendingIdentities: PendingIdentities
  /** Finds by `identityKeys`; the feature stops the start without it. */
  users: FeatureCore['users'] & Required<Pick<FeatureCore['users'], 'findByIdentity'>>
  spend: SpendOnce
}
