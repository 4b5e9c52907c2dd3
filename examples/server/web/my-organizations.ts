/** The page of all organizations that the user belongs to, or is invited to. */

import type { AccountsClientError, Result } from '@fastify-accounts/client'
import { cursorOf, type OwnInvitation, type OwnOrganization } from '@fastify-accounts/client/organizations'
import { organizations } from './client.js'
import { get, make, moment } from './elements.js'
import { clear, enableButtons, onSubmit, show, tell } from './forms.js'
import { enablePage } from './logged-in.js'

enablePage()

const form = get<HTMLFormElement>('#organization-form')
const own = get('#own-organizations')
const invited = get('#own-invitations')

/** All pages of a list of one's own, which are few. */
async function listAll<Item>(
  list: (query: { cursor?: string }) => Promise<Result<{ results: Item[]; next: string | null }>>,
): Promise<{ items: Item[]; error?: AccountsClientError }> {
  const items: Item[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await list(cursor === undefined ? {} : { cursor })
    if (!page.ok) return { items, error: page.error }
    items.push(...page.data.results)
    cursor = cursorOf(page.data)
  }
  return { items }
}

async function showOwn(): Promise<void> {
  const { items, error } = await listAll(organizations.listOwnOrganizations)
  if (error !== undefined) show(own, error)
  fill('#organization-list', items.map(organizationRow), 'You don’t belong to an organization.')
}

async function showInvitations(): Promise<void> {
  const { items, error } = await listAll(organizations.listOwnInvitations)
  if (error !== undefined) show(invited, error)
  fill('#own-invitation-list', items.map(invitationRow), 'Nobody has invited you.')
}

function fill(selector: string, rows: readonly HTMLLIElement[], nothing: string): void {
  const list = get(selector)
  list.removeAttribute('aria-busy')
  list.replaceChildren(...(rows.length === 0 ? [make('li', { class: 'nobody' }, nothing)] : rows))
}

const row = (name: Node, facts: readonly (Node | string)[], ...buttons: Node[]): HTMLLIElement =>
  make(
    'li',
    { class: 'device' },
    make(
      'div',
      { class: 'device-facts' },
      make('p', { class: 'device-name' }, make('strong', {}, name)),
      make('p', { class: 'hint' }, ...facts),
    ),
    make('div', { class: 'actions' }, ...buttons),
  )

function organizationRow({ slug, name, roles, since }: OwnOrganization): HTMLLIElement {
  const link = make(
    'a',
    { href: `organization?${new URLSearchParams({ name: slug })}` },
    make('bdi', {}, name),
  )
  return row(link, [`${roles.join(', ')} · since `, moment(since)])
}

function invitationRow({ id, organization, roles, invited_by, expires_at }: OwnInvitation): HTMLLIElement {
  const { name } = organization
  const button = (
    label: string,
    action: () => Promise<Result<unknown>>,
    text: string,
    look: string,
  ): HTMLButtonElement => {
    const unseen = make('span', { class: 'unseen' }, ` ${name}`)
    const element = make('button', { type: 'button', class: look }, label, unseen)
    element.addEventListener('click', async () => {
      element.disabled = true
      clear(invited)
      const result = await action()
      element.disabled = false
      if (!result.ok && result.error.code !== 'ACCOUNTS_NOT_FOUND') return show(invited, result.error)
      await Promise.all([showOwn(), showInvitations()])
      tell(invited, result.ok ? text : 'This invitation is no longer open.')
      get('#own-invitations-heading').focus()
    })
    return element
  }
  return row(
    make('bdi', {}, name),
    [
      `${roles.join(', ')} · invited by `,
      make('bdi', {}, invited_by ?? 'the app itself'),
      ' · expires ',
      moment(expires_at),
    ],
    button('Accept', () => organizations.acceptOwnInvitation(id), `You’re a member of ${name}.`, ''),
    button('Decline', () => organizations.declineInvitation(id), 'You declined.', 'quiet'),
  )
}

onSubmit(form, async ({ name = '', slug = '' }) => {
  const result = await organizations.createOrganization({ name, slug })
  if (!result.ok) return result
  form.reset()
  await showOwn()
  tell(form, `${name} is created.`)
  return result
})

enableButtons()
await Promise.all([showOwn(), showInvitations()])
