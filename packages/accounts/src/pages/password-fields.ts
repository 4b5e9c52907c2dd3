import type { FieldError } from '../errors.js'
import { escapeHtml } from './html.js'

/** What a new password must be like, as the policy counts it. */
export interface PasswordLengths {
  minLength: number
  maxLength: number
}

/**
 * Tells a password manager whose password it is about to make or to fill in. It has no name, so that it is not sent.
 */
export function usernameForManagers(username: string | null): string {
  return username === null
    ? ''
    : `<input type="text" autocomplete="username" value="${escapeHtml(username)}" readonly hidden>`
}

/**
 * A field for a password, with its hint and its fault. No `maxlength`: a browser would cut a long password without a
 * word. `minlength` counts UTF-16 units, of which there are never less than code points, so it refuses nothing that
 * the policy takes.
 */
export function passwordField(facts: {
  name: string
  label: string
  /** The one that is there already, or a new one. */
  kind: { current: true } | { lengths: PasswordLengths; hint?: string }
  faults: readonly FieldError[]
}): string {
  const { name, label, kind, faults } = facts
  const fault = faults.find((each) => each.field === name)
  // A fault that says what the hint says stands in its place.
  const hint = 'hint' in kind && kind.hint !== fault?.message ? kind.hint : undefined
  const described = [...(hint ? [`${name}-hint`] : []), ...(fault ? [`${name}-fault`] : [])].join(' ')
  const attributes = [
    ...('lengths' in kind
      ? [
          'autocomplete="new-password"',
          `minlength="${kind.lengths.minLength}"`,
          // For password managers, so that what they make up is taken (Apple's password rules).
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

/** The faults of fields that a form does not have. */
export function otherFaults(faults: readonly FieldError[], names: readonly string[]): string {
  return faults
    .filter((each) => !names.includes(each.field))
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .map((line) => `<p class="fault" role="alert">${escapeHtml(line)}</p>`)
    .join('\n')
}
