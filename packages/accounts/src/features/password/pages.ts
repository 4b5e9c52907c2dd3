import type { FieldError } from '../../errors.js'
import { escapeHtml } from '../../pages/html.js'
import { endPage, page, withUsername } from '../../pages/layout.js'
import {
  otherFaults,
  type PasswordLengths,
  passwordField,
  usernameForManagers,
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
  const { say, texts } = theme.language
  const { heading, old_password, button } = texts.pages.change_form
  const { account, new_password, confirm_password } = texts.pages.reset_form
  const hint = say(texts.details.min_length, { count: lengths.minLength })
  return page(
    theme,
    heading,
    `<p>${withUsername(theme, account, username)}</p>
${otherFaults(faults, [...(isFirst ? [] : ['old_password']), 'new_password', 'confirm_password'])}
<form method="post">
${usernameForManagers(username)}
${isFirst ? '' : passwordField({ name: 'old_password', label: old_password, kind: { current: true }, faults })}
${passwordField({ name: 'new_password', label: new_password, kind: { lengths, hint }, faults })}
${passwordField({ name: 'confirm_password', label: confirm_password, kind: { lengths }, faults })}
<button type="submit">${escapeHtml(button)}</button>
</form>`,
    faults.length === 0 ? heading : say(texts.pages.faulty, { title: heading }),
  )
}

export function passwordChangedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.changed
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
