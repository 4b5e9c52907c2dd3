import type { FieldError } from '../errors.js'
import { escapeHtml } from '../html.js'
import { page } from './layout.js'

/**
 * The form in which a new password is chosen; it POSTs to its own address. No `maxlength`: a browser
 * would cut a long password without a word.
 */
export function resetFormPage(facts: {
  username: string
  minLength: number
  faults?: readonly FieldError[]
}): string {
  const { username, minLength, faults = [] } = facts
  const heading = 'Choose a new password'

  function field(name: string, label: string, hint?: string): string {
    const fault = faults.find((each) => each.field === name)
    const described = [...(hint ? [`${name}-hint`] : []), ...(fault ? [`${name}-fault`] : [])].join(' ')
    const aria = `${described ? ` aria-describedby="${described}"` : ''}${fault ? ' aria-invalid="true"' : ''}`
    return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required minlength="${minLength}"${aria}>
${hint ? `<p class="hint" id="${name}-hint">${hint}</p>` : ''}
${fault ? `<p class="fault" id="${name}-fault">${escapeHtml(fault.message)}</p>` : ''}`
  }

  const other = faults.filter((each) => each.field !== 'new_password' && each.field !== 'confirm_password')
  return page(
    heading,
    `<p class="who">For the account <strong>${escapeHtml(username)}</strong>.</p>
${other.map((each) => `<p class="fault" role="alert">${escapeHtml(`${each.field}: ${each.message}`)}</p>`).join('\n')}
<form method="post">
<input type="text" autocomplete="username" value="${escapeHtml(username)}" readonly hidden>
${field('new_password', 'New password', `At least ${minLength} characters.`)}
${field('confirm_password', 'New password, again')}
<button type="submit">Set the password</button>
</form>`,
    // A screen reader says the title first: that there are faults must not be found out by chance.
    faults.length === 0 ? heading : `Error: ${heading}`,
  )
}
