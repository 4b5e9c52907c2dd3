import { escapeHtml } from './html.js'
import type { PageContent } from './page-content.js'
import type { PageTheme } from './theme.js'

/**
 * A whole HTML page in the theme.
 * @param main HTML; escape everything that users or options provide
 * @param faults what is wrong with a form. A screen reader reads the title first, so it says that something is
 */
export function page(
  theme: PageTheme,
  heading: string,
  main: string,
  faults: NonNullable<PageContent['faults']> = [],
): string {
  return theme.frame.page(theme, { heading, main, faults })
}

/**
 * A page with one button that POSTs to its own URL, including the query: a mail scanner that opens links changes nothing.
 * @param texts as the language has them
 * @param body HTML
 * @param more HTML above the button, and at the end
 */
export function buttonPage(
  theme: PageTheme,
  texts: { heading: string; button: string; otherwise: string },
  body: string,
  { above = '', below = '' }: { above?: string; below?: string } = {},
): string {
  return page(
    theme,
    texts.heading,
    `<p>${body}</p>
${above}
<form method="post">
<button type="submit">${escapeHtml(texts.button)}</button>
</form>
<p class="hint">${escapeHtml(texts.otherwise)}</p>
${below}`,
  )
}

/**
 * A page that ends a flow.
 * @param onward where a frame with pages leads from there; without them, to the site if its URL is known
 */
export function endPage(
  theme: PageTheme,
  heading: string,
  main: string,
  onward: PageContent['onward'] = 'app',
): string {
  return theme.frame.page(theme, { heading, main, onward })
}

/**
 * A text as HTML, with a username and an address that stand out and keep their own writing direction.
 * @param username `null` leaves it out
 */
export function withUsername(
  { language }: PageTheme,
  text: string,
  username: string | null,
  email: string = '',
): string {
  const standingOut = (name: string | null): string | null =>
    name && `<strong><bdi>${escapeHtml(name)}</bdi></strong>`
  return language.say(escapeHtml(text), { username: standingOut(username), email: standingOut(email) })
}
