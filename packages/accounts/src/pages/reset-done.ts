import { escapeHtml } from '../html.js'
import { page } from './layout.js'
import type { Look } from './look.js'

export function resetDonePage(look: Look): string {
  const { heading, body } = look.language.texts.pages.reset_done
  return page(look, heading, `<p>${escapeHtml(body)}</p>`)
}
