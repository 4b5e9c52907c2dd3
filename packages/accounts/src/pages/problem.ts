import type { FieldError } from '../errors.js'
import { escapeHtml } from './html.js'
import { endPage } from './layout.js'
import type { Problem } from './page-content.js'
import { otherFaults } from './password-fields.js'
import type { PageTheme } from './theme.js'

/** The page that a browser gets if a link page fails. It lists the fields at fault, as there is no form that shows them. */
export function problemPage(
  theme: PageTheme,
  facts: {
    title: string
    message: string
    fields?: readonly FieldError[]
    /** For a frame. */
    problem: Problem
  },
): string {
  const { title, message, fields = [], problem } = facts
  const { language, brand, frame } = theme
  if (frame !== null) return frame.page(theme, frame.problem(theme, problem, { title, message }))
  const ask = language.say(language.texts.pages.problem.ask, { site: brand.name })
  const listed = fields.length > 0 ? `${otherFaults(fields, [])}<p>${escapeHtml(ask)}</p>` : ''
  return endPage(theme, title, `<p>${escapeHtml(message)}</p>${listed}`)
}
