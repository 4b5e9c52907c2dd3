import { AccountsError } from 'fastify-accounts'
import {
  fieldError,
  type HostIdentities,
  type IdentityName,
  invalidInput,
  type MountCore,
} from 'fastify-accounts/features'
import { addIdentity, dropIdentity } from './change-identities.js'
import { identityKey, isIssuedAt, listedIdentities, newIdentity } from './identity.js'
import type { Profile, Provider } from './provider.js'

/** The identities of users, for the app's own code, which vouches for what it links. */
export function createHostIdentities(core: MountCore, list: readonly Provider[]): HostIdentities {
  return {
    keyOf: (identity) => identityKey(profileOf(list, identity).profile),
    list: (user) =>
      listedIdentities(list, user).map(({ created_at, last_used_at, ...shown }) => ({
        ...shown,
        createdAt: dateOf(created_at),
        lastUsedAt: dateOf(last_used_at),
      })),
    async add(user, identity) {
      const { provider, profile } = profileOf(list, identity)
      const { name, label = name } = provider
      return addIdentity(core, user, {
        key: identityKey(profile),
        identity: newIdentity(profile, name),
        label,
        mayChange: () => true,
        again: () => ({}),
      })
    },
    async remove(user, id) {
      try {
        return (await dropIdentity(core, list, user, { id, mayChange: () => true })) !== null
      } catch (error) {
        if (error instanceof AccountsError && error.code === 'ACCOUNTS_NOT_FOUND') return false
        throw error
      }
    },
  }
}

const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time))

/**
 * What the provider would report, as far as the app's own code can know it.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
function profileOf(
  list: readonly Provider[],
  { provider: name, subject, issuer: issuerName }: IdentityName,
): { provider: Provider; profile: Profile } {
  const provider = list.find((each) => each.name === name)
  if (provider === undefined) throw invalidInput(fieldError('provider', 'invalid'))
  // OpenID Connect Core section 2.
  if (typeof subject !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(subject))
    throw invalidInput(fieldError('subject', 'invalid'))
  const issuer = issuerName ?? provider.issuer
  const profile = {
    ...{ issuer, subject, email: null, emailVerified: false },
    ...{ username: null, name: null, claims: {} },
  }
  // One that logins never bring would look linked and never work.
  if (
    typeof issuer !== 'string' ||
    issuer.includes('|') ||
    !isIssuedAt(provider.issuer, identityKey(profile))
  )
    throw invalidInput(fieldError('issuer', issuerName === undefined ? 'required' : 'invalid'))
  return { provider, profile }
}
