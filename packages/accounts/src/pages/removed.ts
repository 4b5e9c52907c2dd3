import { type Removed, removedLines } from '../languages/removed.js'
import { escapeHtml } from './html.js'
import type { PageTheme } from './theme.js'

/** What a click will remove, or has removed, as HTML; nothing if that's nothing. */
export function removedList(
  { language }: PageTheme,
  when: 'before' | 'after',
  removed: Removed | null,
): string {
  if (removed === null) return ''
  const { heading, hint } = language.texts.pages[when === 'before' ? 'removes' : 'removed']
  const lines = removedLines(language, removed).map((line) => `<li>${escapeHtml(line)}</li>`)
  return `<p>${escapeHtml(heading)}</p>
<ul>
${lines.join('\n')}
</ul>
<p>${escapeHtml(hint)}</p>`
}
