import { securingChanges } from '../../features/not-me/securing-changes.js'
import type { MountCore } from '../../http/feature-core.js'
import { onUser } from '../../users/host-accounts.js'
import { recoveryMails, removedBy } from '../../users/removed.js'

/** How much was removed from an account, besides its password and sessions. */
export interface UserSecured {
  passkeys: number
  apps: number
  recoveryCodes: number
  /** Logins with other providers. */
  identities: number
  apiKeys: number
  rememberedDevices: number
}

/**
 * Secures an account for the host's own code, as its owner does with the link of an email, without calling `authorize`.
 * `null` if there is no such user.
 * @throws AccountsError ACCOUNTS_CONFLICT
 */
export async function secureUserByHost(deps: MountCore, userId: string): Promise<UserSecured | null> {
  const { users, options, postOffice, pending } = deps
  let removed: ReturnType<typeof removedBy> = null
  const changed = await onUser(deps, userId, (user) =>
    users.change(
      user,
      (current) => {
        const changes = securingChanges(current, options, pending.devices)
        removed = removedBy(current, changes, pending.devices)
        return changes
      },
      {
        messages: (later, before) =>
          later.isActive
            ? [...postOffice.about('choose-password', later), ...recoveryMails(postOffice, later, before)]
            : [],
      },
    ),
  )
  return changed && shown(removed)
}

function shown(removed: ReturnType<typeof removedBy>): UserSecured {
  return {
    passkeys: removed?.passkeys ?? 0,
    apps: removed?.apps ?? 0,
    recoveryCodes: removed?.recovery_codes ?? 0,
    identities: removed?.identities ?? 0,
    apiKeys: removed?.api_keys ?? 0,
    rememberedDevices: removed?.remembered_devices ?? 0,
  }
}
