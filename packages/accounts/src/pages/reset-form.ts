import type { FieldError } from '../errors.js'
import { escapeHtml } from '../html.js'
import { page } from './layout.js'

/** The form in which a new password is chosen; it POSTs to its own address. */
export function resetFormPage(facts: {
  username: string
  minLength: number
  maxLength: number
  faults?: readonly FieldError[]
}): string {
  const { username, minLength, maxLength, faults = [] } = facts
  const title = faults.length === 0 ? 'Choose a new password' : 'Error: choose a new password'
  const lengths = `minlength="${minLength}" maxlength="${maxLength}"`

  function field(name: string, label: string, hint?: string): string {
    const fault = faults.find((each) => each.field === name)
    const described = [...(hint ? [`${name}-hint`] : []), ...(fault ? [`${name}-fault`] : [])].join(' ')
    const aria = `${described ? ` aria-describedby="${described}"` : ''}${fault ? ' aria-invalid="true"' : ''}`
    return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required ${lengths}${aria}>
${hint ? `<p class="hint" id="${name}-hint">${hint}</p>` : ''}
${fault ? `<p class="fault" id="${name}-fault">${escapeHtml(fault.message)}</p>` : ''}`
  }

  const other = faults.filter((each) => each.field !== 'new_password' && each.field !== 'confirm_password')
  return page(
    title,
    `<p class="who">For the account <strong>${escapeHtml(username)}</strong>.</p>
${other.map((each) => `<p class="fault" role="alert">${escapeHtml(`${each.field}: ${each.message}`)}</p>`).join('\n')}
<form method="post">
<input type="hidden" name="username" value="${escapeHtml(username)}" autocomplete="username" disabled>
${field('new_password', 'New password', `At least ${minLength} characters.`)}
${field('confirm_password', 'New password, again')}
<button type="submit">Set the password</button>
</form>`,
  )
}
