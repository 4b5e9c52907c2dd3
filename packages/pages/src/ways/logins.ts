import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { goToProvider } from '../go-to-provider.js'
import { html } from '../html.js'
import { buttonForm } from '../parts/buttons.js'
import { dated } from '../parts/moments.js'
import { paragraph } from '../parts/notes.js'
import { providerName, providersOf } from '../parts/provider-buttons.js'
import { empty, named, type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { type KeptThing, removed, removing } from './kept-thing.js'
import { identitiesOf, type ListedIdentity } from './operations.js'

const list = '/account/logins/'

/** Milliseconds for which a login that has come back from its provider is new. */
const recent = 2 * 60_000

/** Logins with other providers. */
export function loginsPage(site: Site): PageRoute {
  return formPage(site, {
    path: list,
    access: 'logged-in',
    async view(visit) {
      const { say, texts } = visit.client.language
      const { way_pages: own, account_pages, frame } = texts.pages
      const identities = await identitiesOf(visit)
      const linked = linkedNow(visit, identities)
      const links = providersOf(site).map(({ name, label }) =>
        buttonForm({
          label: say(own.link, { provider: label }),
          fields: { [byField]: visitorOf(visit).id, provider: name },
        }),
      )
      const main = html`${paragraph(own.logins_about)}
${
  identities.length === 0
    ? empty(own.no_logins)
    : rows(
        null,
        identities.map((each) => rowOf(site, visit, each)),
      )
}
${links}`
      return {
        ...{ page: 'account-logins', kind: 'account', heading: account_pages.logins, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
        ...(linked && {
          notice: {
            tone: 'good' as const,
            text: say(own.linked, { provider: nameOf(site, visit, linked) }),
          },
        }),
      }
    },
    async act(visit, { provider = '' }) {
      const next = site.pathOf(list, { linked: provider })
      return goToProvider(site, visit, 'addIdentity', provider, next)
    },
  })
}

/** The one that the provider has just sent back; nobody else can have it said. */
function linkedNow({ query }: PageVisit, identities: readonly ListedIdentity[]): ListedIdentity | undefined {
  return identities.find(
    ({ provider, created_at }) =>
      provider === query.linked && created_at !== null && Date.now() - Date.parse(created_at) < recent,
  )
}

function nameOf(site: Site, { client }: PageVisit, { label, provider }: ListedIdentity): string {
  const shown = providerName(site, provider)
  return [shown ?? client.language.texts.pages.account_pages.another, label].filter(Boolean).join(': ')
}

function rowOf(site: Site, visit: PageVisit, identity: ListedIdentity): Row {
  const { language } = visit.client
  const { way_pages: own } = language.texts.pages
  const { id, created_at, last_used_at } = identity
  const name = nameOf(site, visit, identity)
  const times = [
    ...(created_at === null ? [] : [dated(site, language, own.added, created_at)]),
    last_used_at === null ? html`${own.not_used}` : dated(site, language, own.last_used, last_used_at),
  ]
  return {
    label: named(name),
    value: html`${times.map((each, at) => html`${at > 0 && ' · '}${each}`)}`,
    action: rowLink(own.remove, name, site.pathOf(`${list}${id}/remove/`)),
  }
}

export function removeLoginPage(site: Site): PageRoute {
  const login: KeptThing = {
    page: 'account-logins',
    list,
    async nameOf(visit) {
      const found = (await identitiesOf(visit)).find(({ id }) => id === visit.params.id)
      return found === undefined ? null : nameOf(site, visit, found)
    },
  }
  return formPage(site, {
    path: `${list}:id/remove/`,
    access: 'owner',
    view(visit) {
      const { way_pages: own } = visit.client.language.texts.pages
      return removing(site, visit, login, {
        heading: own.login_remove,
        about: own.login_remove_about,
        button: own.login_remove_button,
      })
    },
    async act(visit) {
      await removed(visit.perform('removeIdentity', { params: { id: visit.params.id } }))
      return { to: site.pathOf(list), notice: visit.client.language.texts.pages.way_pages.login_removed }
    },
  })
}
