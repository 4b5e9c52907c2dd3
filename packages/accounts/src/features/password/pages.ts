import type { FieldError } from '../../errors.js'
import { escapeHtml } from '../../pages/html.js'
import { endPage, withUsername } from '../../pages/layout.js'
import {
  formPage,
  newPasswordForm,
  otherFaults,
  type PasswordLengths,
  passwordField,
} from '../../pages/password-fields.js'
import type { PageTheme } from '../../pages/theme.js'

/** The form in which a logged-in user changes the password; it POSTs to its own URL. */
export function changeFormPage(
  theme: PageTheme,
  facts: {
    username: string | null
    /** Whether there is no password yet. */
    isFirst: boolean
    lengths: PasswordLengths
    faults?: readonly FieldError[]
  },
): string {
  const { username, isFirst, lengths, faults = [] } = facts
  const { change_form, reset_form } = theme.language.texts.pages
  const { heading, old_password, button } = change_form
  const current = isFirst
    ? ''
    : passwordField({ name: 'old_password', label: old_password, kind: { current: true }, faults })
  return formPage(
    theme,
    heading,
    `<p>${withUsername(theme, reset_form.account, username)}</p>
${otherFaults(faults, [...(isFirst ? [] : ['old_password']), 'new_password', 'confirm_password'])}
${newPasswordForm(theme, { username, lengths, faults, button, current })}`,
    faults,
  )
}

export function passwordChangedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.changed
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
