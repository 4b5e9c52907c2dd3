import { type Html, html } from '../html.js'
import type { ButtonKind } from './buttons.js'

/**
 * The action of a row, for screen readers with what it is about: many rows have the same.
 * @param about what the row is about
 */
export const rowLink = (label: string, to: string, about: string): Html =>
  html`<a data-part="button" data-kind="link" href="${to}" aria-label="${label}: ${about}">${label}</a>`

/** The same as a button of a form. */
export const rowButton = (
  label: string,
  about: string,
  { name, value, kind = 'quiet' }: { name: string; value: string; kind?: ButtonKind },
): Html =>
  html`<button type="submit" data-part="button" data-kind="${kind}" name="${name}" value="${value}" aria-label="${label}: ${about}">${label}</button>`
