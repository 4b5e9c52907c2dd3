import { randomBytes } from 'node:crypto'
import { invitationKind, type StoredUser } from '../../../user.js'
import { type Invitation, invitationOf, isInvitation, withoutInvitation } from '../../../users/invitation.js'
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
): Pick<StoredUser, 'credentials' | 'invitedAt'> {
  const before = invitationOf(current)
  const grant = {
    // Whoever invites later may not know, or not be allowed, what was given before. A refusal of what no longer fits would
    // tell them that the address has an account.
    fields: fieldsWithin(before?.fields ?? {}, fields),
    roles: [...new Set([...(before?.roles ?? []), ...roles])],
  }
  if (before !== null && !isMailed) {
    const credentials = [...withoutInvitation(current.credentials), { ...before, ...grant }]
    return { invitedAt: current.invitedAt, credentials }
  }
  const later = newInvitation(
    current,
    grant,
    lifetime,
    // Also if that one has expired.
    current.credentials.some((each) => isInvitation(each) && each.made),
  )
  if (before === null || isRenewed) return later
  const credentials = later.credentials.map((each) =>
    isInvitation(each) ? { ...each, expiresAt: before.expiresAt } : each,
  )
  return { invitedAt: current.invitedAt, credentials }
}

/** What a user has who is invited now. */
export function newInvitation(
  { emailKey, verifyEpoch, credentials }: Pick<StoredUser, 'emailKey' | 'verifyEpoch' | 'credentials'>,
  { fields, roles }: Pick<Invitation, 'fields' | 'roles'>,
  lifetime: number,
  isNewAccount: boolean,
): Pick<StoredUser, 'credentials' | 'invitedAt'> {
  const invitedAt = new Date()
  const invitation: Invitation = {
    kind: invitationKind,
    id: randomBytes(9).toString('base64url'),
    emailKey: emailKey ?? '',
    verifyEpoch,
    roles,
    fields,
    expiresAt: new Date(invitedAt.getTime() + lifetime).toISOString(),
    made: isNewAccount,
  }
  return { invitedAt, credentials: [...withoutInvitation(credentials), invitation] }
}
