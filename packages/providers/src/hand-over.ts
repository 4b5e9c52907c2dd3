import type { StoredUser, UserChanges, UserFields } from 'fastify-accounts'
import { firstProof, noPassword } from 'fastify-accounts/features'
import type { Identity } from './identity.js'

/**
 * Gives an account to whoever was the first to prove its address. Whatever was there before may be somebody else's, who
 * signed up with an address that was not theirs (Sudhodanan & Paverd 2022, classic-federated merge).
 */
export function handOver(current: StoredUser, identity: Identity, fields: UserFields): UserChanges {
  return {
    ...firstProof(current, noPassword),
    emailChangedAt: null,
    fields,
    credentials: [identity],
    identityKeys: [`oidc:${identity.id}`],
  }
}
