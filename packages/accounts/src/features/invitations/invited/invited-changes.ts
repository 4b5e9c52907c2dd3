import { randomBytes } from 'node:crypto'
import { withNoteOf } from '../../../notes.js'
import type { StoredUser } from '../../../user.js'
import { type Invitation, invitationOf, lastInvitationOf } from '../../../users/invitation.js'
import { fieldsWithin } from '../../../validation.js'

/**
 * The changes for another invitation of an address, with a new link.
 * @param how.isMailed otherwise an earlier link stays as it is
 * @param how.isRenewed otherwise it ends when the earlier one would have
 */
export function invitedChanges(
  current: StoredUser,
  { fields, roles }: Pick<Invitation, 'fields' | 'roles'>,
  { lifetime, isMailed, isRenewed }: { lifetime: number; isMailed: boolean; isRenewed: boolean },
): Pick<StoredUser, 'notes' | 'invitedAt'> {
  const before = invitationOf(current)
  const grant = {
    // Whoever invites later may not know, or not be allowed, what was given before. A refusal of what no longer fits would
    // tell them that the address has an account.
    fields: fieldsWithin(before?.fields ?? {}, fields),
    roles: [...new Set([...(before?.roles ?? []), ...roles])],
  }
  if (before !== null && !isMailed) {
    return {
      invitedAt: current.invitedAt,
      notes: withNoteOf(current, 'invitation', { ...before, ...grant }),
    }
  }
  const later = newInvitation(
    current,
    grant,
    lifetime,
    // Also if that one has expired.
    lastInvitationOf(current)?.made === true,
  )
  if (before === null || isRenewed) return later
  const invitation = { ...lastInvitationOf(later), expiresAt: before.expiresAt }
  return { invitedAt: current.invitedAt, notes: withNoteOf(later, 'invitation', invitation) }
}

/** What a user has who is invited now. */
export function newInvitation(
  { emailKey, verifyEpoch, notes }: Pick<StoredUser, 'emailKey' | 'verifyEpoch' | 'notes'>,
  { fields, roles }: Pick<Invitation, 'fields' | 'roles'>,
  lifetime: number,
  isNewAccount: boolean,
): Pick<StoredUser, 'notes' | 'invitedAt'> {
  const invitedAt = new Date()
  const invitation: Invitation = {
    id: randomBytes(9).toString('base64url'),
    emailKey: emailKey ?? '',
    verifyEpoch,
    roles,
    fields,
    expiresAt: new Date(invitedAt.getTime() + lifetime).toISOString(),
    made: isNewAccount,
  }
  return { invitedAt, notes: withNoteOf({ notes }, 'invitation', invitation) }
}
