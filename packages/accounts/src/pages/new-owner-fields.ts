import type { FieldError } from '../errors.js'
import type { JsonValue } from '../user.js'
import { escapeHtml } from './html.js'
import { newPasswordForm, type PasswordLengths } from './password-fields.js'
import type { PageTheme } from './theme.js'

/** What a form for a new password asks somebody who may not have made the account. */
export interface NewOwnerForm {
  /** Whose password it will be, for password managers. */
  username: string | null
  asksUsername: boolean
  /** What a former maker of the account entered; `null` if nothing is there. */
  profile: Readonly<Record<string, JsonValue>> | null
  lengths: PasswordLengths
  faults: readonly FieldError[]
  typed: Readonly<Record<string, string>>
}

/** The names of its fields that may have an error. */
export const newOwnerFields = ({ asksUsername }: Pick<NewOwnerForm, 'asksUsername'>): string[] => [
  ...(asksUsername ? ['username'] : []),
  ...['new_password', 'confirm_password'],
]

/** @param more HTML: what else it asks */
export function newOwnerForm(
  theme: PageTheme,
  facts: NewOwnerForm & { button: string; action?: string },
  more = '',
): string {
  const { username, asksUsername, profile, faults, typed } = facts
  return newPasswordForm(theme, {
    ...facts,
    username: asksUsername ? null : username,
    current: asksUsername ? usernameField(theme, faults, typed.username) : '',
    more: `${profileField(theme, profile, typed.profile)}${more}`,
  })
}

/** The field of a username to choose. */
function usernameField({ language }: PageTheme, faults: readonly FieldError[], typed = ''): string {
  const fault = faults.find(({ field }) => field === 'username')
  const described = fault ? ' aria-invalid="true" aria-describedby="username-fault"' : ''
  return [
    `<label for="username">${escapeHtml(language.texts.pages.new_owner.username)}</label>`,
    `<input id="username" name="username" type="text" autocomplete="username" maxlength="150" required value="${escapeHtml(typed)}"${described}>`,
    ...(fault ? [`<p class="fault" id="username-fault">${escapeHtml(fault.message)}</p>`] : []),
  ].join('\n')
}

/** The most characters of a value that a page shows. */
const longest = 200

/** What a former maker of the account entered, and a box that removes it. Nothing if there is nothing. */
function profileField({ language }: PageTheme, profile: NewOwnerForm['profile'], typed?: string): string {
  if (profile === null) return ''
  const { profile_heading, profile_label } = language.texts.pages.new_owner
  return `<p>${escapeHtml(profile_heading)}</p>
<ul>
${fieldLines(profile)}
</ul>
<label class="check"><input type="checkbox" name="profile" value="drop"${typed === 'drop' ? ' checked' : ''}> ${escapeHtml(profile_label)}</label>`
}

/** Own fields as lines of a list. */
export function fieldLines(fields: Readonly<Record<string, JsonValue>>): string {
  const lines = Object.entries(fields).map(
    ([name, value]) => `<li>${escapeHtml(`${name}: ${shown(value)}`)}</li>`,
  )
  return lines.join('\n')
}

function shown(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
