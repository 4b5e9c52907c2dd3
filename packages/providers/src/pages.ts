import { escapeHtml, type FieldError } from 'fastify-accounts'
import {
  buttonPage,
  endPage,
  formPage,
  type PageTheme,
  passwordField,
  usernameForManagers,
  withUsername,
} from 'fastify-accounts/features'

/** An email was sent, whether or not the address has an account. */
export function mailedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.identity_mailed
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}

export function confirmIdentityPage(theme: PageTheme): string {
  const texts = theme.language.texts.pages.identity_confirm
  return buttonPage(theme, texts, escapeHtml(theme.language.say(texts.body, { site: theme.brand.name })))
}

/** Asks whose an account is. Both forms POST to the page's own URL. */
export function claimPage(
  theme: PageTheme,
  facts: {
    provider: string
    email: string
    username: string | null
    hasPassword: boolean
    faults: readonly FieldError[]
  },
): string {
  const { provider, email, username, hasPassword, faults } = facts
  const { language, brand } = theme
  const { say, texts } = language
  const { heading, body, keep, keep_otherwise, password, keep_button, leave, leave_button } =
    texts.pages.claim_account
  const known = { provider, site: brand.name }
  const keepForm = `<p>${escapeHtml(say(keep, known))}</p>
<form method="post">
${usernameForManagers(email)}
${passwordField({ name: 'password', label: password, kind: { current: true }, faults })}
<button type="submit">${escapeHtml(keep_button)}</button>
</form>`
  return formPage(
    theme,
    heading,
    `<p>${withUsername(theme, say(body, known), username, email)}</p>
${hasPassword ? keepForm : `<p>${escapeHtml(say(keep_otherwise, known))}</p>`}
<p>${escapeHtml(leave)}</p>
<form method="post">
<input type="hidden" name="start_afresh" value="true">
<button type="submit">${escapeHtml(leave_button)}</button>
</form>`,
    faults,
  )
}
