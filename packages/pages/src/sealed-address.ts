import type { FeatureCore } from 'fastify-accounts/features'
import { type Sealed, sealedFor } from './sealed.js'

/**
 * Carries an address, or texts of a form with one, through a URL or a form, so logs and histories don't show it. Anybody may
 * have an address sealed by sending the form that takes it, and pass the URL on: it proves nothing about who brings it.
 */
export type SealedAddresses = Sealed<string, 'login' | 'sign-up' | 'reset' | 'link'>

/** Seconds. */
const lifetime = 24 * 3600

export const sealedAddresses = (core: FeatureCore): SealedAddresses => sealedFor(core, 'address', lifetime)
