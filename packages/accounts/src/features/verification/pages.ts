import type { FieldError } from '../../errors.js'
import type { Removed } from '../../languages/removed.js'
import { escapeHtml } from '../../pages/html.js'
import { buttonPage, endPage, withUsername } from '../../pages/layout.js'
import {
  formPage,
  newPasswordForm,
  otherFaults,
  type PasswordLengths,
  passwordField,
  usernameForManagers,
} from '../../pages/password-fields.js'
import { removedList } from '../../pages/removed.js'
import type { PageTheme } from '../../pages/theme.js'
import { passkeyButton } from './passkey-button.js'

/** The account whose address is to be confirmed. */
export interface AccountFacts {
  /** `null` for an account without a name to show. */
  username: string | null
  email: string
  createdAt: Date
}

/** For somebody who has shown that they made the account. */
export function verifyPage(theme: PageTheme, account: AccountFacts): string {
  const texts = theme.language.texts.pages.verify
  return buttonPage(theme, texts, aboutAccount(theme, texts.body, account))
}

/** For the same person, if nothing else will let them in: with a first password. */
export function firstPasswordPage(
  theme: PageTheme,
  { lengths, faults, ...account }: AccountFacts & { lengths: PasswordLengths; faults: readonly FieldError[] },
): string {
  const { verify, verify_elsewhere } = theme.language.texts.pages
  return formPage(
    theme,
    verify.heading,
    `<p>${aboutAccount(theme, verify.body, account)}</p>
<p>${escapeHtml(verify.first_password)}</p>
${otherFaults(faults, newFields)}
${newPasswordForm(theme, { username: account.username ?? account.email, lengths, faults, button: verify_elsewhere.new_button })}
<p class="hint">${escapeHtml(verify.otherwise)}</p>`,
    faults,
  )
}

/** What shows who made an account, and what a new password would remove. */
interface ElsewhereFacts extends AccountFacts {
  hasPassword: boolean
  /** Where a browser gets what it needs to use a passkey of the account; `null` if none can be used. */
  passkeyUrl: string | null
  /** Whether logging in to the account here is another way to show it. */
  canLogIn: boolean
  removes: Removed | null
  lengths: PasswordLengths
  faults?: readonly FieldError[]
}

/**
 * For anybody else: asks for what was set when the account was made, or for a new password. Both forms POST to
 * the page's own URL.
 */
export function verifyElsewherePage(theme: PageTheme, facts: ElsewhereFacts): string {
  const { email, hasPassword, passkeyUrl, canLogIn, faults = [] } = facts
  const { say, texts } = theme.language
  const own = texts.pages.verify_elsewhere
  const heading = say(own.heading, { email })
  const body = hasPassword ? own.body : passkeyUrl === null ? own.body_neither : own.body_passkey
  const hint = canLogIn ? `<p class="hint">${escapeHtml(own.hint)}</p>` : ''
  const anew = anewForm(theme, facts)
  return formPage(
    theme,
    heading,
    `<p>${aboutAccount(theme, body, facts)}</p>
${otherFaults(faults, [...(hasPassword ? ['password'] : []), ...newFields])}
${hasPassword ? passwordForm(theme, facts) : ''}
${passkeyUrl === null ? '' : passkeyButton(theme, passkeyUrl)}
${hasPassword || passkeyUrl !== null ? hint + foldedAway(own.new, anew, faults) : anew + hint}
<p class="hint">${escapeHtml(own.otherwise)}</p>`,
    faults,
  )
}

const newFields = ['new_password', 'confirm_password']

/** Opens without a script; open already if the form had errors. */
function foldedAway(summary: string, form: string, faults: readonly FieldError[]): string {
  const isOpen = faults.some(({ field }) => newFields.includes(field))
  return `<details${isOpen ? ' open' : ''}>
<summary>${escapeHtml(summary)}</summary>
${form}
</details>`
}

function passwordForm(theme: PageTheme, { username, email, faults = [] }: ElsewhereFacts): string {
  const { password, button } = theme.language.texts.pages.verify_elsewhere
  return `<form method="post">
${usernameForManagers(username ?? email)}
${passwordField({ name: 'password', label: password, kind: { current: true }, faults })}
<button type="submit">${escapeHtml(button)}</button>
</form>`
}

function anewForm(theme: PageTheme, facts: ElsewhereFacts): string {
  const { username, email, removes, lengths, faults = [] } = facts
  const { new_body, new_button: button } = theme.language.texts.pages.verify_elsewhere
  return `<p>${escapeHtml(new_body)}</p>
${removedList(theme, 'before', removes)}
${newPasswordForm(theme, { username: username ?? email, lengths, faults, button })}`
}

/** @param facts.byEmail whether the account is only logged in to with what is emailed */
export function verifiedPage(
  theme: PageTheme,
  { username, byEmail }: { username: string | null; byEmail: boolean },
): string {
  const { heading, body, body_email } = theme.language.texts.pages.verified
  return endPage(theme, heading, `<p>${withUsername(theme, byEmail ? body_email : body, username)}</p>`)
}

function aboutAccount(theme: PageTheme, text: string, { username, email, createdAt }: AccountFacts): string {
  const { language, brand } = theme
  const created = language.date(createdAt, brand.timeZone)
  return withUsername(theme, language.say(text, { created }), username, email)
}
