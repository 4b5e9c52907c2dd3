/** The part of the account page about logins with other providers. */

import type { Identity } from '@fastify-accounts/client/providers'
import { providers } from './client.js'
import { open, withPassword } from './dialogs.js'
import { ago, get, make, moment } from './elements.js'
import { show, tell } from './forms.js'

/** @param changed receives the number of usable identities, at the start and after each change */
export async function enableIdentities(changed: (usable: number) => void): Promise<void> {
  const section = document.querySelector<HTMLElement>('#identities')
  // Absent without providers.
  if (section === null) return
  const list = get('#identity-list')
  const dialog = get<HTMLDialogElement>('#unlink-dialog')
  const buttons = [...section.querySelectorAll<HTMLElement>('[data-provider]')]
  let chosen: Identity | undefined

  async function showList(within: HTMLElement): Promise<void> {
    const result = await providers.listIdentities()
    if (!result.ok) return show(within, result.error)
    const { results } = result.data
    list.replaceChildren(
      ...(results.length === 0
        ? [make('li', { class: 'nobody' }, 'You haven’t linked any yet.')]
        : results.map(row)),
    )
    list.removeAttribute('aria-busy')
    changed(results.filter(({ provider }) => provider !== null).length)
  }

  function nameOf({ provider }: Identity): string {
    const button = buttons.find(({ dataset }) => dataset.provider === provider)
    return button?.dataset.label ?? 'No longer available'
  }

  function row(identity: Identity): HTMLLIElement {
    const { label, created_at, last_used_at } = identity
    const name = nameOf(identity)
    const linked = created_at === null ? 'Imported' : 'Linked '
    const when = created_at === null ? [] : [moment(created_at)]
    const used = last_used_at === null ? [] : [` · last used ${ago(last_used_at)}`]
    const button = make(
      'button',
      { type: 'button', class: 'quiet' },
      'Unlink',
      make('span', { class: 'unseen' }, ` ${name} ${label ?? ''}`),
    )
    button.addEventListener('click', () => {
      chosen = identity
      get('bdi', dialog).textContent = label === null ? name : `${name} (${label})`
      get('[role=alert]', dialog).textContent = ''
      open(dialog)
    })
    return make(
      'li',
      { class: 'device' },
      make(
        'div',
        { class: 'device-facts' },
        make(
          'p',
          { class: 'device-name' },
          make('strong', {}, name),
          ...(label === null ? [] : [' ', make('bdi', {}, label)]),
        ),
        make('p', { class: 'hint' }, linked, ...when, ...used),
      ),
      button,
    )
  }

  for (const button of buttons) {
    button.addEventListener('click', async () => {
      const next = new URL('account#identities', location.href).href
      const result = await withPassword(() => providers.addIdentity(button.dataset.provider ?? '', { next }))
      if (result?.ok) location.assign(result.data.location)
      else if (result !== undefined) show(section, result.error)
    })
  }

  get('form', dialog).addEventListener('submit', async (event) => {
    event.preventDefault()
    const identity = chosen
    if (identity === undefined) return
    const result = await withPassword(() => providers.removeIdentity(identity.id))
    if (result === undefined) return
    // If it's already gone, that counts as success.
    if (!result.ok && result.error.code !== 'ACCOUNTS_NOT_FOUND') return show(dialog, result.error)
    dialog.close()
    await showList(section)
    tell(section, `${nameOf(identity)} is no longer linked.`)
    get('#identities-heading').focus()
  })

  await showList(section)
}
