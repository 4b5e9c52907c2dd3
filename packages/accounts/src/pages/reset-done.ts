import { escapeHtml } from './html.js'
import { endPage } from './layout.js'
import type { PageTheme } from './theme.js'

export function resetDonePage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.reset_done
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
