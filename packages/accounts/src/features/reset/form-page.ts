import type { FieldError } from '../../errors.js'
import { escapeHtml } from '../../pages/html.js'
import { page, withUsername } from '../../pages/layout.js'
import {
  otherFaults,
  type PasswordLengths,
  passwordField,
  usernameForManagers,
} from '../../pages/password-fields.js'
import type { PageTheme } from '../../pages/theme.js'

/** The form for a new password; it POSTs to its own URL. */
export function resetFormPage(
  theme: PageTheme,
  facts: { username: string | null; lengths: PasswordLengths; faults?: readonly FieldError[] },
): string {
  const { username, lengths, faults = [] } = facts
  const { say, texts } = theme.language
  const { heading, account, new_password, confirm_password, button } = texts.pages.reset_form
  const hint = say(texts.details.min_length, { count: lengths.minLength })
  return page(
    theme,
    heading,
    `<p>${withUsername(theme, account, username)}</p>
${otherFaults(faults, ['new_password', 'confirm_password'])}
<form method="post">
${usernameForManagers(username)}
${passwordField({ name: 'new_password', label: new_password, kind: { lengths, hint }, faults })}
${passwordField({ name: 'confirm_password', label: confirm_password, kind: { lengths }, faults })}
<button type="submit">${escapeHtml(button)}</button>
</form>`,
    // A screen reader reads the title first, so it says that there are errors.
    faults.length === 0 ? heading : say(texts.pages.faulty, { title: heading }),
  )
}
