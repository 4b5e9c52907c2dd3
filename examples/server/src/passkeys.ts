import { isIP } from 'node:net'
import { passkeys } from '@fastify-accounts/passkeys'
import type { AccountsFeature } from 'fastify-accounts'

/** Whether browsers support passkeys on this site: they require a domain with https, or localhost. */
function hasPasskeys(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname) === 0
}

/** The feature, if browsers support passkeys. Password managers link to their page. */
export function passkeysAt(baseUrl: string): AccountsFeature[] {
  if (!hasPasskeys(baseUrl)) return []
  const page = `${baseUrl}/account/passkeys/`
  return [passkeys({ endpoints: { enroll: page, manage: page } })]
}
