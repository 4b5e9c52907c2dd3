import type { AccountsClientError } from '@fastify-accounts/client'
import { goTo } from './client.js'
import { get } from './elements.js'

type Outcome = { ok: true } | { ok: false; error: AccountsClientError }

/** Buttons that open and close dialogs. Escape closes them as well, and the focus returns. */
export function enableDialogs(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
    button.addEventListener('click', () => open(get<HTMLDialogElement>(`#${button.dataset.opens}`)))
  }
  for (const button of document.querySelectorAll('dialog [data-closes]')) {
    button.addEventListener('click', () => button.closest('dialog')?.close())
  }
}

/** Focuses the element marked `data-begins`: `autofocus` would also take effect on page load. */
export function open(dialog: HTMLDialogElement): void {
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[data-begins]')?.focus()
}

/**
 * Runs an action that may require a recent login: if so, leads to the page that confirms it's the user, and from there back here.
 * @returns `undefined` if the browser goes there
 */
export async function withConfirmation<Result extends Outcome>(
  action: () => Promise<Result>,
): Promise<Result | undefined> {
  const result = await action()
  if (result.ok || result.error.code !== 'ACCOUNTS_CONFIRMATION_REQUIRED') return result
  goTo('confirm/')
  return undefined
}
