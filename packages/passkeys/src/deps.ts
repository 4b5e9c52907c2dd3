import type { FactorCore, NamedCookie, SpendOnce } from 'fastify-accounts/features'
import type { Challenges } from './challenge.js'
import type { PasskeySettings } from './settings.js'

/** The dependencies of the passkey routes. */
export interface PasskeyDeps extends FactorCore {
  settings: PasskeySettings
  challenges: Challenges
  /** Identifies a browser while it responds to a challenge. */
  browser: NamedCookie
  spend: SpendOnce
}
