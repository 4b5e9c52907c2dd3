import type { FieldError } from '../../errors.js'
import type { Removed } from '../../languages/removed.js'
import { escapeHtml } from '../../pages/html.js'
import { buttonPage, endPage, withUsername } from '../../pages/layout.js'
import { type NewOwnerForm, newOwnerFields, newOwnerForm } from '../../pages/new-owner-fields.js'
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
import { type PasskeyUrls, passkeyButton } from './passkey-button.js'

/** The account whose address is to be confirmed. */
interface AccountFacts {
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
  facts: AccountFacts & { action: string; lengths: PasswordLengths; faults: readonly FieldError[] },
): string {
  const { action, lengths, faults, ...account } = facts
  const { verify, verify_elsewhere } = theme.language.texts.pages
  return formPage(
    theme,
    verify.heading,
    `<p>${aboutAccount(theme, verify.body, account)}</p>
<p>${escapeHtml(verify.first_password)}</p>
${otherFaults(faults, ['new_password', 'confirm_password'])}
${newPasswordForm(theme, { action, username: account.username ?? account.email, lengths, faults, button: verify_elsewhere.new_button })}
<p class="hint">${escapeHtml(verify.otherwise)}</p>`,
    faults,
  )
}

/** What shows who made an account, and what a new password would remove. */
interface ElsewhereFacts extends AccountFacts, NewOwnerForm {
  hasPassword: boolean
  /** `null` if no passkey of the account can be used. */
  passkey: PasskeyUrls | null
  /** Whether logging in to the account here is another way to show it. */
  canLogIn: boolean
  removes: Removed | null
  /** Where the forms POST to. */
  actions: { password: string; newPassword: string }
}

/** For anybody else: asks for what was set when the account was made, or for a new password. */
export function verifyElsewherePage(theme: PageTheme, facts: ElsewhereFacts): string {
  const { email, hasPassword, passkey, canLogIn, faults } = facts
  const { say, texts } = theme.language
  const own = texts.pages.verify_elsewhere
  const heading = say(own.heading, { email })
  const body = hasPassword ? own.body : passkey === null ? own.body_neither : own.body_passkey
  const hint = canLogIn ? `<p class="hint">${escapeHtml(own.hint)}</p>` : ''
  const anew = anewForm(theme, facts)
  const isOpen = faults.some(({ field }) => newOwnerFields(facts).includes(field))
  return formPage(
    theme,
    heading,
    `<p>${aboutAccount(theme, body, facts)}</p>
${otherFaults(faults, [...(hasPassword ? ['password'] : []), ...newOwnerFields(facts)])}
${hasPassword ? passwordForm(theme, facts) : ''}
${passkey === null ? '' : passkeyButton(theme, passkey)}
${hasPassword || passkey !== null ? hint + foldedAway(own.new, anew, isOpen) : anew + hint}
<p class="hint">${escapeHtml(own.otherwise)}</p>`,
    faults,
  )
}

/** Opens without a script. */
function foldedAway(summary: string, form: string, isOpen: boolean): string {
  return `<details${isOpen ? ' open' : ''}>
<summary>${escapeHtml(summary)}</summary>
${form}
</details>`
}

function passwordForm(theme: PageTheme, { username, email, actions, faults }: ElsewhereFacts): string {
  const { password, button } = theme.language.texts.pages.verify_elsewhere
  return `<form method="post" action="${escapeHtml(actions.password)}">
${usernameForManagers(username ?? email)}
${passwordField({ name: 'password', label: password, kind: { current: true }, faults })}
<button type="submit">${escapeHtml(button)}</button>
</form>`
}

function anewForm(theme: PageTheme, facts: ElsewhereFacts): string {
  const { username, email, removes, actions } = facts
  const { new_body, new_button: button } = theme.language.texts.pages.verify_elsewhere
  return `<p>${escapeHtml(new_body)}</p>
${removedList(theme, 'before', removes)}
${newOwnerForm(theme, { ...facts, action: actions.newPassword, username: username ?? email, button })}`
}

/**
 * @param facts.byEmail whether the account is only logged in to with what is emailed
 * @param facts.isIn whether it is logged in to
 */
export function verifiedPage(
  theme: PageTheme,
  { username, byEmail, isIn }: { username: string | null; byEmail: boolean; isIn: boolean },
): string {
  const { heading, body, body_email } = theme.language.texts.pages.verified
  const words = `<p>${withUsername(theme, byEmail ? body_email : body, username)}</p>`
  return endPage(theme, heading, isIn ? '' : words, isIn ? 'app' : { logIn: true })
}

function aboutAccount(theme: PageTheme, text: string, { username, email, createdAt }: AccountFacts): string {
  const { language, brand } = theme
  const created = language.date(createdAt, brand.timeZone)
  return withUsername(theme, language.say(text, { created }), username, email)
}
