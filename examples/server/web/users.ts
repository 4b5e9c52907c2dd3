/** The page for staff and support. Its URL says which users it lists. */

import type { AccountsClientError, PublicUser, UserChange } from '@fastify-accounts/client'
import type { Invitation } from '@fastify-accounts/client/invitations'
import { cursorOf } from '@fastify-accounts/client/users'
import { accounts, type Fields, invitations, messageOf, users } from './client.js'
import { open, withConfirmation } from './dialogs.js'
import { get, make, moment } from './elements.js'
import { enableButtons, onSubmit, show } from './forms.js'
import { enablePage } from './logged-in.js'
import { invitationButtons, invitersOf } from './open-invitation.js'
import { enableRoles, openRoles } from './roles.js'

enablePage()
enableRoles()

const list = get('#user-list')
const told = get('#told')
const failed = get('#failed')
const page = get('main')
const may = (list.dataset.may ?? '').split(' ')

const query = new URLSearchParams(location.search)
const search = query.get('search') ?? ''
const cursor = query.get('cursor')

async function listUsers(): Promise<void> {
  const result = await users.listUsers({
    limit: 20,
    view: 'own',
    ...(search && { search }),
    ...(cursor !== null && { cursor }),
  })
  list.removeAttribute('aria-busy')
  if (!result.ok) return fail(result.error)
  const { results } = result.data
  const rows = [...(await invitedRows()), ...results.map(row)]
  list.replaceChildren(...rows)
  if (rows.length === 0)
    list.append(
      make(
        'li',
        { class: 'nobody' },
        search === '' ? 'No users here.' : `No username or address starts with “${search}”.`,
      ),
    )
  const next = cursorOf(result.data)
  link('#first-page', cursor !== null, {})
  link('#next-page', next !== null, { cursor: next ?? '' })
}

function link(selector: string, there: boolean, more: Record<string, string>): void {
  const anchor = get<HTMLAnchorElement>(selector)
  anchor.hidden = !there
  anchor.href = `users?${new URLSearchParams({ ...(search && { search }), ...more })}`
}

/** Before the first page of users, the first page of open invitations. The page that invites has them all. */
async function invitedRows(): Promise<HTMLLIElement[]> {
  if (cursor !== null || !may.includes('users:invite')) return []
  const result = await invitations.listInvitations()
  if (!result.ok) return []
  const invited = result.data.results.filter(({ email }) =>
    email.toLowerCase().startsWith(search.toLowerCase()),
  )
  const inviterOf = await invitersOf(invited)
  return invited.map((each) => invitedRow(each, inviterOf(each)))
}

function invitedRow(invitation: Invitation, inviter: string): HTMLLIElement {
  const { email, roles = [], expires_at } = invitation
  const badges = ['Invited', ...roles].map((text) => make('span', { class: 'badge' }, text))
  const buttons = invitationButtons(invitation, {
    clear,
    fail,
    async done(text) {
      await listUsers()
      told.textContent = text
      page.focus()
    },
  })
  const details = make(
    'details',
    {},
    make('summary', {}, make('strong', {}, make('bdi', {}, email)), ' ', ...badges),
    listOf([
      ['Invited by', make('bdi', {}, inviter)],
      ['Expires', moment(expires_at)],
    ]),
    make('div', { class: 'actions user-actions' }, ...buttons),
  )
  return make('li', { class: 'user' }, details)
}

function row(user: PublicUser<Fields>): HTMLLIElement {
  const item = make('li', { class: 'user' })
  fill(item, user)
  return item
}

function fill(item: HTMLLIElement, user: PublicUser<Fields>): void {
  const open = item.querySelector('details')?.open ?? false
  const details = make(
    'details',
    {},
    make(
      'summary',
      {},
      make('strong', {}, make('bdi', {}, user.username ?? '')),
      ' ',
      ...badges(user),
      make('span', { class: 'user-email' }, make('bdi', {}, user.email ?? '')),
    ),
    facts(user),
    actions(item, user),
  )
  details.open = open
  item.replaceChildren(details)
}

function badges(user: PublicUser<Fields>): Node[] {
  const texts: [there: boolean, text: string, look: string][] = [
    [user.id === list.dataset.ownId, 'You', 'good'],
    [user.is_staff === true, 'Staff', 'good'],
    ...(user.roles ?? []).map((role): [boolean, string, string] => [true, role, 'good']),
    [user.is_active === false, 'Disabled', 'bad'],
    [user.is_verified === false && user.email !== null, 'Not confirmed', ''],
  ]
  return texts
    .filter(([there]) => there)
    .map(([, text, look]) => make('span', { class: `badge ${look}` }, text))
}

function facts(user: PublicUser<Fields>): HTMLElement {
  const entries: [string, Node | string | undefined][] = [
    ['Display name', user.display_name || undefined],
    ['Signed up', user.created_at === undefined ? undefined : moment(user.created_at)],
    [
      'Last login',
      user.last_login_at === undefined
        ? undefined
        : user.last_login_at === null
          ? 'Never'
          : moment(user.last_login_at),
    ],
  ]
  const known = entries.filter((entry): entry is [string, Node | string] => entry[1] !== undefined)
  return listOf(known)
}

function listOf(entries: readonly (readonly [name: string, value: Node | string])[]): HTMLElement {
  const facts = entries.map(([name, value]) =>
    make('div', { class: 'fact' }, make('dt', {}, name), make('dd', {}, value)),
  )
  return make('dl', {}, ...facts)
}

function actions(item: HTMLLIElement, user: PublicUser<Fields>): HTMLElement {
  // Users can't manage themselves.
  if (user.id === list.dataset.ownId)
    return make('p', { class: 'hint user-actions' }, 'You can’t manage your own account here.')
  const flag = (label: string, flags: UserChange<Fields>, said: string): HTMLButtonElement =>
    button(label, user, async () => {
      const result = await withConfirmation(() => users.updateUser(user.id, flags))
      if (result === undefined) return
      if (!result.ok) return fail(result.error)
      fill(item, result.data)
      say(item, said)
    })
  // The routes decide; this only hides buttons that they would refuse.
  const buttons: [needs: string, made: HTMLButtonElement][] = [
    [
      'users:disable',
      user.is_active === false
        ? flag('Enable', { is_active: true }, `${user.username} is enabled.`)
        : flag('Disable', { is_active: false }, `${user.username} is disabled and logged out.`),
    ],
    [
      'staff',
      user.is_staff === true
        ? flag('Remove from staff', { is_staff: false }, `${user.username} is no longer staff.`)
        : flag('Make staff', { is_staff: true }, `${user.username} is staff.`),
    ],
    [
      'users:grant',
      button('Roles', user, async () =>
        openRoles(user, (changed) => {
          fill(item, changed)
          say(item, `Roles of ${user.username}: ${changed.roles?.join(', ') || 'none'}.`)
        }),
      ),
    ],
    [
      'users:disable',
      button('Log out everywhere', user, async () => {
        const result = await users.endUserSessions(user.id)
        if (!result.ok) return fail(result.error)
        say(item, `${user.username} is logged out everywhere.`)
      }),
    ],
    [
      'users:delete',
      button('Delete', user, async () => {
        if (!(await isToBeDeleted(user))) return
        const result = await withConfirmation(() => users.deleteUser(user.id))
        if (result === undefined) return
        // If the user is already gone, that counts as success.
        if (!result.ok && result.error.code !== 'ACCOUNTS_NOT_FOUND') return fail(result.error)
        await listUsers()
        told.textContent = `${user.username} is deleted.`
        page.focus()
      }),
    ],
  ]
  const usable = buttons.filter(([needs]) => may.includes(needs)).map(([, made]) => made)
  return make('div', { class: 'actions user-actions' }, ...usable)
}

function isToBeDeleted({ username }: { username?: string | null }): Promise<boolean> {
  const asking = get<HTMLDialogElement>('#delete-dialog')
  get('bdi', asking).textContent = username ?? ''
  asking.returnValue = ''
  open(asking)
  return new Promise((resolve) =>
    asking.addEventListener('close', () => resolve(asking.returnValue === 'delete'), { once: true }),
  )
}

function button(
  label: string,
  { username }: { username?: string | null },
  action: () => Promise<void>,
): HTMLButtonElement {
  const made = make(
    'button',
    { type: 'button', class: 'quiet' },
    label,
    make('span', { class: 'unseen' }, ` ${username ?? ''}`),
  )
  made.addEventListener('click', async () => {
    made.disabled = true
    clear()
    await action()
    made.disabled = false
  })
  return made
}

function clear(): void {
  failed.textContent = ''
  told.textContent = ''
}

/** Says what was done. The focus goes to the user, because the button may have been replaced. */
function say(item: HTMLLIElement, text: string): void {
  told.textContent = text
  item.querySelector('summary')?.focus()
}

function fail(error: AccountsClientError): void {
  if (error.code === 'ACCOUNTS_LOGIN_REQUIRED') show(page, error)
  else failed.textContent = messageOf(error)
}

const dialog = document.querySelector<HTMLDialogElement>('#create-dialog')
if (dialog !== null) {
  const form = get<HTMLFormElement>('form', dialog)
  onSubmit(form, async ({ username = '', email = '' }) => {
    // A random password that nobody knows: the user chooses one with the link.
    const password = [...crypto.getRandomValues(new Uint32Array(8))]
      .map((word) => word.toString(36))
      .join('-')
    const user = { username, email, password, confirm_password: password }
    const created = await (form.dataset.creation === 'user'
      ? accounts.createUser(user)
      : accounts.signUp(user))
    if (!created.ok) return created
    // If addresses must be confirmed, signup has already emailed this one, whether it's new or taken.
    const isCertain = created.status === 201
    const mailed = isCertain ? await accounts.requestPasswordReset({ email }) : created
    if (!mailed.ok) return mailed
    form.reset()
    dialog.close()
    told.textContent = isCertain
      ? `${username} has been added. We’ve emailed them a link to choose a password.`
      : `If the address is free, ${username} has been added. We’ve emailed them a link to confirm it; they then choose a password with “Forgot your password?”.`
    await listUsers()
    return mailed
  })
}

enableButtons()
await listUsers()
