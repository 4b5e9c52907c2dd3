import type { Deps } from '../../../deps.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import type { PendingMail } from '../../../seams/outbox.js'
import { inviteeOf } from './invitee.js'

/**
 * What the emails that somebody sends to an address are counted by: others' are none of their business.
 * @param senderId `null` for the app's own code
 */
export const mailKey = (senderId: string | null, { emailKey }: Pick<Invitation, 'emailKey'>): string =>
  JSON.stringify([senderId, emailKey])

/**
 * Changes an invitation, and emails a new link, which ends the earlier one.
 * @returns `null` if somebody else has changed it
 */
export function sendAgain(
  { invitations, postOffice }: Pick<Deps, 'invitations' | 'postOffice'>,
  invitation: Invitation,
  lifetime: number,
  also: Partial<Pick<Invitation, 'email' | 'gives'>> = {},
): Promise<Invitation | null> {
  const changes = {
    ...also,
    expiresAt: new Date(Date.now() + lifetime),
    sends: invitation.sends + 1,
    acceptingUntil: null,
  }
  const mails = mailsAbout(postOffice, { ...invitation, ...changes })
  return invitations.update(invitation.id, changes, invitation.version, mails)
}

/** The email with the link of an invitation. */
export const mailsAbout = (postOffice: Deps['postOffice'], invitation: Invitation): readonly PendingMail[] =>
  postOffice.about('invitation', inviteeOf(invitation), { subject: invitation.id })
