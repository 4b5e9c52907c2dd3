import { fieldError, invalidInput } from '../../errors.js'
import type { MountCore } from '../../http/feature-core.js'
import type { StoredUser } from '../../user.js'
import { onUser } from '../../users/host-accounts.js'
import { withdrawingSince } from '../../users/invitations/withdraw-since.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import { earliestReported } from '../../users/ownership/verbs.js'
import { recoveryMails, removedBy, withNote } from '../../users/removed.js'

/** How much was removed from an account, besides its password and sessions. */
export interface UserSecured {
  passkeys: number
  apps: number
  recoveryCodes: number
  /** Logins with other providers. */
  identities: number
  apiKeys: number
  rememberedDevices: number
  /** Invitations that the account has made lately. */
  invitations: number
}

/** What a thief may have done. */
export interface SecureInput {
  /** From when on what the account has invited is withdrawn. Default: `links.undoLifetime` plus two days ago. */
  since?: Date | undefined
}

export async function secureUserByHost(
  deps: MountCore,
  userId: string,
  { since = earliestReported(deps.options) }: SecureInput = {},
): Promise<UserSecured | null> {
  const { users, options, postOffice, events, pending } = deps
  if (Number.isNaN(since.getTime())) throw invalidInput(fieldError('since', 'invalid'))
  let removed: ReturnType<typeof removedBy> = null
  const lock = (user: StoredUser) =>
    users.change(
      user,
      (current) => {
        const changes = ownershipChanges('locked', current, options) ?? {}
        removed = removedBy(current, changes, pending.devices)
        return withNote(current, changes, pending.devices)
      },
      {
        messages: (later, before) => [
          ...(later.isActive
            ? [...postOffice.about('choose-password', later), ...recoveryMails(postOffice, later, before)]
            : []),
          ...events.about('user.secured', later, {}),
        ],
      },
    )
  const secured = await onUser(deps, userId, (user) =>
    withdrawingSince(deps, userId, since, () => lock(user)),
  )
  return secured?.locked ? shown(removed, secured.withdrawn) : null
}

function shown(removed: ReturnType<typeof removedBy>, invitations: number): UserSecured {
  return {
    passkeys: removed?.passkeys ?? 0,
    apps: removed?.apps ?? 0,
    recoveryCodes: removed?.recovery_codes ?? 0,
    identities: removed?.identities ?? 0,
    apiKeys: removed?.api_keys ?? 0,
    rememberedDevices: removed?.remembered_devices ?? 0,
    invitations,
  }
}
