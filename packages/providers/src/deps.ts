import type { FeatureCore, SpendOnce } from 'fastify-accounts/features'
import type { AppCodes } from './app-code.js'
import type { Flows } from './flow.js'
import type { Issuer } from './issuer.js'
import type { PendingIdentities } from './pending-identity.js'

/** What the mount's providers have of their own, and not the core: what that has is an operation's own, such as `users`. */
export interface Services {
  /** By provider name. */
  issuers: ReadonlyMap<string, Issuer>
  flows: Flows
  /** Those whose address has to be proved by email. */
  pendingIdentities: PendingIdentities
  /** Those whose address is proved, but has an account that someone may have made with it before. */
  claims: PendingIdentities
  /** What flows in the system browser have proved, on its way to an app. */
  appCodes: AppCodes
  spend: SpendOnce
}

/** What the work of the routes depends on; each function selects its own with `Pick`. */
export interface ProviderDeps extends FeatureCore, Services {}
