import type { StoredUser, UserStore } from '../../index.js'
import { createVault, type Vault } from '../../tokens/vault.js'
import { changeStoredUser } from '../change-stored-user.js'
import { type Call, type Command, configOption, textOf, UsageError } from '../command.js'
import { withProject } from '../project.js'
import { canList, userPages } from '../user-pages.js'

export const reseal: Command = {
  name: 'reseal',
  summary: 'reseal second factors and kept provider tokens with the newest secret',
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
      if (!canList(userStore)) throw new UsageError('the user store cannot list users')
      for await (const page of userPages(userStore)) {
        for (const user of page) {
          const outcome = await resealUser(userStore, vault, user)
          if (outcome !== 'kept') counts[outcome] += 1
        }
      }
      const failed = `not resealed, because their secret is missing or they were altered: ${counts.failed}`
      const lines = [`resealed: ${counts.resealed}`, ...(counts.failed > 0 ? [failed] : [])]
      return { lines, data: counts, ok: counts.failed === 0 }
    })
  },
}

/** By compare-and-swap, so a code used meanwhile stays used. */
async function resealUser(
  users: UserStore,
  vault: Vault,
  user: StoredUser,
): Promise<'kept' | 'resealed' | 'failed'> {
  let outcome: 'kept' | 'resealed' | 'failed' = 'kept'
  const changed = await changeStoredUser(
    users,
    user,
    ({ credentials: before }) => {
      try {
        const credentials = vault.reseal(before)
        outcome = credentials === null ? 'kept' : 'resealed'
        return credentials === null ? {} : { credentials }
      } catch {
        outcome = 'failed'
        return {}
      }
    },
    () => [],
  )
  return changed === null ? 'kept' : outcome
}
