import type { AccountsClientError } from '@fastify-accounts/client'
import { accounts, emailCode, passkeys, providers, secondFactor } from './client.js'
import { get, make } from './elements.js'
import { onPasskey, onSubmit, show } from './forms.js'
import { offerFactors } from './second-step.js'

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

let confirmed: (() => void) | undefined

/**
 * Runs an action that may require a recent login: if so, the dialog re-authenticates the user and retries the action.
 * @returns `undefined` if the dialog was closed
 */
export async function withPassword<Result extends Outcome>(
  action: () => Promise<Result>,
): Promise<Result | undefined> {
  const result = await action()
  if (result.ok || result.error.code !== 'ACCOUNTS_CONFIRMATION_REQUIRED') return result
  // Changes of how to log in take a passkey or an emailed code if there is a passkey, and no recovery code.
  const { factors } = result.error
  const changesLogin = factors.length > 0 && !factors.includes('recovery-code')
  return (await askWhoIsThere(changesLogin)) ? action() : undefined
}

/** Whether the user has just re-authenticated at a provider. */
let isBack = false

/**
 * Runs an irreversible action, always after re-authentication, even right after a login.
 * @param changesLogin whether it changes how to log in
 * @returns `undefined` if the dialog was closed
 */
export async function afterPassword<Result extends Outcome>(
  action: () => Promise<Result>,
  changesLogin = false,
): Promise<Result | undefined> {
  if (isBack) {
    isBack = false
    return withPassword(action)
  }
  return (await askWhoIsThere(changesLogin)) ? withPassword(action) : undefined
}

/** The section of the page that opened the dialog. */
let begunIn = ''

/**
 * Asks for what the account has: with a second factor for that, because the password alone isn't enough then.
 * @param changesLogin asks for a passkey or an emailed code instead if the account has a login passkey
 */
async function askWhoIsThere(changesLogin: boolean): Promise<boolean> {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  begunIn = document.activeElement?.closest('.part')?.id ?? ''
  const byPasskey = dialog.querySelector<HTMLButtonElement>('[data-passkey]')
  const byProviders = [...dialog.querySelectorAll<HTMLButtonElement>('[data-confirms-with]')]
  const [me, factors, list, identities] = await Promise.all([
    accounts.showMe(),
    secondFactor.showFactors(),
    byPasskey === null ? null : passkeys.listPasskeys(),
    byProviders.length === 0 ? null : providers.listIdentities(),
  ])
  const needsOwner = changesLogin && list?.ok === true && list.data.results.some(({ use }) => use === 'login')
  const asksForMore = factors.ok && !needsOwner && (factors.data.totp || factors.data.passkeys)
  // Other errors are shown when the dialog is submitted.
  const asksForPasskeys = factors.ok && factors.data.passkeys
  const hasPasskey =
    list?.ok === true && list.data.results.some(({ use }) => use === 'login' || asksForPasskeys)
  const hasPassword = (!me.ok || me.data.has_password) && !needsOwner
  const asked = asksForMore
    ? [
        ...(hasPasskey ? ['passkey'] : []),
        ...(factors.data.totp ? ['totp'] : []),
        ...(factors.data.recovery_codes_left > 0 ? ['recovery-code'] : []),
      ]
    : []
  offerFactors(get<HTMLFormElement>('form', dialog), asked)
  enableFields(get('#confirm-by-password', dialog), !asksForMore && hasPassword)
  if (!asksForMore) {
    get('[type=submit]', dialog).hidden = !hasPassword
    byPasskey?.classList.toggle('quiet', hasPassword)
    if (byPasskey !== null) byPasskey.hidden = !hasPasskey
  }
  const linked = identities?.ok ? identities.data.results.map(({ provider }) => provider) : []
  for (const button of byProviders)
    button.hidden = asksForMore || needsOwner || !linked.includes(button.dataset.confirmsWith ?? '')
  // Emailed codes are also for accounts without a password, a second factor and a passkey.
  const hasNeither = !asksForMore && !hasPassword && !hasPasskey
  const byEmail = (hasNeither || needsOwner) && (!me.ok || me.data.email !== null)
  for (const button of byProviders) button.classList.toggle('quiet', !hasNeither || byEmail)
  get('#confirm-anew', dialog).hidden = !hasNeither || byEmail || byProviders.some(({ hidden }) => !hidden)
  enableFields(get('#confirm-by-email', dialog), false)
  get('#confirm-nothing', dialog).hidden = get('#confirm-send', dialog).hidden = !byEmail
  get('#confirm-send', dialog).classList.toggle('quiet', needsOwner)
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

/** Submits what the user typed, or makes the browser ask for a passkey. */
export function enableConfirmation(): void {
  const dialog = get<HTMLDialogElement>('#confirm-dialog')
  const form = get<HTMLFormElement>('form', dialog)
  onSubmit(form, async ({ password = '', code, email_code }) => {
    const given = email_code === undefined ? (code === undefined ? { password } : { code }) : { email_code }
    return closeAfter(await accounts.confirm(given))
  })
  get('#confirm-send', dialog).addEventListener('click', async () => {
    const result = await emailCode.requestConfirmationCode()
    if (!result.ok) return show(form, result.error)
    get('#confirm-nothing', dialog).hidden = get('#confirm-send', dialog).hidden = true
    enableFields(get('#confirm-by-email', dialog), true)
    get('[type=submit]', dialog).hidden = false
    get('#confirm-by-email input', dialog).focus()
  })
  onPasskey(form, async () => closeAfter(await passkeys.confirm()))
  for (const button of dialog.querySelectorAll<HTMLButtonElement>('[data-confirms-with]'))
    button.addEventListener('click', async () => {
      const next = new URL(location.href)
      next.searchParams.set('confirmed', '')
      next.hash = begunIn
      const result = await providers.confirmWith(button.dataset.confirmsWith ?? '', { next: next.href })
      if (result.ok) location.assign(result.data.location)
      else show(form, result.error)
    })
  function closeAfter(result: Outcome): Outcome {
    if (result.ok) {
      confirmed?.()
      dialog.close()
    }
    return result
  }
  dialog.addEventListener('close', () => form.reset())
  tellOfReturn()
}

/** The action that led to the provider was lost when the browser left the page, so the user must repeat it. */
function tellOfReturn(): void {
  const here = new URL(location.href)
  if (!here.searchParams.has('confirmed')) return
  here.searchParams.delete('confirmed')
  history.replaceState(null, '', here)
  isBack = true
  const told = make(
    'p',
    { class: 'done', role: 'status', tabindex: '-1' },
    'You’ve confirmed it’s you. Repeat your last step to finish it.',
  )
  const part = document.getElementById(here.hash.slice(1))?.querySelector('.card')
  if (!part) get('h1').after(told)
  else part.prepend(told)
  told.focus()
}
