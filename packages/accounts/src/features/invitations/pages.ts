import type { FieldError } from '../../errors.js'
import { escapeHtml } from '../../pages/html.js'
import { endPage, withUsername } from '../../pages/layout.js'
import { profileField, usernameField } from '../../pages/new-owner-fields.js'
import { formPage, newPasswordForm, otherFaults, type PasswordLengths } from '../../pages/password-fields.js'
import type { PageTheme } from '../../pages/theme.js'
import type { NewOwnersChoice } from '../../users/ownership/new-owners-choice.js'

export function invitationPage(
  theme: PageTheme,
  facts: {
    email: string
    asksUsername: boolean
    profile: NewOwnersChoice['profile']
    lengths: PasswordLengths
    faults: readonly FieldError[]
    typed: Readonly<Record<string, string>>
  },
): string {
  const { email, asksUsername, profile, lengths, faults, typed } = facts
  const { say, texts } = theme.language
  const { heading, body, button, otherwise } = texts.pages.invitation
  const title = say(heading, { site: theme.brand.name })
  const names = ['new_password', 'confirm_password', ...(asksUsername ? ['username'] : [])]
  const form = newPasswordForm(theme, {
    username: asksUsername ? null : email,
    lengths,
    faults,
    button,
    current: asksUsername ? usernameField(theme, faults, typed.username) : '',
    more: profileField(theme, profile, typed.profile),
  })
  return formPage(
    theme,
    title,
    `<p>${withUsername(theme, body, null, email)}</p>
${otherFaults(faults, names)}
${form}
<p class="hint">${escapeHtml(otherwise)}</p>`,
    faults,
  )
}

export function acceptedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.invitation_accepted
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
