import { usernameKey } from '../../identifiers/username.js'
import type { StoredUser, UserStore } from '../../index.js'
import type { User, UserChanges } from '../../user.js'
import { changeStoredUser } from '../change-stored-user.js'
import { type Call, type Command, configOption, textOf, UsageError } from '../command.js'
import { isNamed } from '../import/errors.js'
import { withProject } from '../project.js'
import { canList, userPages } from '../user-pages.js'

export const rekey: Command = {
  name: 'rekey',
  summary: 'update the keys by which usernames are compared, after an update that changes them',
  options: { ...configOption },
  notes: ['It can run alongside the service and be repeated at any time.'],
  async run({ values, cwd }: Call) {
    return withProject({ cwd, config: textOf(values, 'config') }, async ({ userStore }) => {
      if (!canList(userStore)) throw new UsageError('the user store cannot list users')
      let rekeyed = 0
      const taken: string[] = []
      // Unclaimed users have names that nobody else may have.
      for await (const page of userPages(userStore, {})) {
        for (const user of page.filter(hasOldKey)) {
          if (await rekeyUser(userStore, user)) rekeyed += 1
          else taken.push(user.id)
        }
      }
      const ids = taken.join(', ')
      const lines = [
        `updated: ${rekeyed}`,
        ...(taken.length > 0 ? [`another user has the same name now: ids ${ids}; change the username`] : []),
      ]
      return { lines, data: { rekeyed, taken }, ok: taken.length === 0 }
    })
  },
}

/** Whether what its owner types leads to another key. */
export function hasOldKey({ username, usernameKey: key }: Pick<User, 'username' | 'usernameKey'>): boolean {
  return username !== null && usernameKey(username) !== key
}

/** Whether its key is up to date now; not if another user has it. */
async function rekeyUser(users: UserStore, user: StoredUser): Promise<boolean> {
  const newKey = (current: StoredUser): UserChanges =>
    hasOldKey(current) ? { usernameKey: usernameKey(current.username ?? '') } : {}
  try {
    await changeStoredUser(users, user, newKey, () => [])
    return true
  } catch (error) {
    if (isNamed(error, 'DuplicateError')) return false
    throw error
  }
}
