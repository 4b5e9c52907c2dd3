import { buttonPage, endPage, withUsername } from '../../pages/layout.js'
import type { PageTheme } from '../../pages/theme.js'

export function verifyPage(theme: PageTheme, { username }: { username: string | null }): string {
  const texts = theme.language.texts.pages.verify
  return buttonPage(theme, texts, withUsername(theme, texts.body, username))
}

export function verifiedPage(theme: PageTheme, { username }: { username: string | null }): string {
  const { heading, body } = theme.language.texts.pages.verified
  return endPage(theme, heading, `<p>${withUsername(theme, body, username)}</p>`)
}
