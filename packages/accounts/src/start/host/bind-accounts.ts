import type { EventEmitter } from 'node:events'
import type { MountCore } from '../../http/feature-core.js'
import type { MailKind } from '../../seams/mailer.js'
import { accountUser } from '../../user.js'
import { insertUser } from '../../users/create.js'
import type { Accounts, AccountsEvents } from '../accounts.js'
import { deleteUserByHost } from './delete-user-by-host.js'
import { endUserSessionsByHost } from './end-user-sessions-by-host.js'
import { findUser } from './find-user.js'
import type { HostHooks } from './host-hooks.js'
import { resetUserFactorsByHost } from './reset-user-factors-by-host.js'
import { secureUserByHost } from './secure-user-by-host.js'
import { setPassword } from './set-password.js'
import { updateUserByHost } from './update-user-by-host.js'

/**
 * Binds the host's calls to what the plugin has assembled.
 * @param resetMail the kind of email about factors that staff have removed; `undefined` if no feature has one
 */
export function bindAccounts(
  deps: MountCore,
  hooks: HostHooks,
  resetMail: MailKind | undefined,
  check: Accounts['check'],
  events: EventEmitter<AccountsEvents>,
): Accounts {
  return {
    ...hooks,
    createUser: async (input) => accountUser(await insertUser(deps, { input, caller: 'known' })),
    async findUser(query) {
      const user = await findUser(deps, query)
      return user && accountUser(user)
    },
    async updateUser(userId, flags) {
      const user = await updateUserByHost(deps, userId, flags)
      return user && accountUser(user)
    },
    setPassword: (userId, password) => setPassword(deps, userId, password),
    endUserSessions: (userId) => endUserSessionsByHost(deps, userId),
    resetUserFactors: (userId) => resetUserFactorsByHost(deps, userId, resetMail),
    secureUser: (userId) => secureUserByHost(deps, userId),
    deleteUser: (userId) => deleteUserByHost(deps, userId),
    check,
    events,
  }
}
