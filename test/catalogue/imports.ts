import { Readable } from 'node:stream'
import { secret } from '@fastify-accounts/test-support/app'
import type { AccountsOptions } from 'fastify-accounts'
import { identityReader } from '../../packages/accounts/src/cli/import/identities.js'
import { createMapping } from '../../packages/accounts/src/cli/import/mapping.js'
import { createProofReaders } from '../../packages/accounts/src/cli/import/proofs.js'
import { type ImportPlan, runImport } from '../../packages/accounts/src/cli/import/run.js'
import type { Scene } from './service.js'

/**
 * Imports users as `npx fastify-accounts import --update` does; returns why lines were rejected.
 * @param more what else the plan has
 */
export async function imported(
  { users }: Scene,
  features: NonNullable<AccountsOptions['features']>,
  lines: readonly object[],
  more: Partial<ImportPlan> = {},
): Promise<string[]> {
  const reasons: string[] = []
  await runImport({
    records: Readable.from(
      lines.map((values, at) => ({ line: at + 1, values: values as Record<string, unknown> })),
    ),
    mapping: createMapping([], [], await createProofReaders({ features, secret }, identityReader([]))),
    ...{ store: users, hasher: undefined, keepIds: false, names: 'required', update: true, dryRun: false },
    checkFields: () => null,
    messagesOf: () => [],
    onCreated: async () => {},
    onRejected: (_line, reason) => reasons.push(reason),
    onId: () => {},
    onProgress: () => {},
    ...more,
  })
  return reasons
}
