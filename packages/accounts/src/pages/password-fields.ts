import type { FieldError } from '../errors.js'
import { escapeHtml } from './html.js'
import { page } from './layout.js'
import type { PageTheme } from './theme.js'

/** The length limits of a new password, as the policy counts. */
export interface PasswordLengths {
  minLength: number
  maxLength: number
}

/** Tells a password manager whose password it generates or fills in. It has no name, so it isn't sent. */
export function usernameForManagers(username: string | null): string {
  return username === null
    ? ''
    : `<input type="text" autocomplete="username" value="${escapeHtml(username)}" readonly hidden>`
}

/**
 * A password field with its hint and error. No `maxlength`, because browsers silently truncate. `minlength`
 * counts UTF-16 units, which are never fewer than code points, so it rejects nothing that the policy accepts.
 */
export function passwordField(facts: {
  name: string
  label: string
  /** The current one, or a new one. */
  kind: { current: true } | { lengths: PasswordLengths; hint?: string }
  faults: readonly FieldError[]
}): string {
  const { name, label, kind, faults } = facts
  const fault = faults.find((each) => each.field === name)
  // An error with the same text replaces the hint.
  const hint = 'hint' in kind && kind.hint !== fault?.message ? kind.hint : undefined
  const described = [...(hint ? [`${name}-hint`] : []), ...(fault ? [`${name}-fault`] : [])].join(' ')
  const attributes = [
    ...('lengths' in kind
      ? [
          'autocomplete="new-password"',
          `minlength="${kind.lengths.minLength}"`,
          // For password managers, so generated passwords are accepted (Apple's password rules).
          `passwordrules="minlength: ${kind.lengths.minLength}; maxlength: ${kind.lengths.maxLength}; allowed: ascii-printable;"`,
        ]
      : ['autocomplete="current-password"']),
    ...(described ? [`aria-describedby="${described}"`] : []),
    ...(fault ? ['aria-invalid="true"'] : []),
  ].join(' ')
  return [
    `<label for="${name}">${escapeHtml(label)}</label>`,
    `<input id="${name}" name="${name}" type="password" required ${attributes}>`,
    ...(hint ? [`<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>`] : []),
    ...(fault ? [`<p class="fault" id="${name}-fault">${escapeHtml(fault.message)}</p>`] : []),
  ].join('\n')
}

/**
 * The form for a new password.
 * @param facts.action the path that it POSTs to. Default: the page's own URL
 * @param facts.current HTML above: the field of the current password, or of a username to choose
 * @param facts.more HTML: what else the form asks
 */
export function newPasswordForm(
  { language: { say, texts }, frame }: PageTheme,
  facts: {
    action?: string
    username: string | null
    lengths: PasswordLengths
    faults: readonly FieldError[]
    button: string
    current?: string
    more?: string
  },
): string {
  const { action, username, lengths, faults, button, current = '', more = '' } = facts
  const { new_password, confirm_password } = texts.pages.reset_form
  const hint = say(texts.details.min_length, { count: lengths.minLength })
  return `<form method="post"${action === undefined ? '' : ` action="${escapeHtml(action)}"`}>
${usernameForManagers(username)}
${current}
${passwordField({ name: 'new_password', label: new_password, kind: { lengths, hint }, faults })}
${frame.repeatsPasswords ? passwordField({ name: 'confirm_password', label: confirm_password, kind: { lengths }, faults }) : ''}
${more}
<button type="submit">${escapeHtml(button)}</button>
</form>`
}

/** A page with a form, whose title says that there are errors. */
export function formPage(
  theme: PageTheme,
  heading: string,
  main: string,
  faults: readonly FieldError[],
): string {
  return page(theme, heading, main, faults)
}

/** The errors of fields that a form doesn't have. */
export function otherFaults(faults: readonly FieldError[], names: readonly string[]): string {
  return faults
    .filter((each) => !names.includes(each.field))
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .map((line) => `<p class="fault" role="alert">${escapeHtml(line)}</p>`)
    .join('\n')
}
