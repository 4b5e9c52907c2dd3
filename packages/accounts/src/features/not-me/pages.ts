import { buttonPage, endPage, withUsername } from '../../pages/layout.js'
import type { PageTheme } from '../../pages/theme.js'

export function notMePage(theme: PageTheme, { username }: { username: string | null }): string {
  const texts = theme.language.texts.pages.not_me
  return buttonPage(theme, texts, withUsername(theme, texts.body, username))
}

export function notMeDonePage(theme: PageTheme, { username }: { username: string | null }): string {
  const { heading, body } = theme.language.texts.pages.not_me_done
  return endPage(theme, heading, `<p>${withUsername(theme, body, username)}</p>`)
}
