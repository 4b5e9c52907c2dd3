import { type Html, html } from '../html.js'
import type { ButtonKind } from './buttons.js'

/**
 * A button of a row's form. Its name says of what, as several rows have the same.
 * @param about what the row is about
 */
export const rowButton = (
  label: string,
  about: string,
  { name, value, kind = 'quiet' }: { name: string; value: string; kind?: ButtonKind },
): Html =>
  html`<button type="submit" data-part="button" data-kind="${kind}" name="${name}" value="${value}" aria-label="${`${label}: ${about}`}">${label}</button>`
