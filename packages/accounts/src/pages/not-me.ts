import { escapeHtml } from '../html.js'
import { endPage, page, withUsername } from './layout.js'
import type { Look } from './look.js'

/** One button that POSTs: a mail scanner that opens links logs nobody out. */
export function notMePage(look: Look, { username }: { username: string }): string {
  const { heading, body, button, otherwise } = look.language.texts.pages.not_me
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

export function notMeDonePage(look: Look, { username }: { username: string }): string {
  const { heading, body } = look.language.texts.pages.not_me_done
  return endPage(look, heading, `<p>${withUsername(look, body, username)}</p>`)
}
