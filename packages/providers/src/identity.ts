import { hash } from 'node:crypto'
import type { Credential, StoredUser } from 'fastify-accounts'
import type { Profile, Provider } from './provider.js'

/** Who somebody is at a provider, as the user record keeps it. Whoever reads it can't log in with it. */
export interface Identity extends Credential {
  kind: 'oidc'
  /** `<issuer>|<subject>`. */
  id: string
  /** The name of the provider that it was linked with. */
  provider: string
  /** What its owner knows it by: the address at the provider, or the name, when it was last used. */
  label: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  lastUsedAt: string | null
  /** The provider's tokens, where they are kept. */
  sealed?: string
}

/** What people read of their identities over HTTP. */
export interface ListedIdentity {
  id: string
  provider: string | null
  label: string | null
  created_at: string | null
  last_used_at: string | null
}

/** So many an account may have. */
export const mostIdentities = 25

type Holder = Pick<StoredUser, 'credentials' | 'identityKeys'>

/** Among the `identityKeys` of a user. */
export const identityKey = ({ issuer, subject }: Pick<Profile, 'issuer' | 'subject'>): string =>
  `oidc:${issuer}|${subject}`

export function newIdentity(profile: Profile, provider: string): Identity {
  const { issuer, subject } = profile
  const createdAt = new Date().toISOString()
  return {
    ...{ kind: 'oidc', id: `${issuer}|${subject}`, provider, label: labelOf(profile) },
    createdAt,
    lastUsedAt: null,
  }
}

const labelOf = ({ email, username, name }: Profile): string | null => email ?? username ?? name

const isIdentity = (each: Credential): each is Identity => each.kind === 'oidc'

export function withIdentity({ credentials, identityKeys }: Holder, identity: Identity): Holder {
  return {
    credentials: [...credentials, identity],
    identityKeys: [...identityKeys, `oidc:${identity.id}`],
  }
}

export function withoutIdentity({ credentials, identityKeys }: Holder, key: string): Holder {
  return {
    credentials: credentials.filter((each) => !isIdentity(each) || `oidc:${each.id}` !== key),
    identityKeys: identityKeys.filter((each) => each !== key),
  }
}

/**
 * An identity that was imported is a key alone, and stays one.
 * @param more what else is kept of this use
 */
export function withUse(
  { credentials }: Pick<Holder, 'credentials'>,
  profile: Profile,
  more: (identity: Identity) => Pick<Identity, 'sealed'> = () => ({}),
): Pick<Holder, 'credentials'> {
  const key = identityKey(profile)
  const used = { label: labelOf(profile), lastUsedAt: new Date().toISOString() }
  return {
    credentials: credentials.map((each) =>
      isIdentity(each) && `oidc:${each.id}` === key ? { ...each, ...used, ...more(each) } : each,
    ),
  }
}

/** @param sealed the provider's tokens; without them, none are kept */
export function withSealed(
  { credentials }: Pick<Holder, 'credentials'>,
  id: string,
  sealed: string | undefined,
): Pick<Holder, 'credentials'> {
  return {
    credentials: credentials.map((each) => {
      if (!isIdentity(each) || each.id !== id) return each
      const { sealed: _, ...rest } = each
      return sealed === undefined ? rest : { ...rest, sealed }
    }),
  }
}

/** The keys of identities, in the order in which they were linked. */
export const keysOf = ({ identityKeys }: Pick<Holder, 'identityKeys'>): string[] =>
  identityKeys.filter((key) => key.startsWith('oidc:'))

/** What an identity is called outside: 128 bits of its key, which is longer than a path may be, and tells who the owner is elsewhere. */
export const shownId = (key: string): string => hash('sha256', key, 'base64url').slice(0, 22)

function identityOf({ credentials }: Pick<Holder, 'credentials'>, key: string): Identity | undefined {
  return credentials.filter(isIdentity).find(({ id }) => `oidc:${id}` === key)
}

const tenant = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const atAnyTenant = new RegExp(`^oidc:https://login\\.microsoftonline\\.com/${tenant}/v2\\.0\\|`)

/** Microsoft alone has one address for many issuers, each tenant being one. */
function isIssuedAt(issuer: string, key: string): boolean {
  const isShared = /^https:\/\/login\.microsoftonline\.com\/(common|organizations)\/v2\.0$/.test(issuer)
  if (isShared) return atAnyTenant.test(key)
  const named = key.slice('oidc:'.length, key.indexOf('|'))
  // An issuer may write its own name without the slash that its URL has.
  return URL.canParse(named) && new URL(named).href === new URL(issuer).href
}

/**
 * The provider of these whose key it is; `null` where nobody logs in with that one any more. Its issuer tells, since a
 * name may be another provider's by now; where several have that issuer, the one that it was linked with.
 */
export function providerOf(mounted: readonly Provider[], user: Holder, key: string): Provider | null {
  const linkedWith = identityOf(user, key)?.provider
  const possible = mounted.filter(({ issuer }) => isIssuedAt(issuer, key))
  return possible.find(({ name }) => name === linkedWith) ?? possible[0] ?? null
}

/** The identities of a user at one of the providers. */
export function identitiesAt(mounted: readonly Provider[], user: Holder, provider: Provider): Identity[] {
  return user.credentials
    .filter(isIdentity)
    .filter(({ id }) => providerOf(mounted, user, `oidc:${id}`) === provider)
}

export function listedIdentities(mounted: readonly Provider[], user: Holder): ListedIdentity[] {
  return keysOf(user).map((key) => {
    const identity = identityOf(user, key)
    return {
      id: shownId(key),
      provider: providerOf(mounted, user, key)?.name ?? null,
      label: identity?.label ?? null,
      created_at: identity?.createdAt ?? null,
      last_used_at: identity?.lastUsedAt ?? null,
    }
  })
}
