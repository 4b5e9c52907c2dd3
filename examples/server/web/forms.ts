import type { AccountsClientError } from '@fastify-accounts/client'
import { goToLogIn, messageOf, wasReplaced } from './client.js'
import { get } from './elements.js'

type Outcome = { ok: true } | { ok: false; error: AccountsClientError }
type Send = (values: Readonly<Record<string, string>>) => Promise<Outcome | undefined>

/** Errors that are about one field, though they name none. */
const fieldOfCode: Partial<Record<string, string>> = {
  ACCOUNTS_USERNAME_TAKEN: 'username',
  ACCOUNTS_EMAIL_TAKEN: 'email',
  ACCOUNTS_INVALID_CODE: 'code',
}

/**
 * Has a form send what is in it, one at a time. What is wrong is told at the field where it is wrong, and the first such
 * field gets the focus; all else is told above the button.
 * @param send what the form does; it is told of a success by what it returns
 */
export function onSubmit(form: HTMLFormElement, send: Send): void {
  // A first look at what is typed in is the server's, too, so that all faults are told in one manner.
  form.noValidate = true
  let busy = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (busy) return
    busy = true
    form.setAttribute('aria-busy', 'true')
    try {
      await attempt(form, send)
    } finally {
      busy = false
      form.removeAttribute('aria-busy')
    }
  })
}

/**
 * Has the other button of a form ask for a passkey, and tell what came of it as the form does. Meanwhile the form can be
 * sent, and the button pressed again: the browser drops what it asked before.
 */
export function onPasskey(form: HTMLFormElement, send: Send): void {
  form.querySelector('[data-passkey]')?.addEventListener('click', () => attempt(form, send))
}

async function attempt(form: HTMLFormElement, send: Send): Promise<void> {
  clear(form)
  hideSecrets(form)
  const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const outcome = await send(values)
  if (outcome?.ok === false && !wasReplaced(outcome.error)) show(form, outcome.error)
}

/** Says what came of a form, in its place for that; screen readers read it out. */
export function tell(form: ParentNode, text: string): void {
  get('[role=status]', form).textContent = text
}

/** Shows why a request was refused. */
export function show(form: HTMLElement, error: AccountsClientError): void {
  if (error.code === 'ACCOUNTS_LOGIN_REQUIRED') {
    goToLogIn()
    return
  }
  const field = fieldOfCode[error.code]
  const faults = field === undefined ? error.fields : [{ field, code: undefined, message: error.message }]
  const elsewhere: string[] = faults.length === 0 ? [messageOf(error)] : []
  const atFault: HTMLElement[] = []
  for (const { field: name, code, message } of faults) {
    const input = form.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]:not([type=hidden])`)
    const place = input && form.querySelector(`#${CSS.escape(`${input.id}-fault`)}`)
    if (input === null || place === null) elsewhere.push(message)
    else if (!atFault.includes(input)) {
      const isAddress = input.type === 'email' && code === 'invalid'
      place.textContent = isAddress ? 'Enter a valid email address, such as name@example.org.' : message
      input.setAttribute('aria-invalid', 'true')
      atFault.push(input)
    }
  }
  get('[role=alert]', form).textContent = elsewhere.join(' ')
  // In the order of the form, not of the answer.
  const [first] = atFault.sort((one, other) => (one.compareDocumentPosition(other) & 4 ? -1 : 1))
  first?.focus()
}

function clear(form: HTMLElement): void {
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
  for (const place of form.querySelectorAll('.fault, [role=status]')) place.textContent = ''
}

/** A password manager looks at the kind of the fields when a form is sent. */
function hideSecrets(form: HTMLElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-shows][aria-pressed=true]'))
    button.click()
}

/** Buttons that show a password while it is typed. */
export function enableShowing(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-shows]')) {
    const input = get<HTMLInputElement>(`input`, button.parentElement ?? document)
    button.hidden = false
    button.addEventListener('click', () => {
      const shown = input.type === 'password'
      input.type = shown ? 'text' : 'password'
      button.setAttribute('aria-pressed', String(shown))
    })
  }
}

/** Buttons wait, disabled, until there is a script that listens to them. */
export function enableButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button:disabled'))
    button.disabled = false
}
