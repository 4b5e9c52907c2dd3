import { invalidInput } from '../../errors.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { createListCursor, readPage } from '../../tokens/list-cursor.js'
import type { UserFields } from '../../user.js'
import { isFound } from '../../users/host-accounts.js'
import { giftOf } from '../../users/invitations/invitation.js'
import { argumentFaults } from '../../validation.js'
import { type FeatureHost, hostCall } from '../host.js'
import { invite } from './invite.js'
import { listInvitations } from './list-invitations.js'
import { resendInvitation } from './resend-invitation.js'
import { withdrawInvitation } from './withdraw-invitation.js'

/** An open invitation as your app's own code sees it. */
export interface HostInvitation {
  id: string
  email: string
  /** Your own fields that it gives. */
  fields: UserFields
  roles: readonly string[]
  /** The id of the user who invited; `null` for your app's own code. */
  inviterId: string | null
  invitedAt: Date
  expiresAt: Date
}

/** @param lifetimeOf throws without the feature */
export function invitationHost(lifetimeOf: () => number): FeatureHost {
  return {
    calls: {
      invite: hostCall(
        'invite',
        [null],
        (core) => async (input) => {
          const lifetime = lifetimeOf()
          const faults = argumentFaults(input, { flags: [], others: ['email', 'fields', 'roles'] })
          if (faults.length > 0) throw invalidInput(...faults)
          return viewOf(await invite(core, 'host', input, lifetime))
        },
        () => null,
      ),
      listInvitations: hostCall('list-invitations', [null], (core) => async (query = {}) => {
        lifetimeOf()
        const faults = argumentFaults(query, { flags: [], others: ['cursor'] })
        if (faults.length > 0) throw invalidInput(...faults)
        const positions = createListCursor(core.options.secret)
        const { invitations, next } = await readPage(positions, 'host invitations', query.cursor, (after) =>
          listInvitations(core, 'host', after),
        )
        return { invitations: invitations.map(viewOf), next }
      }),
      resendInvitation: hostCall(
        'resend-invitation',
        ['invitationId'],
        (core) => async (id) => {
          const lifetime = lifetimeOf()
          return isFound(() => resendInvitation(core, 'host', id, lifetime))
        },
        ofNobody,
      ),
      withdrawInvitation: hostCall(
        'withdraw-invitation',
        ['invitationId'],
        (core) => async (id) => {
          lifetimeOf()
          return isFound(() => withdrawInvitation(core, 'host', id))
        },
        ofNobody,
      ),
    },
  }
}

/** What an invitation is about has no account. `false` if there is no such invitation. */
const ofNobody = (isDone: boolean): null | undefined => (isDone ? null : undefined)

function viewOf(invitation: Invitation): HostInvitation {
  const { id, email, inviterId, createdAt, expiresAt } = invitation
  return { id, email, ...giftOf(invitation), inviterId, invitedAt: createdAt, expiresAt }
}
