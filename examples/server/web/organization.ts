/** The page of one organization, which its URL names: its members, and what the user may do there. */

import type { AccountsClientError, Result } from '@fastify-accounts/client'
import {
  cursorOf,
  type MemberInvitation,
  type OrganizationMember,
} from '@fastify-accounts/client/organizations'
import { organizations } from './client.js'
import { afterPassword, open, withPassword } from './dialogs.js'
import { get, make, moment } from './elements.js'
import { clear, enableButtons, onSubmit, show, tell } from './forms.js'
import { enablePage } from './logged-in.js'

enablePage()

const heading = get('#organization-name')
const ownId = heading.dataset.ownId
const query = new URLSearchParams(location.search)
const organization = query.get('name') ?? ''
const cursor = query.get('cursor')
let permissions: readonly string[] = []

/** The routes decide; this only hides what they would refuse. */
const may = (permission: string): boolean => permissions.includes('org:*') || permissions.includes(permission)

async function showOrganization(): Promise<void> {
  const result = await organizations.showOrganization(organization)
  // Somebody who isn't a member, or no more, has nothing here.
  if (!result.ok) return location.replace('my-organizations')
  permissions = result.data.permissions
  heading.textContent = result.data.name
  get('#inviting').hidden = !may('members:invite')
  get('#delete-organization').hidden = !may('org:delete')
  await Promise.all([showMembers(), may('members:invite') ? showInvitations() : undefined])
}

async function showMembers(): Promise<void> {
  const part = get('#members')
  const list = get('#member-list')
  const result = await organizations.listMembers(organization, cursor === null ? {} : { cursor })
  list.removeAttribute('aria-busy')
  if (!result.ok) return show(part, result.error)
  list.replaceChildren(...result.data.results.map(memberRow))
  const next = cursorOf(result.data)
  const link = get<HTMLAnchorElement>('#next-page')
  link.hidden = next === null
  link.href = `organization?${new URLSearchParams({ name: organization, cursor: next ?? '' })}`
}

const row = (name: string, badges: readonly string[], facts: readonly (Node | string)[], buttons: Node[]) =>
  make(
    'li',
    { class: 'device' },
    make(
      'div',
      { class: 'device-facts' },
      make(
        'p',
        { class: 'device-name' },
        make('strong', {}, make('bdi', {}, name)),
        ...badges.flatMap((text) => [' ', make('span', { class: 'badge good' }, text)]),
      ),
      make('p', { class: 'hint' }, ...facts),
    ),
    make('div', { class: 'actions' }, ...buttons),
  )

function memberRow(member: OrganizationMember): HTMLLIElement {
  const { user_id, username, email, roles, since } = member
  const name = username ?? email ?? 'Nameless'
  const isOwn = user_id === ownId
  const buttons =
    isOwn || !may('members:edit')
      ? []
      : [
          button('Roles', name, get('#members'), async () => {
            openRoles(member, name)
            return undefined
          }),
          button('Remove', name, get('#members'), async () => {
            const result = await withPassword(() => organizations.removeMember(organization, user_id))
            return result && { result, text: `${name} is no longer a member.`, again: showMembers }
          }),
        ]
  const address = email === null ? [] : [make('bdi', {}, email), ' · ']
  return row(name, [...(isOwn ? ['You'] : []), ...roles], [...address, 'since ', moment(since)], buttons)
}

/** What becomes of a click. */
interface Outcome {
  result: Result<unknown>
  text: string
  /** Shows what has changed. */
  again(): Promise<void>
}

/** @param action resolves to `undefined` if nothing was done */
function button(
  label: string,
  name: string,
  part: HTMLElement,
  action: () => Promise<Outcome | undefined>,
): HTMLButtonElement {
  const unseen = make('span', { class: 'unseen' }, ` ${name}`)
  const element = make('button', { type: 'button', class: 'quiet' }, label, unseen)
  element.addEventListener('click', async () => {
    element.disabled = true
    clear(part)
    const outcome = await action()
    element.disabled = false
    if (outcome === undefined) return
    const { result, text, again } = outcome
    const isGone = !result.ok && result.error.code === 'ACCOUNTS_NOT_FOUND'
    if (!result.ok && !isGone) return show(part, result.error)
    await again()
    tell(part, isGone ? 'Somebody else was faster: nothing is left to change.' : text)
    get('h2', part).focus()
  })
  return element
}

const dialog = get<HTMLDialogElement>('#roles-dialog')
const rolesForm = get<HTMLFormElement>('form', dialog)
let chosen: OrganizationMember | undefined

function openRoles(member: OrganizationMember, name: string): void {
  clear(dialog)
  get('bdi', dialog).textContent = name
  for (const box of dialog.querySelectorAll<HTMLInputElement>('[name=roles]'))
    box.checked = member.roles.includes(box.value)
  chosen = member
  open(dialog)
}

const rolesIn = (form: HTMLFormElement): string[] => new FormData(form).getAll('roles').map(String)

onSubmit(rolesForm, async () => {
  if (chosen === undefined) return
  const { user_id, username } = chosen
  const roles = rolesIn(rolesForm)
  const result = await withPassword(() => organizations.changeMemberRoles(organization, user_id, { roles }))
  if (!result?.ok) return result
  dialog.close()
  await showMembers()
  tell(get('#members'), `Roles of ${username ?? 'this member'}: ${result.data.roles.join(', ')}.`)
  get('#members-heading').focus()
  return result
})

async function showInvitations(): Promise<void> {
  const part = get('#open-invitations')
  const list = get('#invitation-list')
  const result = await organizations.listMemberInvitations(organization)
  list.removeAttribute('aria-busy')
  if (!result.ok) return show(part, result.error)
  const rows = result.data.results.map(invitationRow)
  list.replaceChildren(
    ...(rows.length === 0 ? [make('li', { class: 'nobody' }, 'No open invitations.')] : rows),
  )
}

function invitationRow({ id, email, roles, expires_at }: MemberInvitation): HTMLLIElement {
  const part = get('#open-invitations')
  const buttons = [
    button('Send again', email, part, async () => {
      const result = await withPassword(() => organizations.resendMemberInvitation(organization, id))
      return result && { result, text: `We’ve emailed ${email} a new link.`, again: showInvitations }
    }),
    button('Withdraw', email, part, async () => {
      const result = await withPassword(() => organizations.withdrawMemberInvitation(organization, id))
      return result && { result, text: `The invitation for ${email} is withdrawn.`, again: showInvitations }
    }),
  ]
  return row(email, roles, ['expires ', moment(expires_at)], buttons)
}

const inviteForm = get<HTMLFormElement>('#invite-form')
onSubmit(inviteForm, async ({ email = '' }) => {
  const roles = rolesIn(inviteForm)
  const result = await withPassword(() => organizations.inviteMember(organization, { email, roles }))
  if (!result?.ok) return result
  inviteForm.reset()
  await showInvitations()
  tell(inviteForm, `We’ve emailed ${email} an invitation.`)
  return result
})

const leaving = get('#leave')
const left = (outcome: { ok: true } | { ok: false; error: AccountsClientError } | undefined): void => {
  if (outcome?.ok) location.assign('my-organizations')
  else if (outcome !== undefined) show(leaving, outcome.error)
}
get('#leave-organization').addEventListener('click', async () => {
  clear(leaving)
  left(await organizations.leaveOrganization(organization))
})
get('#delete-organization').addEventListener('click', async () => {
  clear(leaving)
  left(await afterPassword(() => organizations.deleteOrganization(organization)))
})

enableButtons()
await showOrganization()
