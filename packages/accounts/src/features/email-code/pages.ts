import { escapeHtml } from '../../pages/html.js'
import { buttonPage, endPage, page, withUsername } from '../../pages/layout.js'
import type { PageTheme } from '../../pages/theme.js'

/** In the browser that requested the code, because opening a link logs nobody in. */
export function loginCodePage(theme: PageTheme, { username }: { username: string | null }): string {
  const texts = theme.language.texts.pages.login_code
  return buttonPage(theme, texts, withUsername(theme, texts.body, username))
}

/** In any other browser: the code, to be typed where it was requested. */
export function typeCodePage(theme: PageTheme, { code }: { code: string }): string {
  const { heading, body, otherwise } = theme.language.texts.pages.type_code
  return page(
    theme,
    heading,
    `<p>${escapeHtml(body)}</p>
<p><strong>${escapeHtml(code)}</strong></p>
<p class="hint">${escapeHtml(otherwise)}</p>`,
  )
}

export function loggedInPage(theme: PageTheme, { username }: { username: string | null }): string {
  const { heading, body } = theme.language.texts.pages.logged_in
  return endPage(theme, heading, `<p>${withUsername(theme, body, username)}</p>`)
}
