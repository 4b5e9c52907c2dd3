import type { Feature, ImportReader } from '../../features/feature.js'
import type { AccountsOptions } from '../../index.js'
import { fail } from '../../options/checks.js'
import type { NewUser } from '../../user.js'

/** What users log in with or prove themselves with, besides a password. */
export type Proofs = Pick<NewUser, 'credentials' | 'identityKeys' | 'factors'>

/** Reads the fields that contain proofs. */
export interface ProofReaders {
  /** Their names, including those without a reader for these options. */
  fields: readonly string[]
  /**
   * @throws InvalidArgumentError with the reason why it can't be imported
   * @throws Error of one line if there is no reader: users would be imported without their protection
   */
  read(field: string, values: readonly unknown[], since: string): Partial<Proofs>
}

/** The features that the fields belong to. */
const featureOf: Readonly<Record<string, string>> = {
  totp: 'secondFactor() of fastify-accounts',
  recoveryCodes: 'secondFactor() of fastify-accounts',
  passkeys: 'passkeys() of @fastify-accounts/passkeys',
  apiKeys: 'apiKeys() of fastify-accounts',
}

/** The readers of the app's features, and that of identities. */
export async function createProofReaders(
  { features = [], secret }: Partial<AccountsOptions>,
  identities: ImportReader,
): Promise<ProofReaders> {
  const readers = new Map([['identities', identities]])
  // Only an app with the same secret can open what is sealed.
  if (secret !== undefined) {
    const { createVault } = await import('../../tokens/vault.js')
    const vault = createVault([secret].flat())
    for (const feature of features as readonly Feature[]) {
      for (const [field, reader] of Object.entries((await feature.imports?.({ vault })) ?? {})) {
        if (readers.has(field))
          fail('features', `has ${feature.name}, which brings the import ${field}, and so does another`)
        readers.set(field, reader)
      }
    }
  }
  return {
    fields: [...new Set([...readers.keys(), ...Object.keys(featureOf)])],
    read(field, values, since) {
      const reader = readers.get(field)
      if (reader !== undefined) return reader(values, since)
      throw new Error(
        secret === undefined
          ? `the file has ${field}, which needs the option secret: set it in accounts.config.js`
          : `the file has ${field}: add ${featureOf[field]} to features in accounts.config.js`,
      )
    },
  }
}
