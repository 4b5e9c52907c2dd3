import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import { html } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { dated } from '../parts/moments.js'
import { paragraph } from '../parts/notes.js'
import { rowForm } from '../parts/row-buttons.js'
import { empty, named, type Row, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { removed } from './kept-thing.js'
import { type BodyOf, readOf } from './operations.js'

type ApiKey = BodyOf<'listApiKeys'>['results'][number]

export const apiKeysPath = '/account/api-keys/'

/** The keys with which programs act for an account. */
export function apiKeysPage(site: Site): PageRoute {
  return formPage(site, {
    path: apiKeysPath,
    access: 'logged-in',
    async view(visit) {
      const { way_pages: own, account_pages, frame } = visit.client.language.texts.pages
      const { results } = await readOf(visit, 'listApiKeys')
      const main = html`${paragraph(own.api_keys_about)}
${
  results.length === 0
    ? empty(own.no_api_keys)
    : rows(
        null,
        results.map((each) => rowOf(site, visit, each)),
      )
}
${linkButton(own.api_key_new, site.pathOf(`${apiKeysPath}new/`))}`
      return {
        ...{ page: 'account-api-keys', kind: 'account', heading: account_pages.api_keys, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    // Without asking: it protects, and a leaked key has to go quickly.
    async act(visit, { id }) {
      await removed(visit.perform('removeApiKey', { params: { id } }))
      const { api_key_removed } = visit.client.language.texts.pages.way_pages
      return { to: site.pathOf(apiKeysPath), notice: api_key_removed }
    },
  })
}

function rowOf(
  site: Site,
  visit: PageVisit,
  { id, name, scopes, resource, expires_at, last_used_on }: ApiKey,
): Row {
  const { language } = visit.client
  const { way_pages: own } = language.texts.pages
  const hasExpired = Date.parse(expires_at) <= Date.now()
  const used = last_used_on === null ? own.not_used : dated(site, language, own.last_used, last_used_on)
  const may = html`<div>${language.list(scopes)}${resource !== null && html` (<bdi>${resource}</bdi>)`}</div>`
  return {
    label: named(name),
    value: html`${may}<div>${dated(site, language, own.expires, expires_at)} · ${used}</div>`,
    ...(hasExpired && { badge: own.expired }),
    action: rowForm(visit, own.remove, name, id),
  }
}
