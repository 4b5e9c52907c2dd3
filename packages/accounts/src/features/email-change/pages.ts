import type { Removed } from '../../languages/removed.js'
import { escapeHtml } from '../../pages/html.js'
import { buttonPage, endPage, withUsername } from '../../pages/layout.js'
import { removedList } from '../../pages/removed.js'
import type { PageTheme } from '../../pages/theme.js'

export interface EmailPageFacts {
  /** `null` for an account without a name to show; never its other address, which isn't the reader's. */
  username: string | null
  email: string
  /** What the link removes, or has removed. */
  removed: Removed | null
}

type Kind = 'email_change' | 'email_undo' | 'email_keep' | 'email_release'

const asking =
  (kind: Kind) =>
  (theme: PageTheme, { username, email, removed }: EmailPageFacts, below: string = ''): string => {
    const texts = theme.language.texts.pages[kind]
    const above = removedList(theme, 'before', removed)
    return buttonPage(theme, texts, withUsername(theme, texts.body, username, email), { above, below })
  }

const telling =
  (kind: 'email_changed' | 'email_undone' | 'email_kept' | 'email_released') =>
  (theme: PageTheme, { username, email, removed }: EmailPageFacts): string => {
    const { heading, body } = theme.language.texts.pages[kind]
    const list = removedList(theme, 'after', removed)
    return endPage(theme, heading, `<p>${withUsername(theme, body, username, email)}</p>\n${list}`)
  }

/** A page about an address and the account that has it, or will have it. */
export type EmailPage = (theme: PageTheme, facts: EmailPageFacts) => string

export const emailChangePage: EmailPage = (theme, facts) => asking('email_change')(theme, facts)
export const emailConfirmedPage: EmailPage = telling('email_changed')
/** Links to the page that invalidates the undo link: a second button next to the first would be clicked by mistake. */
export function emailUndoPage(
  theme: PageTheme,
  { keepUrl, ...facts }: EmailPageFacts & { keepUrl: string },
): string {
  const { keep } = theme.language.texts.pages.email_undo
  const link = `<a href="${escapeHtml(keepUrl)}">${escapeHtml(keep)}</a>`
  return asking('email_undo')(theme, facts, `<p class="hint">${link}</p>`)
}
export const emailUndonePage: EmailPage = telling('email_undone')
export const emailKeepPage: EmailPage = (theme, facts) => asking('email_keep')(theme, facts)
export const emailKeptPage: EmailPage = telling('email_kept')
export const emailReleasePage: EmailPage = (theme, facts) => asking('email_release')(theme, facts)
export const emailReleasedPage: EmailPage = telling('email_released')
