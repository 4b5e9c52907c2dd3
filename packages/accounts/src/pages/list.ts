import { escapeHtml } from './html.js'

/** A list with a line above it, as HTML. */
export function listBelow(heading: string, items: readonly string[]): string {
  const lines = items.map((each) => `<li>${escapeHtml(each)}</li>`).join('\n')
  return `<p>${escapeHtml(heading)}</p>\n<ul>\n${lines}\n</ul>`
}
