import { escapeHtml } from '../html.js'
import { page } from './layout.js'

/** What a browser sees where a link page cannot do its work. */
export function problemPage({ title, message }: { title: string; message: string }): string {
  return page(title, `<p>${escapeHtml(message)}</p>`)
}
