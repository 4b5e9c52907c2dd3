import { type Html, html, nothing } from '../html.js'
import type { ShownAccount } from './shown-account.js'

/** "Acme, Globex and 3 more": the first two names of several; "None" of none. */
export function namesInRow(
  { language: { say, texts } }: Pick<ShownAccount, 'language'>,
  names: readonly string[],
): Html {
  const { none, more } = texts.pages.account_pages
  const [first, second] = names
  if (first === undefined) return html`${none}`
  const others = names.length - 2
  const after = second === undefined ? nothing : html`, <bdi>${second}</bdi>`
  return html`<bdi>${first}</bdi>${after}${others > 0 && say(more, { count: others })}`
}
