import { invalidInput } from '../../errors.js'
import type { MountCore } from '../../http/feature-core.js'
import type { StoredUser, UserFields } from '../../user.js'
import { isFound, pageOf } from '../../users/host-accounts.js'
import { argumentFaults } from '../../validation.js'
import { type FeatureHost, hostCall } from '../host.js'
import { invite } from './invite.js'
import { openInvitation } from './invited/with-invitation.js'
import { listInvitations } from './list-invitations.js'
import { resendInvitation } from './resend-invitation.js'
import { withdrawInvitation } from './withdraw-invitation.js'

/** An open invitation as your app's own code sees it. */
export interface HostInvitation {
  /** The id of the invited user. */
  id: string
  email: string
  /** Your own fields that it gives. */
  fields: UserFields
  roles: readonly string[]
  invitedAt: Date
  expiresAt: Date
}

/** @param lifetimeOf throws without the feature */
export function invitationHost(core: MountCore, lifetimeOf: () => number): FeatureHost {
  return {
    calls: {
      invite: hostCall(
        'invite',
        [null],
        async (input) => {
          const lifetime = lifetimeOf()
          const faults = argumentFaults(input, { flags: [], others: ['email', 'fields', 'roles'] })
          if (faults.length > 0) throw invalidInput(...faults)
          const user = await invite(core, 'host', input, lifetime)
          return user && viewOf(user)
        },
        // An address with an account is no failure.
        (invitation) => invitation?.id ?? null,
      ),
      listInvitations: hostCall('list-invitations', [null], async ({ cursor } = {}) => {
        lifetimeOf()
        const { users, next } = await pageOf(core, 'host invitations', cursor, (list, after) =>
          listInvitations({ ...core, list }, 'host', after),
        )
        return { invitations: users.map(viewOf), next }
      }),
      resendInvitation: hostCall('resend-invitation', ['invitationId'], async (id) => {
        const lifetime = lifetimeOf()
        return isFound(() => resendInvitation(core, 'host', id, lifetime))
      }),
      withdrawInvitation: hostCall('withdraw-invitation', ['invitationId'], async (id) => {
        lifetimeOf()
        return isFound(() => withdrawInvitation(core, 'host', id))
      }),
    },
  }
}

function viewOf(user: StoredUser): HostInvitation {
  const { fields = {}, roles = [], expiresAt = 0 } = openInvitation(user) ?? {}
  const invitedAt = user.invitedAt ?? user.createdAt
  return { id: user.id, email: user.email ?? '', fields, roles, invitedAt, expiresAt: new Date(expiresAt) }
}
