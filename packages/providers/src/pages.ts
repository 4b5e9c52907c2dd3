import { escapeHtml, type FieldError } from 'fastify-accounts'
import {
  buttonPage,
  endPage,
  formPage,
  type PageTheme,
  page,
  passwordField,
  usernameForManagers,
  withUsername,
} from 'fastify-accounts/features'
import type { Flow } from './flow.js'

/** An email was sent, whether or not the address has an account. */
export function mailedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.identity_mailed
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}

/** The same for a login that began in an app. @param url goes back there */
export function appMailedPage(theme: PageTheme, url: string): string {
  const { heading, body, app, app_link } = theme.language.texts.pages.identity_mailed
  const words = `<p>${escapeHtml(body)} ${escapeHtml(app)}</p>`
  return page(theme, heading, `${words}\n${linkTo(url, app_link)}`)
}

/** @param isInApp whether it began in an app */
export function confirmIdentityPage(theme: PageTheme, isInApp: boolean): string {
  const { say, texts } = theme.language
  const { body, app_body, ...rest } = texts.pages.identity_confirm
  return buttonPage(theme, rest, escapeHtml(say(isInApp ? app_body : body, { site: theme.brand.name })))
}

/** Asks whether somebody wants what an app has begun. @param provider its display name */
export function appStartPage(theme: PageTheme, purpose: Flow['purpose'], provider: string): string {
  const { say, texts } = theme.language
  const { button, otherwise, ...logIn } = texts.pages.app_login
  const { heading, body } = purpose === 'log-in' ? logIn : texts.pages[`app_${purpose}`]
  const names = { provider, site: theme.brand.name }
  const rest = { heading, otherwise, button: say(button, names) }
  return buttonPage(theme, rest, escapeHtml(say(body, names)))
}

/** Goes to the provider. */
export function movingOnPage(theme: PageTheme, provider: string, url: string): string {
  const label = theme.language.say(theme.language.texts.pages.app_login.button, { provider })
  return page(theme, label, linkTo(url, label))
}

/** The account can be used, and the app no longer waits. */
export function appReadyPage(theme: PageTheme, provider: string): string {
  const { say, texts } = theme.language
  const { heading, body } = texts.pages.app_ready
  return page(theme, heading, `<p>${escapeHtml(say(body, { provider }))}</p>`)
}

const linkTo = (url: string, label: string): string =>
  `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`

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
  const names = { provider, site: brand.name }
  const keepForm = `<p>${escapeHtml(say(keep, names))}</p>
<form method="post">
${usernameForManagers(email)}
${passwordField({ name: 'password', label: password, kind: { current: true }, faults })}
<button type="submit">${escapeHtml(keep_button)}</button>
</form>`
  return formPage(
    theme,
    heading,
    `<p>${withUsername(theme, say(body, names), username, email)}</p>
${hasPassword ? keepForm : `<p>${escapeHtml(say(keep_otherwise, names))}</p>`}
<p>${escapeHtml(leave)}</p>
<form method="post">
<input type="hidden" name="start_afresh" value="true">
<button type="submit">${escapeHtml(leave_button)}</button>
</form>`,
    faults,
  )
}
