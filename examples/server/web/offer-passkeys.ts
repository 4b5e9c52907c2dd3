import { passkeys, wasReplaced } from './client.js'
import { get } from './elements.js'
import { onPasskey, show } from './forms.js'

type Login = Awaited<ReturnType<typeof passkeys.logInWithPasskey>>

/** Milliseconds that the browser's suggestions are good for: what it asks with lives for five minutes. */
const fresh = 4 * 60_000

/**
 * Logs in by a passkey: one that is chosen among the suggestions of the first field, or after a press of the button.
 * @param done what a login does; returns the result where it is to be told at the form
 */
export function offerPasskeys(form: HTMLFormElement, done: (result: Login) => Login | undefined): void {
  const remember = get<HTMLInputElement>('#remember', form)
  let asked = Number.NEGATIVE_INFINITY
  let count = 0

  /** Waits for a suggestion to be chosen. Whatever else asks for a passkey ends it. */
  async function suggest(): Promise<void> {
    if (!(await canSuggest())) return
    count += 1
    const own = count
    asked = performance.now()
    const result = await passkeys.logInWithPasskey({ autofill: true, remember: remember.checked })
    if (!result.ok && result.error.code === 'PASSKEY_FAILED') {
      // None was chosen. Unless this function asked anew, the next focus does.
      if (own === count) asked = Number.NEGATIVE_INFINITY
      return
    }
    const refused = tellUnknown(done(result))
    if (refused?.ok === false) show(form, refused.error)
    if (!result.ok && result.error.code === 'ACCOUNTS_INVALID_CREDENTIALS') suggest()
  }

  /** The text of the service is about passwords. */
  function tellUnknown(result: Login | undefined): Login | undefined {
    if (result?.ok !== false || result.error.code !== 'ACCOUNTS_INVALID_CREDENTIALS') return result
    get('[role=alert]', form).textContent =
      'This passkey is no longer good for any account here, or took too long. Try again, or log in another way.'
    return
  }

  onPasskey(form, async () => {
    const result = await passkeys.logInWithPasskey({ remember: remember.checked })
    // Where it was replaced, another one waits already.
    if (!result.ok && !wasReplaced(result.error)) suggest()
    return tellUnknown(done(result))
  })
  remember.addEventListener('change', suggest)
  get('#username', form).addEventListener('focus', () => {
    if (performance.now() - asked > fresh) suggest()
  })
  suggest()
}

async function canSuggest(): Promise<boolean> {
  if (!('PublicKeyCredential' in globalThis)) return false
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false
}
