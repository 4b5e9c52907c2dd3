import type { FeatureCore, NamedCookie, SpendOnce } from 'fastify-accounts/features'
import type { Challenges } from './challenge.js'
import type { PasskeySettings } from './settings.js'

/** What the services of passkeys work with. */
export interface PasskeyDeps extends Omit<FeatureCore, 'factors'> {
  settings: PasskeySettings
  challenges: Challenges
  /** The mark by which a browser is known while it answers a challenge. */
  browser: NamedCookie
  /** Finds by `identityKeys`; the feature stops the start without it. */
  users: FeatureCore['users'] & Required<Pick<FeatureCore['users'], 'findByIdentity'>>
  spend: SpendOnce
}
