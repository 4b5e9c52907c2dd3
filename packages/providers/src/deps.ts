import type { FeatureCore, SpendOnce } from 'fastify-accounts/features'
import type { Flows } from './flow.js'
import type { Issuer } from './issuer.js'
import type { PendingIdentities } from './pending-identity.js'

/** The dependencies of the provider services. */
export interface ProviderDeps extends FeatureCore {
  /** By provider name. */
  issuers: ReadonlyMap<string, Issuer>
  flows: Flows
  /** Those whose address has to be proved by email. */
  pendingIdentities: PendingIdentities
  /** Those whose address is proved, but has an account that someone may have made with it before. */
  claims: PendingIdentities
  /** Finds by `identityKeys`; startup fails without it. */
  users: FeatureCore['users'] & Required<Pick<FeatureCore['users'], 'findByIdentity'>>
  spend: SpendOnce
}
