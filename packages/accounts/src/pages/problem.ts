import type { Problem, ProblemTexts } from './page-content.js'
import type { PageTheme } from './theme.js'

/** The page that a browser gets if a link page fails. */
export function problemPage(theme: PageTheme, problem: Problem, texts: ProblemTexts): string {
  return theme.frame.page(theme, theme.frame.problem(theme, problem, texts))
}
