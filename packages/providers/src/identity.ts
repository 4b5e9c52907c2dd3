import { hash } from 'node:crypto'
import type { Credential, StoredUser } from 'fastify-accounts'
import type { Profile, Provider } from './provider.js'
import type { ListedIdentity } from './schemas.js'

/** A user's identity at a provider, as stored in the user record. Nobody can log in by reading it. */
export interface Identity extends Credential {
  kind: 'oidc'
  /** `<issuer>|<subject>`. */
  id: string
  /** The name of the provider it was linked with. */
  provider: string
  /** A label its owner recognizes: the address or name at the provider at the last use. */
  label: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  lastUsedAt: string | null
  /** The provider's tokens, if they are kept. */
  sealed?: string
  /** Until when one process alone may refresh them, in milliseconds since 1970; absent if none does. */
  refreshingUntil?: number
}

/** The maximum number per account. */
export const mostIdentities = 25

type Holder = Pick<StoredUser, 'credentials' | 'identityKeys'>

/** An identity at a provider, and what its owner may know it by. */
export type Named = Pick<Profile, 'issuer' | 'subject' | 'email' | 'username' | 'name'>

/** Among the `identityKeys` of a user. */
export const identityKey = ({ issuer, subject }: Pick<Profile, 'issuer' | 'subject'>): string =>
  `oidc:${issuer}|${subject}`

export function newIdentity(profile: Named, provider: string): Identity {
  const { issuer, subject } = profile
  const createdAt = new Date().toISOString()
  return {
    kind: 'oidc',
    id: `${issuer}|${subject}`,
    provider,
    label: labelOf(profile),
    createdAt,
    lastUsedAt: null,
  }
}

export const labelOf = ({ email, username, name }: Named): string | null => email ?? username ?? name

/** A login with an identity: which one, and what its owner knows it by. */
export interface Use {
  key: string
  /** Default: what it was. */
  label?: string | null
}

export const useOf = (profile: Named): Use => ({ key: identityKey(profile), label: labelOf(profile) })

const isIdentity = (each: Credential): each is Identity => each.kind === 'oidc'

export function withIdentity({ credentials, identityKeys }: Holder, identity: Identity): Holder {
  return {
    credentials: [...credentials, identity],
    identityKeys: [...identityKeys, `oidc:${identity.id}`],
  }
}

/** An identity as all that lets its owner in. */
export const onlyIdentity = (identity: Identity): Holder =>
  withIdentity({ credentials: [], identityKeys: [] }, identity)

export function withoutIdentity({ credentials, identityKeys }: Holder, key: string): Holder {
  return {
    credentials: credentials.filter((each) => !isIdentity(each) || `oidc:${each.id}` !== key),
    identityKeys: identityKeys.filter((each) => each !== key),
  }
}

/**
 * An imported identity is only a key, and stays one.
 * @param more other data to keep about this use
 */
export function withUse(
  { credentials }: Pick<Holder, 'credentials'>,
  { key, ...now }: Use,
  more: (identity: Identity) => Pick<Identity, 'sealed'> = () => ({}),
): Pick<Holder, 'credentials'> {
  const used = { ...now, lastUsedAt: new Date().toISOString() }
  return {
    credentials: credentials.map((each) =>
      isIdentity(each) && `oidc:${each.id}` === key ? { ...each, ...used, ...more(each) } : each,
    ),
  }
}

/** Changes one identity. */
export function withChanged(
  { credentials }: Pick<Holder, 'credentials'>,
  id: string,
  change: (identity: Identity) => Identity,
): Pick<Holder, 'credentials'> {
  return {
    credentials: credentials.map((each) => (isIdentity(each) && each.id === id ? change(each) : each)),
  }
}

/** The keys of identities, in the order in which they were linked. */
export const keysOf = ({ identityKeys }: Pick<Holder, 'identityKeys'>): string[] =>
  identityKeys.filter((key) => key.startsWith('oidc:'))

/** The public id of an identity: 128 bits of its key, which is too long for a path and reveals who the owner is elsewhere. */
export const shownId = (key: string): string => hash('sha256', key, 'base64url').slice(0, 22)

export function identityOf({ credentials }: Pick<Holder, 'credentials'>, key: string): Identity | undefined {
  return credentials.filter(isIdentity).find(({ id }) => `oidc:${id}` === key)
}

const tenant = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const atAnyTenant = new RegExp(`^oidc:https://login\\.microsoftonline\\.com/${tenant}/v2\\.0\\|`)

/** Whether a key is of an issuer. Only Microsoft has one address for many issuers: each tenant is one. */
export function isIssuedAt(issuer: string, key: string): boolean {
  const isShared = /^https:\/\/login\.microsoftonline\.com\/(common|organizations)\/v2\.0$/.test(issuer)
  if (isShared) return atAnyTenant.test(key)
  const named = key.slice('oidc:'.length, key.indexOf('|'))
  // An issuer may omit the slash of its URL in its own name.
  return URL.canParse(named) && new URL(named).href === new URL(issuer).href
}

/**
 * The provider that the key belongs to; `null` if it is no longer available. Its issuer decides, since a
 * name may belong to another provider by now; if several have that issuer, the one it was linked with.
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

/** As their owner gets them in an export: also who they are there, and whether tokens of the provider are kept. */
export function exportedIdentities(
  mounted: readonly Provider[],
  user: Holder,
): (ListedIdentity & { issuer: string; subject: string; keeps_tokens: boolean })[] {
  return listedIdentities(mounted, user).map((listed, at) => {
    const key = keysOf(user)[at] ?? ''
    const [issuer = '', ...subject] = key.slice('oidc:'.length).split('|')
    const keeps_tokens = identityOf(user, key)?.sealed !== undefined
    return { ...listed, issuer, subject: subject.join('|'), keeps_tokens }
  })
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
