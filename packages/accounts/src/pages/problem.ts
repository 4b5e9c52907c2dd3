import { escapeHtml } from './html.js'
import { endPage } from './layout.js'
import type { PageTheme } from './theme.js'

/** What a browser sees where a link page cannot do its work. */
export function problemPage(
  theme: PageTheme,
  { title, message }: { title: string; message: string },
): string {
  return endPage(theme, title, `<p>${escapeHtml(message)}</p>`)
}
