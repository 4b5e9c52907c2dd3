import { escapeHtml } from '../../pages/html.js'
import { endPage, withUsername } from '../../pages/layout.js'
import { type NewOwnerForm, newOwnerFields, newOwnerForm } from '../../pages/new-owner-fields.js'
import { formPage, otherFaults } from '../../pages/password-fields.js'
import type { PageTheme } from '../../pages/theme.js'

export function resetFormPage(
  theme: PageTheme,
  /** With the names of the API keys that go on working. */
  facts: NewOwnerForm & { keys: readonly string[] },
): string {
  const { username, faults, keys, asksUsername } = facts
  const { heading, account, button } = theme.language.texts.pages.reset_form
  return formPage(
    theme,
    heading,
    `${asksUsername ? '' : `<p>${withUsername(theme, account, username)}</p>`}
${otherFaults(faults, newOwnerFields(facts))}
${newOwnerForm(theme, { ...facts, button }, keysField(theme, keys))}`,
    faults,
  )
}

/** Programs go on with their keys, unless the owner ends them here. */
function keysField({ language }: PageTheme, keys: readonly string[]): string {
  if (keys.length === 0) return ''
  const { keys_heading, keys_label } = language.texts.pages.reset_keys
  const names = keys.map((name) => `<li>${escapeHtml(name)}</li>`).join('\n')
  return `<p>${escapeHtml(keys_heading)}</p>
<ul>
${names}
</ul>
<label class="check"><input type="checkbox" name="end_api_keys"> ${escapeHtml(keys_label)}</label>`
}

export function resetDonePage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.reset_done
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`, { logIn: true })
}
