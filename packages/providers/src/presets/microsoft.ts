import type { OwnProfile, Provider, ProviderResponse } from '../provider.js'
import { fail } from '../settings.js'
import { preset, type SecretPresetOptions } from './preset.js'

/** Options of the preset for Microsoft. */
export interface MicrosoftOptions extends SecretPresetOptions {
  /** Whose accounts: personal and those of all organizations, one kind of them, or the id (a UUID) of one tenant. Default `'common'`. */
  tenant?: string | undefined
}

/** The tenant of personal accounts. */
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'

const isTenantId = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

/**
 * Microsoft: personal accounts, and those of organizations (Entra ID). It vouches for no address: a tenant's admin
 * can enter any.
 * @throws Error with one line that names the option
 */
export function microsoft(options: MicrosoftOptions): Provider {
  const { name = 'microsoft', tenant = 'common' } = options
  if (!['common', 'organizations', 'consumers'].includes(tenant) && !isTenantId(tenant))
    fail(`${name}.tenant`, `must be common, organizations, consumers or the id of a tenant, got ${tenant}`)
  // The document of `consumers` is their tenant's.
  const path = tenant === 'consumers' ? personal : tenant

  /** The signature check already verified that `iss` belongs to the tenant in `tid`. */
  function profile({ claims: { tid } }: ProviderResponse): OwnProfile {
    if (!isTenantId(tid)) throw new Error('the ID token has no tenant')
    if (tenant === 'organizations' && tid === personal) throw new Error('personal accounts are not accepted')
    return { emailVerified: false }
  }
  const provider = {
    name: 'microsoft',
    label: 'Microsoft',
    issuer: `https://login.microsoftonline.com/${path}/v2.0`,
    profile,
  }
  return preset(provider, options, ['tenant'])
}
