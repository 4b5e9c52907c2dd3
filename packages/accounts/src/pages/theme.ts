import { ownersName } from '../identifiers/account-name.js'
import type { Language } from '../languages/languages.js'
import type { Brand } from '../options/brand.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Client } from '../sessions/client.js'
import type { User } from '../user.js'
import type { PageContent, Problem, ProblemTexts } from './page-content.js'

/** The language and brand of a page. */
export interface PageTheme {
  language: Language
  brand: Brand
  /** The site's origin. Pages don't show a logo from elsewhere, so no other site learns about them. */
  origin: string
  /** What draws them. */
  frame: Frame
  /** The name of another account than the page is about, which is logged in where it is opened. A frame says so. Default: none. */
  visitor?: string | null
}

/** The same where somebody may be logged in, but not as the owner of what the page is about. */
export function besideVisitor(
  theme: PageTheme,
  options: Pick<ResolvedOptions, 'names'>,
  visitor: User | null,
  owner: Pick<User, 'id'> | null,
): PageTheme {
  const isOther = visitor !== null && visitor.id !== owner?.id
  return isOther ? { ...theme, visitor: ownersName(options, visitor) } : theme
}

/** Draws the pages of a mount: those of emailed links and of errors, in our own layout or as those of the feature that has pages. */
export interface Frame {
  /** Where people log in on a page; `null` without such a page. */
  readonly logInPath: string | null
  /** Whether a form asks for a new password twice, as it can't show it. */
  readonly repeatsPasswords: boolean
  /** A whole document. */
  page(theme: PageTheme, content: PageContent): string
  /**
   * The Content-Security-Policy of a page of a link.
   * @param script the one of the page, besides the frame's own. Default: none
   */
  policy(script?: string): string
  /** What an error page shows: what happened, and what can be done next. */
  problem(theme: PageTheme, problem: Problem, texts: ProblemTexts): PageContent
  /**
   * Keeps what a form has led to for the next page, so a reload sends nothing again.
   * @param make draws what is kept, with the theme that it gets
   * @returns the URL of that page; `null` if it is shown at once
   */
  keep(client: Client, make: (theme: PageTheme) => unknown, theme: PageTheme): string | null
}
