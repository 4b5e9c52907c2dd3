import { escapeHtml } from '../html.js'
import { endPage } from './layout.js'
import type { Look } from './look.js'

/** What a browser sees where a link page cannot do its work. */
export function problemPage(look: Look, { title, message }: { title: string; message: string }): string {
  return endPage(look, title, `<p>${escapeHtml(message)}</p>`)
}
