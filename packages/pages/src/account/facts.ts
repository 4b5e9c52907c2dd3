import type { PageVisit } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import type { BodyOf } from '../ways/operations.js'

/** Something that was removed when the account was secured: how many of each kind. */
export type Removed = NonNullable<BodyOf<'showFactors'>['removed']>

/** What the account page shows besides the user. `null` for what is off. */
export interface AccountFacts {
  sessions: BodyOf<'listSessions'>['results'] | null
  factors: BodyOf<'showFactors'> | null
  apiKeys: number | null
  passkeys: { name: string }[] | null
  /** Other providers, and other ids elsewhere. */
  identities: { provider: string | null; label: string | null }[] | null
  organizations: { name: string }[] | null
  /** To organizations. */
  invitations: number
  /** The address that awaits its confirmation. */
  newEmail: string | null
  removed: Removed | null
}

/** Reads what is on, all at once. */
export async function factsOf(site: Site, visit: PageVisit): Promise<AccountFacts> {
  const read = async <Body>(isOn: boolean, id: string): Promise<Body | null> =>
    isOn ? ((await visit.perform(id)).body as Body) : null
  const hasOrganizations = site.has('organizations')
  const [sessions, factors, apiKeys, passkeys, identities, organizations, invitations, change] =
    await Promise.all([
      read<BodyOf<'listSessions'>>(site.core.where.url('sessions') !== undefined, 'listSessions'),
      read<BodyOf<'showFactors'>>(site.has('second-factor'), 'showFactors'),
      read<BodyOf<'listApiKeys'>>(site.has('api-keys'), 'listApiKeys'),
      read<{ results: { name: string }[]; removed: Removed | null }>(site.has('passkeys'), 'listPasskeys'),
      read<{ results: { provider: string | null; label: string | null }[] }>(
        site.has('providers'),
        'listIdentities',
      ),
      read<{ results: { name: string }[] }>(hasOrganizations, 'listOwnOrganizations'),
      read<{ results: unknown[] }>(hasOrganizations, 'listOwnInvitations'),
      read<BodyOf<'showEmailChange'>>(true, 'showEmailChange'),
    ])
  return {
    sessions: sessions?.results ?? null,
    factors,
    apiKeys: apiKeys?.results.length ?? null,
    passkeys: passkeys?.results ?? null,
    identities: identities?.results ?? null,
    organizations: organizations?.results ?? null,
    invitations: invitations?.results.length ?? 0,
    newEmail: change?.email ?? null,
    removed: factors?.removed ?? passkeys?.removed ?? null,
  }
}
