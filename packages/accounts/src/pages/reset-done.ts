import { escapeHtml } from '../html.js'
import { endPage } from './layout.js'
import type { Look } from './look.js'

export function resetDonePage(look: Look): string {
  const { heading, body } = look.language.texts.pages.reset_done
  return endPage(look, heading, `<p>${escapeHtml(body)}</p>`)
}
