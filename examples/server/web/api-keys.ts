/** The part of the account page about API keys. */

import type { ApiKey } from '@fastify-accounts/client/api-keys'
import { apiKeys } from './client.js'
import { open, withPassword } from './dialogs.js'
import { day, get, make, moment } from './elements.js'
import { onSubmit, show, tell } from './forms.js'

/** Shows the list, and makes the form work. */
export async function enableApiKeys(): Promise<void> {
  const section = get('#api-keys')
  const form = get<HTMLFormElement>('#api-key-form')
  const list = get('#api-key-list')
  const fresh = get('#new-api-key')
  const text = get('#api-key-text')
  const dialog = get<HTMLDialogElement>('#remove-key-dialog')
  let chosen: ApiKey | undefined

  async function showList(): Promise<void> {
    const result = await apiKeys.listApiKeys()
    if (!result.ok) return show(form, result.error)
    const { results } = result.data
    list.replaceChildren(
      ...(results.length === 0
        ? [make('li', { class: 'nobody' }, 'You haven’t created any yet.')]
        : results.map(row)),
    )
    list.removeAttribute('aria-busy')
  }

  function row(key: ApiKey): HTMLLIElement {
    const { name, scopes, created_at, expires_at, last_used_on } = key
    const isOver = Date.parse(expires_at) < Date.now()
    const used = last_used_on === null ? 'not used yet' : `last used on ${day(last_used_on)}`
    const button = make(
      'button',
      { type: 'button', class: 'quiet' },
      'Remove',
      make('span', { class: 'unseen' }, ` ${name}`),
    )
    button.addEventListener('click', () => {
      chosen = key
      get('bdi', dialog).textContent = name
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
          make('strong', {}, make('bdi', {}, name)),
          ...(isOver ? [' ', make('span', { class: 'badge' }, 'Expired')] : []),
        ),
        make('p', { class: 'hint' }, scopes.join(', ')),
        make(
          'p',
          { class: 'hint' },
          ...['Created ', moment(created_at), isOver ? ' · expired ' : ' · expires ', moment(expires_at)],
          ` · ${used}`,
        ),
      ),
      button,
    )
  }

  onSubmit(form, async ({ name = '', days = '' }) => {
    const scopes = new FormData(form).getAll('scopes').map(String)
    if (scopes.length === 0) {
      get('[role=alert]', form).textContent = 'Choose what the key may do.'
      return
    }
    const result = await withPassword(() =>
      apiKeys.createApiKey({ name, scopes, expires_in: Number(days) * 86_400 }),
    )
    if (!result?.ok) return result
    form.reset()
    text.textContent = result.data.key
    fresh.hidden = false
    await showList()
    get('#new-api-key-heading').focus()
    return result
  })

  get('#copy-api-key').addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent ?? '')
    tell(section, 'Copied.')
  })

  get('form', dialog).addEventListener('submit', async (event) => {
    event.preventDefault()
    const key = chosen
    if (key === undefined) return
    const result = await apiKeys.removeApiKey(key.id)
    // If it's already gone, that counts as success.
    if (!result.ok && result.error.code !== 'ACCOUNTS_NOT_FOUND') return show(dialog, result.error)
    dialog.close()
    // It may be the one on show.
    fresh.hidden = true
    text.textContent = ''
    await showList()
    tell(section, `${key.name} has been removed. Programs that have it are locked out.`)
    get('#api-keys-heading').focus()
  })

  await showList()
}
