import { deriveKeys, openSealed, seal } from 'fastify-accounts/features'
import type { Site } from './site.js'

/** What it is sealed for: it opens for nothing else. */
type AddressPurpose = 'login' | 'sign-up' | 'reset' | 'link'

/**
 * Carries an address, or texts of a form with one, through a URL or a form, so logs and histories don't show it. Anybody may
 * have an address sealed by sending the form that takes it, and pass the URL on: it proves nothing about who brings it.
 */
export interface SealedAddresses {
  seal(purpose: AddressPurpose, email: string): string
  /** The text; `null` if it wasn't sealed here, was sealed for something else, or is older than a day. */
  open(purpose: AddressPurpose, sealed: unknown): string | null
}

/** Milliseconds. */
const lifetime = 24 * 3600 * 1000

/** Make it once, at start. */
export function sealedAddress({ core: { options } }: Site): SealedAddresses {
  const keys = deriveKeys(options.secret, `pages-address:${options.session.cookieName}`)
  return {
    seal: (purpose, email) => seal(keys[0], JSON.stringify([email, Date.now() + lifetime]), purpose),
    open(purpose, sealed) {
      const text = typeof sealed === 'string' ? openSealed(keys, sealed, purpose) : null
      if (text === null) return null
      const [email, until] = JSON.parse(text) as [string, number]
      return Date.now() < until ? email : null
    },
  }
}
