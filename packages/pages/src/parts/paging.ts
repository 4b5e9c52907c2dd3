import { type Html, html, nothing } from '../html.js'

/** Leads on in a list; nothing on its last page. */
export const nextPage = (label: string, to: string | null): Html =>
  to === null ? nothing : html`<p data-part="paging"><a href="${to}" rel="next">${label}</a></p>`
