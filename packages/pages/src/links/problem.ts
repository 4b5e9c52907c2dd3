import { escapeHtml, type PageContent, type PageTheme, type Problem } from 'fastify-accounts/features'
import type { Site } from '../site.js'

/** What an error page says, and what can be done next. */
export function problemContent(
  _site: Site,
  _theme: PageTheme,
  _problem: Problem,
  { title, message }: { title: string; message: string },
): PageContent {
  return { heading: title, main: `<p>${escapeHtml(message)}</p>`, onward: 'app' }
}
