import type { Claims, OwnProfile, Provider, ProviderResponse } from '../provider.js'
import { preset, type SecretPresetOptions } from './preset.js'

/**
 * GitHub. It vouches for no address: a verified one stays with the account even if its owner has lost the address.
 * @throws Error with one line that names the option
 */
export function github(options: SecretPresetOptions): Provider {
  const provider = {
    name: 'github',
    label: 'GitHub',
    issuer: 'https://github.com',
    endpoints: {
      authorization: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
      iss: 'https://github.com/login/oauth',
    },
    scopes: ['user:email'],
    profile: readProfile,
  }
  return preset(provider, options)
}

async function readProfile({ get }: ProviderResponse): Promise<OwnProfile> {
  const [user, emails] = await Promise.all([
    get('https://api.github.com/user'),
    // An account may have many; a page of 30 might not include the primary one.
    get('https://api.github.com/user/emails?per_page=100'),
  ])
  const { id, login, name } = user as Claims
  // Not the login, which someone else can take once it is given up.
  if (!Number.isSafeInteger(id)) throw new Error('GitHub did not return an account id')
  const list = Array.isArray(emails) ? (emails as (Claims | null)[]) : []
  const primary = list.find((each) => each?.primary === true && each.verified === true)
  return {
    subject: String(id),
    email: (primary?.email ?? null) as string | null,
    emailVerified: primary !== undefined,
    username: login as string | null,
    name: name as string | null,
    claims: user as Claims,
  }
}
