import type { FieldError } from '../../errors.js'
import { escapeHtml } from '../../pages/html.js'
import { endPage, withUsername } from '../../pages/layout.js'
import { formPage, newPasswordForm, otherFaults, type PasswordLengths } from '../../pages/password-fields.js'
import type { PageTheme } from '../../pages/theme.js'

export function invitationPage(
  theme: PageTheme,
  facts: {
    email: string
    asksUsername: boolean
    lengths: PasswordLengths
    faults: readonly FieldError[]
  },
): string {
  const { email, asksUsername, lengths, faults } = facts
  const { say, texts } = theme.language
  const { heading, body, button, otherwise } = texts.pages.invitation
  const title = say(heading, { site: theme.brand.name })
  const names = ['new_password', 'confirm_password', ...(asksUsername ? ['username'] : [])]
  const form = newPasswordForm(theme, {
    username: asksUsername ? null : email,
    lengths,
    faults,
    button,
    current: asksUsername ? usernameField(theme, faults) : '',
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

function usernameField({ language }: PageTheme, faults: readonly FieldError[]): string {
  const fault = faults.find(({ field }) => field === 'username')
  const described = fault ? ' aria-invalid="true" aria-describedby="username-fault"' : ''
  return [
    `<label for="username">${escapeHtml(language.texts.pages.invitation.username)}</label>`,
    `<input id="username" name="username" type="text" autocomplete="username" maxlength="150" required${described}>`,
    ...(fault ? [`<p class="fault" id="username-fault">${escapeHtml(fault.message)}</p>`] : []),
  ].join('\n')
}

export function acceptedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.invitation_accepted
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
