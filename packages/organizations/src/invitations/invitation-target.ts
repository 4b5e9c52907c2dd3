import { AccountsError } from 'fastify-accounts'
import type { InvitationTarget, MountCore } from 'fastify-accounts/features'
import type { Parts } from '../parts.js'
import { acceptInvitation } from './accept-invitation.js'
import { describe } from './describe.js'
import { isGood } from './is-good.js'
import { targetWord } from './target.js'

/** Organizations, as the link of an invitation opens them. */
export function invitationTarget(core: MountCore, parts: Parts): InvitationTarget {
  const deps = { ...core, ...parts }
  return {
    word: targetWord,
    mails: { stranger: 'organization-invitation', owner: 'organization-invitation-known' },
    isGood: (invitation) => isGood(deps, invitation),
    async describe(invitation) {
      const described = await describe(deps, invitation)
      return described && { name: described.name, roles: described.roles }
    },
    async accept(invitation, user, core) {
      await acceptInvitation({ ...core, ...parts }, invitation, user).catch((error: unknown) => {
        const isGone = error instanceof AccountsError && error.code === 'ACCOUNTS_NOT_FOUND'
        throw isGone ? new AccountsError('ACCOUNTS_INVALID_LINK') : error
      })
    },
  }
}
