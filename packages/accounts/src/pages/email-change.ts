import { escapeHtml } from './html.js'
import { endPage, page, withUsername } from './layout.js'
import type { PageTheme } from './theme.js'

interface Facts {
  username: string
  email: string
}

type Kind = 'email_change' | 'email_undo'

/** One button that POSTs to its own address, query and all: a mail scanner that opens links changes nothing. */
const asking =
  (kind: Kind) =>
  (theme: PageTheme, { username, email }: Facts): string => {
    const { heading, body, button, otherwise } = theme.language.texts.pages[kind]
    return page(
      theme,
      heading,
      `<p>${withUsername(theme, body, username, email)}</p>
<form method="post">
<button type="submit">${escapeHtml(button)}</button>
</form>
<p class="hint">${escapeHtml(otherwise)}</p>`,
    )
  }

const telling =
  (kind: 'email_changed' | 'email_undone') =>
  (theme: PageTheme, { username, email }: Facts): string => {
    const { heading, body } = theme.language.texts.pages[kind]
    return endPage(theme, heading, `<p>${withUsername(theme, body, username, email)}</p>`)
  }

/** A page about an address and the account that has it, or is to have it. */
export type EmailPage = ReturnType<typeof asking>

export const emailChangePage: EmailPage = asking('email_change')
export const emailConfirmedPage: EmailPage = telling('email_changed')
export const emailUndoPage: EmailPage = asking('email_undo')
export const emailUndonePage: EmailPage = telling('email_undone')
