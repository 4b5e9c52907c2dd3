/** The page that invites people. Its URL says which open invitations it lists. */

import { cursorOf, type Invitation } from '@fastify-accounts/client/invitations'
import { invitations } from './client.js'
import { withPassword } from './dialogs.js'
import { get, make, moment } from './elements.js'
import { clear, enableButtons, onSubmit, show, tell } from './forms.js'
import { enablePage } from './logged-in.js'

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
  list.replaceChildren(
    ...(results.length === 0 ? [make('li', { class: 'nobody' }, 'No open invitations.')] : results.map(row)),
  )
  const next = cursorOf(result.data)
  const link = get<HTMLAnchorElement>('#next-page')
  link.hidden = next === null
  link.href = `invite?${new URLSearchParams({ cursor: next ?? '' })}`
}

function row({ id, email, roles = [], invited_at, expires_at }: Invitation): HTMLLIElement {
  return make(
    'li',
    { class: 'device' },
    make(
      'div',
      { class: 'device-facts' },
      make('p', { class: 'device-name' }, make('strong', {}, make('bdi', {}, email))),
      ...(roles.length === 0 ? [] : [make('p', { class: 'hint' }, `Roles: ${roles.join(', ')}`)]),
      make('p', { class: 'hint' }, 'Invited ', moment(invited_at), ' · expires ', moment(expires_at)),
    ),
    make(
      'div',
      { class: 'actions' },
      button(
        'Send again',
        email,
        () => invitations.resendInvitation(id),
        `We’ve emailed ${email} a new link.`,
      ),
      button(
        'Withdraw',
        email,
        () => invitations.withdrawInvitation(id),
        `The invitation for ${email} is withdrawn. Its link no longer works.`,
      ),
    ),
  )
}

function button(
  label: string,
  email: string,
  action: () => ReturnType<typeof invitations.withdrawInvitation>,
  said: string,
): HTMLButtonElement {
  const unseen = make('span', { class: 'unseen' }, ` ${email}`)
  const made = make('button', { type: 'button', class: 'quiet' }, label, unseen)
  made.addEventListener('click', async () => {
    made.disabled = true
    clear(part)
    const result = await withPassword(action)
    made.disabled = false
    if (result === undefined) return
    // It may have been accepted meanwhile.
    const isGone = !result.ok && result.error.code === 'ACCOUNTS_NOT_FOUND'
    if (!result.ok && !isGone) return show(part, result.error)
    await showList()
    tell(part, isGone ? `The invitation for ${email} is no longer open.` : said)
    get('#open-invitations-heading').focus()
  })
  return made
}

onSubmit(form, async ({ email = '' }) => {
  const roles = new FormData(form).getAll('roles').map(String)
  const body = { email, ...(roles.length > 0 && { roles }) }
  const result = await withPassword(() => invitations.invite(body))
  if (!result?.ok) return result
  form.reset()
  await showList()
  // The route doesn't tell whether the address has an account.
  tell(form, `We’ve emailed ${email} an invitation, or a note if they already have an account.`)
  return result
})

enableButtons()
await showList()
