import type { HostIdentities } from '../../features/identities.js'

/** @throws Error for a mount without a feature that has identities */
export function identitiesOf(identities: HostIdentities | null): HostIdentities {
  if (identities === null)
    throw new Error(
      'fastify-accounts: identities need a feature with them, such as providers([…]), in features',
    )
  return identities
}
