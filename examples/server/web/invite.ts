/** The page that invites people. Its URL says which open invitations it lists. */

import type { AccountsClientError } from '@fastify-accounts/client'
import { cursorOf, type Invitation } from '@fastify-accounts/client/invitations'
import { invitations } from './client.js'
import { withConfirmation } from './dialogs.js'
import { get, make, moment } from './elements.js'
import { clear, enableButtons, onSubmit, show, tell } from './forms.js'
import { enablePage } from './logged-in.js'
import { invitationButtons, invitersOf } from './open-invitation.js'

enablePage()

const form = get<HTMLFormElement>('#invite-form')
const part = get('#open-invitations')
const list = get('#invitation-list')
const cursor = new URLSearchParams(location.search).get('cursor')

async function showList(): Promise<void> {
  const result = await invitations.listInvitations(cursor === null ? {} : { cursor })
  list.removeAttribute('aria-busy')
  if (!result.ok) return show(part, result.error)
  const { results } = result.data
  const inviterOf = await invitersOf(results)
  const rows = results.map((each) => row(each, inviterOf(each)))
  list.replaceChildren(
    ...(rows.length === 0 ? [make('li', { class: 'nobody' }, 'No open invitations.')] : rows),
  )
  const next = cursorOf(result.data)
  const link = get<HTMLAnchorElement>('#next-page')
  link.hidden = next === null
  link.href = `invite?${new URLSearchParams({ cursor: next ?? '' })}`
}

function row(invitation: Invitation, inviter: string): HTMLLIElement {
  const { email, roles = [], invited_at, expires_at } = invitation
  return make(
    'li',
    { class: 'device' },
    make(
      'div',
      { class: 'device-facts' },
      make('p', { class: 'device-name' }, make('strong', {}, make('bdi', {}, email))),
      ...(roles.length === 0 ? [] : [make('p', { class: 'hint' }, `Roles: ${roles.join(', ')}`)]),
      make(
        'p',
        { class: 'hint' },
        'Invited by ',
        make('bdi', {}, inviter),
        ' ',
        moment(invited_at),
        ' · expires ',
        moment(expires_at),
      ),
    ),
    make('div', { class: 'actions' }, ...invitationButtons(invitation, report)),
  )
}

const report = {
  clear: () => clear(part),
  fail: (error: AccountsClientError) => show(part, error),
  async done(text: string) {
    await showList()
    tell(part, text)
    get('#open-invitations-heading').focus()
  },
}

onSubmit(form, async ({ email = '' }) => {
  const roles = new FormData(form).getAll('roles').map(String)
  const body = { email, ...(roles.length > 0 && { roles }) }
  const result = await withConfirmation(() => invitations.invite(body))
  if (!result?.ok) return result
  form.reset()
  await showList()
  tell(form, `We’ve emailed ${email} an invitation.`)
  return result
})

enableButtons()
await showList()
