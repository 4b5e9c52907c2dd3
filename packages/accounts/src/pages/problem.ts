import { escapeHtml } from './html.js'
import { endPage } from './layout.js'
import type { PageTheme } from './theme.js'

/** The page that a browser gets if a link page fails. */
export function problemPage(
  theme: PageTheme,
  { title, message }: { title: string; message: string },
): string {
  return endPage(theme, title, `<p>${escapeHtml(message)}</p>`)
}
