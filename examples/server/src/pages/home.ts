import { type Html, html } from '../html.js'
import type { Link } from '../site.js'

/** What the first page shows of somebody who is logged in. */
interface Greeted {
  name: string | null
  roles: readonly string[]
}

/**
 * The first page of the app: for people who are logged in, what there is for them.
 * @param links with whole paths
 */
export function homePage(user: Greeted | null, links: readonly Link[]): Html {
  const list = html`<ul>${links.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>`
  if (user === null)
    return html`<h1>An app with accounts</h1>
<p>Its pages to log in, sign up and manage an account are those of fastify-accounts, in the frame of this app.</p>
${list}`
  return html`<h1>Hello${user.name === null ? null : html` <bdi>${user.name}</bdi>`}</h1>
${user.roles.length === 0 ? null : html`<p id="own-roles">Your roles: ${user.roles.map((role) => html`<span class="badge good">${role}</span> `)}</p>`}
${list}`
}
