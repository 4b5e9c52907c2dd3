import { escapeHtml } from '../../pages/html.js'
import { endPage } from '../../pages/layout.js'
import type { PageTheme } from '../../pages/theme.js'

export function resetDonePage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.reset_done
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
