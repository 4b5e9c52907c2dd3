import type { Provider } from '../provider.js'
import { preset, type SecretPresetOptions } from './preset.js'

/**
 * LinkedIn. It vouches for no address: it doesn't verify who its members are. It sends no nonce, and its web login rejects
 * the `code_verifier` of PKCE as an unknown client.
 * @throws Error with one line that names the option
 */
export function linkedin(options: SecretPresetOptions): Provider {
  const provider = {
    name: 'linkedin',
    label: 'LinkedIn',
    issuer: 'https://www.linkedin.com/oauth',
    clientAuth: 'client_secret_post',
    lacks: ['nonce', 'pkce'],
  } as const
  return preset(provider, options)
}
