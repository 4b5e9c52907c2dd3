import type { Claims, Provider } from '../provider.js'
import { preset, type SecretPresetOptions } from './preset.js'

/**
 * Google. It vouches for addresses at gmail.com, and for those of a Workspace at the domain of that Workspace.
 * @throws Error with one line that names the option
 */
export function google(options: SecretPresetOptions): Provider {
  const provider = {
    name: 'google',
    label: 'Google',
    issuer: 'https://accounts.google.com',
    authoritativeFor: isGoogles,
  }
  return preset(provider, options)
}

/** A Google account may have someone else's address, verified in the past. */
function isGoogles(email: string, { hd }: Claims): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return domain === 'gmail.com' || (typeof hd === 'string' && hd.toLowerCase() === domain)
}
