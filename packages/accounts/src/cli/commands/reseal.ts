import type { StoredUser, UserStore } from '../../index.js'
import { createVault, type Vault } from '../../tokens/vault.js'
import { type Call, type Command, configOption, textOf, UsageError } from '../command.js'
import { withProject } from '../project.js'

/** How many users are read at once. */
const pageSize = 200
/** How often a change is attempted while others change the same user. */
const maxAttempts = 10

export const reseal: Command = {
  name: 'reseal',
  summary: 'reseal the secrets of second factors with the newest secret',
  options: { ...configOption },
  notes: ['Afterwards, older secrets can be removed from the list. It can be repeated at any time.'],
  async run({ values, cwd }: Call) {
    return withProject({ cwd, config: textOf(values, 'config') }, async ({ options, userStore }) => {
      if (options.secret === undefined)
        throw new Error(
          'no secrets: write accounts.config.js with the option secret, or pass a module with --config',
        )
      const vault = createVault([options.secret].flat())
      const counts = { resealed: 0, failed: 0 }
      for await (const user of everybody(userStore)) {
        const outcome = await resealUser(userStore, vault, user)
        if (outcome !== 'kept') counts[outcome] += 1
      }
      const failed = `could not be opened, because their secret is gone: ${counts.failed}`
      const lines = [`resealed: ${counts.resealed}`, ...(counts.failed > 0 ? [failed] : [])]
      return { lines, data: counts, ok: counts.failed === 0 }
    })
  },
}

async function* everybody(users: UserStore): AsyncGenerator<StoredUser> {
  if (users.list === undefined) throw new UsageError('the user store cannot list users')
  for (let after: StoredUser | undefined; ; ) {
    const page = await users.list({ limit: pageSize, after })
    yield* page
    after = page.at(-1)
    if (after === undefined) return
  }
}

/** By compare-and-swap, so a code used meanwhile stays used. */
async function resealUser(
  users: UserStore,
  vault: Vault,
  user: StoredUser,
): Promise<'kept' | 'resealed' | 'failed'> {
  let current: StoredUser | null = user
  for (let n = 0; n < maxAttempts && current !== null; n += 1) {
    let credentials: ReturnType<Vault['reseal']>
    try {
      credentials = vault.reseal(current.credentials)
    } catch {
      return 'failed'
    }
    if (credentials === null) return 'kept'
    if ((await users.update(current.id, { credentials }, current.version)) !== null) return 'resealed'
    current = await users.findById(current.id)
  }
  return current === null ? 'kept' : 'failed'
}
