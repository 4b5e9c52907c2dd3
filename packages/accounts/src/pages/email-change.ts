import { escapeHtml } from '../html.js'
import { page } from './layout.js'

interface Facts {
  username: string
  email: string
}

const who = (text: string): string => `<strong>${escapeHtml(text)}</strong>`

/** One button that POSTs to its own address, query and all: a mail scanner that opens links changes nothing. */
export function emailChangePage({ username, email }: Facts): string {
  return page(
    'Use this e-mail address',
    `<p class="who">The account ${who(username)} will use the address ${who(email)} from now on.</p>
<form method="post">
<button type="submit">Use this address</button>
</form>
<p class="hint">If the account is not yours, close this page.</p>`,
  )
}

export function emailConfirmedPage({ username, email }: Facts): string {
  return page(
    'Your e-mail address was changed',
    `<p class="who">The account ${who(username)} uses the address ${who(email)} now.</p>`,
  )
}

export function emailUndoPage({ username, email }: Facts): string {
  return page(
    'Undo the change of your e-mail address',
    `<p class="who">The account ${who(username)} gets the address ${who(email)} back. Everybody is logged out, the password is void, and a link to choose a new one is mailed to that address.</p>
<form method="post">
<button type="submit">Undo the change</button>
</form>
<p class="hint">If you changed the address yourself, close this page.</p>`,
  )
}

export function emailUndonePage({ username, email }: Facts): string {
  return page(
    'The change was undone',
    `<p class="who">The account ${who(username)} uses the address ${who(email)} again. Everybody is logged out. A link to choose a new password is on its way to that address.</p>`,
  )
}
