import type { AccountsClientError } from '@fastify-accounts/client'
import { goTo, messageOf } from './client.js'
import { get } from './elements.js'

type Outcome = { ok: true } | { ok: false; error: AccountsClientError }
type Send = (values: Readonly<Record<string, string>>) => Promise<Outcome | undefined>

/** Errors about one field that don't name it. */
const fieldOfCode: Partial<Record<string, string>> = {
  ACCOUNTS_USERNAME_TAKEN: 'username',
  ACCOUNTS_EMAIL_TAKEN: 'email',
}

/**
 * Submits a form, one request at a time. Field errors are shown at their fields, and the first one gets the focus;
 * other errors are shown above the button.
 * @param send what the form does; returns the outcome
 */
export function onSubmit(form: HTMLFormElement, send: Send): void {
  // Only the server validates, so all errors look the same.
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

async function attempt(form: HTMLFormElement, send: Send): Promise<void> {
  clear(form)
  const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const outcome = await send(values)
  if (outcome?.ok === false) show(form, outcome.error)
}

/** Shows a form's success; screen readers announce it. */
export function tell(form: ParentNode, text: string): void {
  get('[role=status]', form).textContent = text
}

/** Shows why a request failed. */
export function show(form: HTMLElement, error: AccountsClientError): void {
  if (error.code === 'ACCOUNTS_LOGIN_REQUIRED') {
    goTo('login/')
    return
  }
  const field = fieldOfCode[error.code]
  const faults = field === undefined ? error.fields : [{ field, code: undefined, message: error.message }]
  const elsewhere: string[] = faults.length === 0 ? [messageOf(error)] : []
  const atFault: HTMLElement[] = []
  for (const { field: name, code, message } of faults) {
    const input = form.querySelector<HTMLInputElement>(
      `[name="${CSS.escape(name)}"]:enabled:not([type=hidden])`,
    )
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
  // In the order of the form, not of the response.
  const [first] = atFault.sort((one, other) => (one.compareDocumentPosition(other) & 4 ? -1 : 1))
  first?.focus()
}

export function clear(form: HTMLElement): void {
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
  for (const place of form.querySelectorAll('.fault, [role=status]')) place.textContent = ''
}

/** Buttons are disabled until their script has loaded. */
export function enableButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button:disabled'))
    button.disabled = false
}
