/** An open invitation, on the page that invites and in the list of users. */

import type { AccountsClientError } from '@fastify-accounts/client'
import type { Invitation } from '@fastify-accounts/client/invitations'
import { invitations, users } from './client.js'
import { withConfirmation } from './dialogs.js'
import { make } from './elements.js'

/** Who made each of these invitations. */
export async function invitersOf(list: readonly Invitation[]): Promise<(invitation: Invitation) => string> {
  const ids = new Set(list.flatMap(({ inviter_id }) => inviter_id ?? []))
  const names = new Map<string, string>()
  for (const id of ids) {
    const result = await users.showUser(id)
    if (result.ok) names.set(id, result.data.username ?? '')
  }
  return ({ inviter_id }) =>
    inviter_id === null ? 'the app itself' : (names.get(inviter_id) ?? 'a deleted account')
}

/** What becomes of a click. */
interface Report {
  clear(): void
  /** The list has changed. */
  done(text: string): Promise<void>
  fail(error: AccountsClientError): void
}

export function invitationButtons({ id, email }: Invitation, report: Report): HTMLButtonElement[] {
  const button = (
    label: string,
    action: () => ReturnType<typeof invitations.withdrawInvitation>,
    text: string,
  ): HTMLButtonElement => {
    const unseen = make('span', { class: 'unseen' }, ` ${email}`)
    const element = make('button', { type: 'button', class: 'quiet' }, label, unseen)
    element.addEventListener('click', async () => {
      element.disabled = true
      report.clear()
      const result = await withConfirmation(action)
      element.disabled = false
      if (result === undefined) return
      // It may have been accepted or withdrawn meanwhile.
      const isGone = !result.ok && ['not_found', 'already_accepted'].includes(reasonOf(result.error))
      if (!result.ok && !isGone) return report.fail(result.error)
      await report.done(isGone ? `The invitation for ${email} is no longer open.` : text)
    })
    return element
  }
  return [
    button('Send again', () => invitations.resendInvitation(id), `We’ve emailed ${email} a new link.`),
    button(
      'Withdraw',
      () => invitations.withdrawInvitation(id),
      `The invitation for ${email} is withdrawn. Its link no longer works.`,
    ),
  ]
}

const reasonOf = ({ code, reason }: AccountsClientError): string =>
  code === 'ACCOUNTS_NOT_FOUND' ? 'not_found' : (reason ?? '')
