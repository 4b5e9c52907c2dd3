import { passkeys, wasReplaced } from './client.js'
import { get } from './elements.js'
import { onPasskey, show } from './forms.js'

type Login = Awaited<ReturnType<typeof passkeys.logInWithPasskey>>

/** Milliseconds after which suggestions are renewed: the challenge expires after five minutes. */
const fresh = 4 * 60_000

/**
 * Logs in with a passkey, chosen from the first field's autofill suggestions or with the button.
 * @param done called with the result; returns it unless it has been handled
 */
export function offerPasskeys(form: HTMLFormElement, done: (result: Login) => Login | undefined): void {
  const remember = get<HTMLInputElement>('#remember', form)
  let asked = Number.NEGATIVE_INFINITY
  let count = 0

  /** Waits for the user to choose a suggestion. Any other passkey request ends it. */
  async function suggest(): Promise<void> {
    if (!(await canSuggest())) return
    count += 1
    const own = count
    asked = performance.now()
    const result = await passkeys.logInWithPasskey({ autofill: true, remember: remember.checked })
    if (!result.ok && result.error.code === 'PASSKEY_FAILED') {
      // None was chosen. Unless a newer call is waiting, the next focus asks again.
      if (own === count) asked = Number.NEGATIVE_INFINITY
      return
    }
    const refused = tellUnknown(done(result))
    if (refused?.ok === false) show(form, refused.error)
    const wrong = ['ACCOUNTS_INVALID_CREDENTIALS', 'ACCOUNTS_INVALID_OR_NOT_VERIFIED']
    if (!result.ok && wrong.includes(result.error.code)) suggest()
  }

  /** The service's message is about passwords. */
  function tellUnknown(result: Login | undefined): Login | undefined {
    if (result?.ok !== false || result.error.code !== 'ACCOUNTS_INVALID_CREDENTIALS') return result
    get('[role=alert]', form).textContent =
      'This passkey doesn’t belong to an account here, or the request timed out. Try again, or log in another way.'
    return
  }

  onPasskey(form, async () => {
    const result = await passkeys.logInWithPasskey({ remember: remember.checked })
    // If it was replaced, another request is already waiting.
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
