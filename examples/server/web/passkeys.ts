/** The part of the account page about passkeys. */

import type { Passkey } from '@fastify-accounts/client/passkeys'
import { passkeys, wasReplaced } from './client.js'
import { open, withPassword } from './dialogs.js'
import { ago, get, make, moment } from './elements.js'
import { onSubmit, show, tell } from './forms.js'

/**
 * @param changed receives the passkeys whenever they are shown
 * @returns a function that shows the list
 */
export function enablePasskeys(changed: (list: readonly Passkey[]) => Promise<void>): {
  show(): Promise<void>
} {
  const section = get('#passkeys')
  const list = document.querySelector('#passkey-list')
  // Absent if browsers don't support them here: the page says why.
  if (list === null) return { show: () => changed([]) }
  const renaming = get<HTMLDialogElement>('#rename-dialog')
  const removing = get<HTMLDialogElement>('#remove-dialog')
  let chosen: Passkey | undefined

  async function showList(): Promise<void> {
    const result = await passkeys.listPasskeys()
    if (!result.ok) return show(section, result.error)
    const { results } = result.data
    list?.replaceChildren(
      ...(results.length === 0
        ? [make('li', { class: 'nobody' }, 'You haven’t added any yet.')]
        : results.map(row)),
    )
    list?.removeAttribute('aria-busy')
    await changed(results)
  }

  function row(passkey: Passkey): HTMLLIElement {
    const { name, synced, use, created_at, last_used_at } = passkey
    const used = last_used_at === null ? 'not used yet' : `last used ${ago(last_used_at)}`
    const where = synced ? 'Synced' : 'On one device'
    return make(
      'li',
      { class: 'device' },
      make(
        'div',
        { class: 'device-facts' },
        make(
          'p',
          { class: 'device-name' },
          make('strong', {}, make('bdi', {}, name)),
          ' ',
          make('span', { class: synced ? 'badge good' : 'badge' }, where),
          ...(use === 'factor' ? [' ', make('span', { class: 'badge' }, 'Two-step verification only')] : []),
        ),
        make('p', { class: 'hint' }, 'Added ', moment(created_at), ` · ${used}`),
      ),
      make('div', { class: 'actions' }, button('Rename', passkey, rename), button('Remove', passkey, remove)),
    )
  }

  function button(label: string, passkey: Passkey, act: (passkey: Passkey) => void): HTMLButtonElement {
    const text = make('span', { class: 'unseen' }, ` ${passkey.name}`)
    const made = make('button', { type: 'button', class: 'quiet' }, label, text)
    made.addEventListener('click', () => {
      chosen = passkey
      act(passkey)
    })
    return made
  }

  function rename({ name }: Passkey): void {
    const field = get<HTMLInputElement>('#passkey-name')
    field.value = name
    open(renaming)
    field.select()
  }

  function remove({ name }: Passkey): void {
    get('bdi', removing).textContent = name
    get('[role=alert]', removing).textContent = ''
    open(removing)
  }

  get('#add-passkey').addEventListener('click', async () => {
    forget()
    const result = await withPassword(() => passkeys.addPasskey())
    if (result === undefined) return
    if (!result.ok) {
      if (!wasReplaced(result.error)) show(section, result.error)
      return
    }
    await showList()
    tell(section, 'Your passkey has been added. You can now log in with it.')
  })

  onSubmit(get<HTMLFormElement>('form', renaming), async ({ name = '' }) => {
    if (chosen === undefined) return
    const result = await passkeys.renamePasskey(chosen.id, name)
    if (!result.ok) return result
    renaming.close()
    forget()
    await showList()
    tell(section, `Renamed to ${result.data.name}.`)
    get('#passkeys-heading').focus()
    return
  })

  get('form', removing).addEventListener('submit', async (event) => {
    event.preventDefault()
    const passkey = chosen
    if (passkey === undefined) return
    const result = await withPassword(() => passkeys.removePasskey(passkey))
    if (result === undefined) return
    // If it's already gone, that counts as success.
    if (!result.ok && result.error.code !== 'ACCOUNTS_NOT_FOUND') {
      return show(removing, result.error)
    }
    removing.close()
    forget()
    await showList()
    tell(section, `${passkey.name} has been removed.`)
    get('#passkeys-heading').focus()
  })

  function forget(): void {
    get('[role=alert]', section).textContent = ''
    tell(section, '')
  }

  return { show: showList }
}
