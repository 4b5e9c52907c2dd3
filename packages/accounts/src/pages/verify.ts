import { escapeHtml } from '../html.js'
import { page } from './layout.js'

/** One button that POSTs: a mail scanner that opens links verifies nobody. */
export function verifyPage({ username }: { username: string }): string {
  return page(
    'Confirm your e-mail address',
    `<p class="who">Confirm that the account <strong>${escapeHtml(username)}</strong> is yours, and that it may use this e-mail address.</p>
<form method="post">
<button type="submit">Confirm</button>
</form>
<p class="hint">If you did not make this account, close this page.</p>`,
  )
}

export function verifiedPage({ username }: { username: string }): string {
  return page(
    'Your e-mail address is confirmed',
    `<p class="who">The account <strong>${escapeHtml(username)}</strong> is ready: you can log in now.</p>`,
  )
}
