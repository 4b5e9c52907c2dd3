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

/** A page that asks, and the one after it, about an address and the account that has it, or will have it. */
export type AskingPage = 'email_change' | 'email_undo' | 'email_keep' | 'email_release'
export type DonePage = 'email_changed' | 'email_undone' | 'email_kept' | 'email_released'

export function askingPage(
  kind: AskingPage,
  theme: PageTheme,
  { username, email, removed }: EmailPageFacts,
  below: string,
): string {
  const texts = theme.language.texts.pages[kind]
  const above = removedList(theme, 'before', removed)
  return buttonPage(theme, texts, withUsername(theme, texts.body, username, email), { above, below })
}

export function donePage(
  kind: DonePage,
  theme: PageTheme,
  { username, email, removed }: EmailPageFacts,
): string {
  const { heading, body } = theme.language.texts.pages[kind]
  const list = removedList(theme, 'after', removed)
  return endPage(theme, heading, `<p>${withUsername(theme, body, username, email)}</p>\n${list}`)
}

/** To the page that invalidates the undo link: a second button next to the first would be clicked by mistake. */
export function keepLink({ language }: PageTheme, url: string): string {
  return `<p class="hint"><a href="${escapeHtml(url)}">${escapeHtml(language.texts.pages.email_undo.keep)}</a></p>`
}
