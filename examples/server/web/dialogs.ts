import type { AccountsClientError } from './client/index.js'
import { accounts } from './client.js'
import { get } from './elements.js'
import { onSubmit } from './forms.js'

type Outcome = { ok: true } | { ok: false; error: AccountsClientError }

/** Buttons that open a dialog, and those in it that close it. Escape closes it too, and the focus goes back. */
export function enableDialogs(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
    button.addEventListener('click', () => get<HTMLDialogElement>(`#${button.dataset.opens}`).showModal())
  }
  for (const button of document.querySelectorAll('dialog [data-closes]')) {
    button.addEventListener('click', () => button.closest('dialog')?.close())
  }
}

let confirmed: (() => void) | undefined

/**
 * Does what the service may ask a recent password for: where it does, the dialog asks, and it is done again after it.
 * @returns `undefined` where the dialog was left
 */
export async function withPassword<Result extends Outcome>(
  deed: () => Promise<Result>,
): Promise<Result | undefined> {
  const result = await deed()
  if (result.ok || result.error.code !== 'ACCOUNTS_CONFIRMATION_REQUIRED') return result
  return (await askForPassword()) ? deed() : undefined
}

/**
 * Does what cannot be undone, and asks for the password first each time, right after a login too.
 * @returns `undefined` where the dialog was left
 */
export async function afterPassword<Result extends Outcome>(
  deed: () => Promise<Result>,
): Promise<Result | undefined> {
  return (await askForPassword()) ? withPassword(deed) : undefined
}

function askForPassword(): Promise<boolean> {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  return new Promise((resolve) => {
    confirmed = () => resolve(true)
    dialog.addEventListener('close', () => resolve(false), { once: true })
    dialog.showModal()
  })
}

/** Sends what is typed into the dialog that asks for the password. */
export function enableConfirmation(): void {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  const form = get<HTMLFormElement>('form', dialog)
  onSubmit(form, async ({ password = '' }) => {
    const result = await accounts.confirmPassword({ password })
    if (!result.ok) return result
    confirmed?.()
    dialog.close()
    return result
  })
  dialog.addEventListener('close', () => form.reset())
}
