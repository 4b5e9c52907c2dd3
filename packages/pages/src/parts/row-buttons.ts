import type { PageVisit } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import { type Html, html } from '../html.js'
import { visitorOf } from '../visitor.js'
import { type ButtonKind, form } from './buttons.js'
import { hidden } from './fields.js'

/**
 * A button of a row's form. Its name says of what, as several rows have the same.
 * @param about what the row is about
 */
export const rowButton = (
  label: string,
  about: string,
  { name, value, kind = 'quiet' }: { name: string; value: string; kind?: ButtonKind },
): Html =>
  html`<button data-part="button" data-kind="${kind}" name="${name}" value="${value}" aria-label="${`${label}: ${about}`}">${label}</button>`

/** The whole form of a row that is one such button: it sends the `id` of the row. */
export const rowForm = (visit: PageVisit, label: string, about: string, id: string): Html =>
  form([hidden(byField, visitorOf(visit).id), rowButton(label, about, { name: 'id', value: id })])
