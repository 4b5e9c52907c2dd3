import type { AccountsClientError } from '@fastify-accounts/client'
import { accounts, passkeys } from './client.js'
import { get } from './elements.js'
import { onPasskey, onSubmit, show } from './forms.js'

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
 * @param addsFactor whether a passkey is asked for where there is one: the password alone is not enough then
 * @returns `undefined` where the dialog was left
 */
export async function withPassword<Result extends Outcome>(
  deed: () => Promise<Result>,
  addsFactor = false,
): Promise<Result | undefined> {
  const result = await deed()
  if (result.ok || result.error.code !== 'ACCOUNTS_CONFIRMATION_REQUIRED') return result
  return (await askWhoIsThere(addsFactor)) ? deed() : undefined
}

/**
 * Does what cannot be undone, and asks who is there first each time, right after a login too.
 * @returns `undefined` where the dialog was left
 */
export async function afterPassword<Result extends Outcome>(
  deed: () => Promise<Result>,
): Promise<Result | undefined> {
  return (await askWhoIsThere()) ? withPassword(deed) : undefined
}

/** Asks for what the account has: a code where there is a second factor, for then the password alone is not enough. */
async function askWhoIsThere(addsFactor = false): Promise<boolean> {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  const byPasskey = dialog.querySelector<HTMLButtonElement>('[data-passkey]')
  const [me, factors, list] = await Promise.all([
    accounts.showMe(),
    accounts.showFactors(),
    byPasskey === null ? null : passkeys.listPasskeys(),
  ])
  const asksForMore = factors.ok && (factors.data.totp || factors.data.passkeys)
  // Any other refusal is told by what the dialog sends.
  const asksForPasskeys = factors.ok && factors.data.passkeys
  const hasPasskey =
    list?.ok === true && list.data.results.some(({ use }) => use === 'login' || asksForPasskeys)
  const hasPassword = (!me.ok || me.data.has_password) && !(addsFactor && hasPasskey)
  enableFields(get('#confirm-by-code', dialog), asksForMore)
  enableFields(get('#confirm-by-password', dialog), !asksForMore && hasPassword)
  get('[type=submit]', dialog).hidden = !asksForMore && !hasPassword
  if (byPasskey !== null) {
    byPasskey.classList.toggle('quiet', asksForMore || hasPassword)
    byPasskey.hidden = !hasPasskey
  }
  // A code by email is for accounts that have nothing else.
  const byEmail = !asksForMore && !hasPassword && !hasPasskey
  enableFields(get('#confirm-by-email', dialog), false)
  get('#confirm-nothing', dialog).hidden = get('#confirm-send', dialog).hidden = !byEmail
  get('#confirm-mailbox', dialog).textContent = (me.ok && me.data.email) || 'your address'
  return new Promise((resolve) => {
    confirmed = () => resolve(true)
    dialog.addEventListener('close', () => resolve(false), { once: true })
    open(dialog)
  })
}

function enableFields(fields: HTMLFieldSetElement, asked: boolean): void {
  fields.hidden = fields.disabled = !asked
}

/** Sends what is typed into the dialog, or has the browser ask for a passkey. */
export function enableConfirmation(): void {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  const form = get<HTMLFormElement>('form', dialog)
  onSubmit(form, async ({ password = '', code, email_code }) => {
    const given = email_code === undefined ? (code === undefined ? { password } : { code }) : { email_code }
    return closeAfter(await accounts.confirm(given))
  })
  get('#confirm-send', dialog).addEventListener('click', async () => {
    const result = await accounts.requestConfirmationCode()
    if (!result.ok) return show(form, result.error)
    get('#confirm-nothing', dialog).hidden = get('#confirm-send', dialog).hidden = true
    enableFields(get('#confirm-by-email', dialog), true)
    get('[type=submit]', dialog).hidden = false
    get('#confirm-by-email input', dialog).focus()
  })
  onPasskey(form, async () => closeAfter(await passkeys.confirm()))
  function closeAfter(result: Outcome): Outcome {
    if (result.ok) {
      confirmed?.()
      dialog.close()
    }
    return result
  }
  dialog.addEventListener('close', () => form.reset())
}
