import type { LinkKind } from '../../emails/mail-links.js'
import { fieldError, invalidInput } from '../../errors.js'
import { type InvitationInput, invite } from '../../features/invitations/invite.js'
import { openInvitation } from '../../features/invitations/invited/with-invitation.js'
import { listInvitations } from '../../features/invitations/list-invitations.js'
import { resendInvitation } from '../../features/invitations/resend-invitation.js'
import { withdrawInvitation } from '../../features/invitations/withdraw-invitation.js'
import type { MountCore } from '../../http/feature-core.js'
import { createListCursor } from '../../tokens/list-cursor.js'
import type { StoredUser, UserFields } from '../../user.js'
import { argumentFaults } from '../../validation.js'
import { foundOrNull } from './host-accounts.js'
import { listOf } from './host-lists.js'

export type { InvitationInput } from '../../features/invitations/invite.js'

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

/** The calls about invitations, without calling `authorize` and without a limit of requests. */
interface HostInvitations {
  invite(input: InvitationInput): Promise<HostInvitation | null>
  list(query: {
    cursor?: string | undefined
  }): Promise<{ invitations: HostInvitation[]; next: string | null }>
  resend(id: string): Promise<boolean>
  withdraw(id: string): Promise<boolean>
}

/** What identifies the list to its cursors. */
const listName = 'host invitations'

/** @param kind where its links lead; `undefined` without the feature */
export function hostInvitations(core: MountCore, kind: LinkKind | undefined): HostInvitations {
  const lifetime = (): number => {
    if (kind !== undefined) return kind.lifetime
    throw new Error('fastify-accounts: invitations need the feature invitations() in the option features')
  }
  const found = async (work: () => Promise<void>): Promise<boolean> =>
    (await foundOrNull(async () => {
      await work()
      return true
    })) ?? false
  return {
    async invite(input) {
      const within = lifetime()
      const faults = argumentFaults(input, { flags: [], others: ['email', 'fields', 'roles'] })
      if (faults.length > 0) throw invalidInput(...faults)
      const user = await invite(core, 'host', input, within)
      return user && viewOf(user)
    },
    async list({ cursor }) {
      lifetime()
      const list = listOf(core)
      const positions = createListCursor(core.options.secret)
      const after = cursor === undefined ? undefined : positions.decode(`${cursor}`, listName)
      if (after === null) throw invalidInput(fieldError('cursor', 'invalid'))
      const { users, next } = await listInvitations({ ...core, list }, 'host', after)
      return { invitations: users.map(viewOf), next: next && positions.encode(next, listName) }
    },
    async resend(id) {
      const within = lifetime()
      return found(() => resendInvitation(core, 'host', id, within))
    },
    async withdraw(id) {
      lifetime()
      return found(() => withdrawInvitation(core, 'host', id))
    },
  }
}

function viewOf(user: StoredUser): HostInvitation {
  const { fields = {}, roles = [], expiresAt = 0 } = openInvitation(user) ?? {}
  const invitedAt = user.invitedAt ?? user.createdAt
  return { id: user.id, email: user.email ?? '', fields, roles, invitedAt, expiresAt: new Date(expiresAt) }
}
