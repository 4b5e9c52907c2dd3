import { escapeHtml } from 'fastify-accounts'
import { buttonPage, endPage, type PageTheme } from 'fastify-accounts/features'

/** An email was sent, whether or not the address has an account. */
export function mailedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.identity_mailed
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}

export function confirmIdentityPage(theme: PageTheme): string {
  const texts = theme.language.texts.pages.identity_confirm
  return buttonPage(theme, texts, escapeHtml(theme.language.say(texts.body, { site: theme.brand.name })))
}
