import type { Feature, ImportReader } from '../../features/feature.js'
import type { AccountsOptions } from '../../index.js'
import type { NewUser } from '../../user.js'

/** What users prove themselves by, beside a password. */
export type Proofs = Pick<NewUser, 'credentials' | 'identityKeys' | 'factors'>

/** Reads the fields that hold proofs. */
export interface ProofReaders {
  /** Their names, also of those that nothing reads with these options. */
  fields: readonly string[]
  /**
   * @throws InvalidArgumentError that says why it cannot be carried over
   * @throws Error of one line where nothing reads the field: users would be kept without what protects them
   */
  read(field: string, values: readonly unknown[], since: string): Partial<Proofs>
}

/** Whose fields the features are. */
const featureOf: Readonly<Record<string, string>> = {
  totp: 'secondFactor() of fastify-accounts',
  recoveryCodes: 'secondFactor() of fastify-accounts',
  passkeys: 'passkeys() of @fastify-accounts/passkeys',
}

/** What the features of the app read, and identities. */
export async function createProofReaders(
  { features = [], secret }: Partial<AccountsOptions>,
  identities: ImportReader,
): Promise<ProofReaders> {
  const readers = new Map([['identities', identities]])
  // What is sealed can be opened by the app alone that has the same secret.
  if (secret !== undefined) {
    const { createVault } = await import('../../tokens/vault.js')
    const vault = createVault([secret].flat())
    for (const feature of features as readonly Feature[]) {
      for (const [field, reader] of Object.entries((await feature.imports?.({ vault })) ?? {})) {
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
