import type { Removed } from '../../languages/removed.js'
import { buttonPage, endPage, withUsername } from '../../pages/layout.js'
import { removedList } from '../../pages/removed.js'
import type { PageTheme } from '../../pages/theme.js'

export function notMePage(
  theme: PageTheme,
  { username, removes }: { username: string | null; removes: Removed | null },
): string {
  const texts = theme.language.texts.pages.not_me
  const above = removedList(theme, 'before', removes)
  return buttonPage(theme, texts, withUsername(theme, texts.body, username), { above })
}

export function notMeDonePage(
  theme: PageTheme,
  { username, removed }: { username: string | null; removed: Removed | null },
): string {
  const { heading, body } = theme.language.texts.pages.not_me_done
  const list = removedList(theme, 'after', removed)
  return endPage(theme, heading, `<p>${withUsername(theme, body, username)}</p>\n${list}`)
}
