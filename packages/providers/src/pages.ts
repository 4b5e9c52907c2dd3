import { escapeHtml } from 'fastify-accounts'
import { endPage, type PageTheme, page } from 'fastify-accounts/features'

/** An email was sent, whether or not the address has an account. */
export function mailedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.identity_mailed
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}

/** One button that POSTs: a mail scanner that opens links completes nothing. */
export function confirmIdentityPage(theme: PageTheme): string {
  const { heading, body, button, otherwise } = theme.language.texts.pages.identity_confirm
  return page(
    theme,
    heading,
    `<p>${escapeHtml(theme.language.say(body, { site: theme.brand.name }))}</p>
<form method="post">
<button type="submit">${escapeHtml(button)}</button>
</form>
<p class="hint">${escapeHtml(otherwise)}</p>`,
  )
}
