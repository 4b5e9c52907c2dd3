import { escapeHtml } from '../../pages/html.js'
import { endPage, page, withUsername } from '../../pages/layout.js'
import type { PageTheme } from '../../pages/theme.js'

/** One button that POSTs: a mail scanner that opens links verifies nobody. */
export function verifyPage(theme: PageTheme, { username }: { username: string | null }): string {
  const { heading, body, button, otherwise } = theme.language.texts.pages.verify
  return page(
    theme,
    heading,
    `<p>${withUsername(theme, body, username)}</p>
<form method="post">
<button type="submit">${escapeHtml(button)}</button>
</form>
<p class="hint">${escapeHtml(otherwise)}</p>`,
  )
}

export function verifiedPage(theme: PageTheme, { username }: { username: string | null }): string {
  const { heading, body } = theme.language.texts.pages.verified
  return endPage(theme, heading, `<p>${withUsername(theme, body, username)}</p>`)
}
