import type { AccountsClientError } from './client/index.js'
import { accounts } from './client.js'
import { get } from './elements.js'
import { onSubmit } from './forms.js'

type Outcome = { ok: true } | { ok: false; error: AccountsClientError }

/** Buttons that open a dialog, and those in it that close it. Escape closes it too, and the focus goes back. */
export function enableDialogs(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
    button.addEventListener('click', () => open(get<HTMLDialogElement>(`#${button.dataset.opens}`)))
  }
  for (const button of document.querySelectorAll('dialog [data-closes]')) {
    button.addEventListener('click', () => button.closest('dialog')?.close())
  }
}

/** Begins where its markup says. The attribute `autofocus` would count when the page loads too. */
export function open(dialog: HTMLDialogElement): void {
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[data-begins]')?.focus()
}

let confirmed: (() => void) | undefined

/**
 * Does what the service may ask a recent login for: where it does, the dialog asks, and it is done again after it.
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

/** Asks for a code instead where there is a second factor: then the password alone is not enough. */
async function askForPassword(): Promise<boolean> {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  const factors = await accounts.showFactors()
  const byCode = factors.ok && factors.data.totp
  for (const [id, asked] of [
    ['confirm-by-code', byCode],
    ['confirm-by-password', !byCode],
  ] as const) {
    const fields = get<HTMLFieldSetElement>(`#${id}`, dialog)
    fields.hidden = fields.disabled = !asked
  }
  return new Promise((resolve) => {
    confirmed = () => resolve(true)
    dialog.addEventListener('close', () => resolve(false), { once: true })
    open(dialog)
  })
}

/** Sends what is typed into the dialog. */
export function enableConfirmation(): void {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  const form = get<HTMLFormElement>('form', dialog)
  onSubmit(form, async ({ password = '', code }) => {
    const result = await accounts.confirm(code === undefined ? { password } : { code })
    if (!result.ok) return result
    confirmed?.()
    dialog.close()
    return result
  })
  dialog.addEventListener('close', () => form.reset())
}
