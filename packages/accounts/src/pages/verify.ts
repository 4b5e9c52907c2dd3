import { escapeHtml } from '../html.js'
import { endPage, page, withUsername } from './layout.js'
import type { Look } from './look.js'

/** One button that POSTs: a mail scanner that opens links verifies nobody. */
export function verifyPage(look: Look, { username }: { username: string }): string {
  const { heading, body, button, otherwise } = look.language.texts.pages.verify
  return page(
    look,
    heading,
    `<p>${withUsername(look, body, username)}</p>
<form method="post">
<button type="submit">${escapeHtml(button)}</button>
</form>
<p class="hint">${escapeHtml(otherwise)}</p>`,
  )
}

export function verifiedPage(look: Look, { username }: { username: string }): string {
  const { heading, body } = look.language.texts.pages.verified
  return endPage(look, heading, `<p>${withUsername(look, body, username)}</p>`)
}
