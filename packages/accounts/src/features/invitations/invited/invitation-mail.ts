import { givenName, oneLine } from '../../../emails/harmless-text.js'
import type { MailFacts } from '../../../emails/mail-facts.js'
import type { StoredUser } from '../../../user.js'
import { isProven } from '../../../users/ownership/states.js'
import type { SubjectDeps } from '../../feature.js'
import { targetFactsOf } from './find-invitee.js'
import { invitationOf } from './invitee.js'
import { mailKey } from './send-again.js'
import { inviterNameOf } from './show-invitation.js'

/** Every kind of email with the link of an invitation. The caller that posts it has spent its budget. */
export const invitationMail = {
  link: 'invitation',
  budget: 'invitationMails',
  counted: 'exclusive',
  budgetKey(_mail: unknown, invitee: object): string {
    const invitation = invitationOf(invitee)
    return mailKey(invitation.inviterId, invitation)
  },
} as const satisfies MailFacts

const ofAccounts = { stranger: 'invitation', owner: 'invitation-known' } as const

/** The kind of an invitation's email, and what it tells of; `null` if what it invites to is gone. */
export async function mailOf(
  deps: SubjectDeps,
  user: StoredUser,
): ReturnType<NonNullable<MailFacts['facts']>> {
  const invitation = invitationOf(user)
  const target = targetFactsOf(deps, invitation)
  const shown = target && (await target.describe(invitation))
  if (target !== null && shown === null) return null
  const kinds = target?.mails ?? ofAccounts
  const owner = await deps.users.findByEmail(invitation.emailKey)
  // Somebody has chosen the names, and anybody may be invited.
  const label = (shown && givenName(oneLine(shown.name))) ?? undefined
  const name = await inviterNameOf(deps, invitation)
  const inviter = (name && givenName(oneLine(name))) ?? undefined
  return { user, facts: { label, inviter }, kind: isProven(owner) ? kinds.owner : kinds.stranger }
}
