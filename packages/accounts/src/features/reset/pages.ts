import type { FieldError } from '../../errors.js'
import { escapeHtml } from '../../pages/html.js'
import { endPage, withUsername } from '../../pages/layout.js'
import { formPage, newPasswordForm, otherFaults, type PasswordLengths } from '../../pages/password-fields.js'
import type { PageTheme } from '../../pages/theme.js'

export function resetFormPage(
  theme: PageTheme,
  facts: { username: string | null; lengths: PasswordLengths; faults: readonly FieldError[] },
): string {
  const { username, faults } = facts
  const { heading, account, button } = theme.language.texts.pages.reset_form
  return formPage(
    theme,
    heading,
    `<p>${withUsername(theme, account, username)}</p>
${otherFaults(faults, ['new_password', 'confirm_password'])}
${newPasswordForm(theme, { ...facts, button })}`,
    faults,
  )
}

export function resetDonePage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.reset_done
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
