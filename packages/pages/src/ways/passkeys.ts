import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { hidden } from '../parts/fields.js'
import { dated } from '../parts/moments.js'
import { paragraph } from '../parts/notes.js'
import { removedSentence } from '../parts/removed.js'
import { empty, named, type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { removed as gone, type KeptThing, removing, renaming } from './kept-thing.js'
import { type ListedPasskey, passkeysOf } from './operations.js'
import { addPasskey } from './passkey-parts.js'
import { removeScript, signalScript } from './passkey-scripts.js'

const list = '/account/passkeys/'

/** The passkeys of an account, and one more. */
export function passkeysPage(site: Site): PageRoute {
  return formPage(site, {
    path: list,
    access: 'logged-in',
    isOpenToEnroll: true,
    async view(visit) {
      const { language } = visit.client
      const { way_pages: own, account_pages, frame } = language.texts.pages
      const { results, removed } = await passkeysOf(visit)
      const next = site.nextOf(visit.query.next)
      const add = addPasskey(site, {
        ...{ language, kind: 'primary', label: own.passkey_add, use: 'login' },
        confirm: site.pathOf('/confirm/', { next: site.pathOf(list, { next }) }),
      })
      const accepted = JSON.stringify(results.map(({ credential_id }) => credential_id))
      const main = html`${paragraph(own.passkeys_about)}
${removed === null ? nothing : paragraph(removedSentence(site, language, removed))}
<div data-passkeys="${accepted}">
${
  results.length === 0
    ? empty(own.no_passkeys)
    : rows(
        null,
        results.map((each) => rowOf(site, visit, each)),
      )
}
</div>
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${next === null ? nothing : hidden('next', next)}
${add.markup}
</form>
<p data-passkey-missing hidden>${own.passkeys_unsupported}</p>
<noscript><p>${own.passkeys_need_script}</p></noscript>`
      return {
        ...{ page: 'account-passkeys', kind: 'account', heading: account_pages.passkeys, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
        script: `${add.script}\n${signalScript}`,
      }
    },
    // The script has added it: this only says so, if it is true.
    async act(visit, { added, next }) {
      const { results } = await passkeysOf(visit)
      const isThere = results.some(({ id }) => id === added)
      const to = site.nextOf(next) ?? site.pathOf(list)
      const { passkey_added } = visit.client.language.texts.pages.way_pages
      return { to, ...(isThere && { notice: passkey_added }) }
    },
  })
}

function rowOf(site: Site, { client }: PageVisit, passkey: ListedPasskey): Row {
  const { language } = client
  const { way_pages: own } = language.texts.pages
  const { id, name, use, synced, created_at, last_used_at } = passkey
  const used = last_used_at === null ? own.not_used : dated(site, language, own.last_used, last_used_at)
  const badge = use === 'factor' ? own.passkey_factor_only : synced ? own.passkey_synced : undefined
  return {
    label: named(name),
    value: html`${dated(site, language, own.added, created_at)} · ${used}`,
    ...(badge !== undefined && { badge }),
    action: html`${rowLink(own.rename, name, site.pathOf(`${list}${id}/`))}
${rowLink(own.remove, name, site.pathOf(`${list}${id}/remove/`))}`,
  }
}

const onePasskey = async (visit: PageVisit): Promise<ListedPasskey | undefined> =>
  (await passkeysOf(visit)).results.find(({ id }) => id === visit.params.id)

const passkey: KeptThing = {
  page: 'account-passkeys',
  list,
  nameOf: async (visit) => (await onePasskey(visit))?.name ?? null,
}

export function renamePasskeyPage(site: Site): PageRoute {
  return formPage(site, {
    path: `${list}:id/`,
    access: 'logged-in',
    view: (visit, state) => renaming(site, visit, state, passkey),
    async act(visit, { name = '' }) {
      await visit.perform('renamePasskey', { params: { id: visit.params.id }, body: { name } })
      return { to: site.pathOf(list), notice: visit.client.language.texts.pages.way_pages.renamed }
    },
  })
}

/** The list tells the browser afterwards that the passkey is gone. */
export function removePasskeyPage(site: Site): PageRoute {
  return formPage(site, {
    path: `${list}:id/remove/`,
    access: 'owner',
    async view(visit) {
      const { way_pages: own } = visit.client.language.texts.pages
      const { credential_id = '' } = (await onePasskey(visit)) ?? {}
      const view = await removing(site, visit, passkey, {
        heading: own.passkey_remove,
        about: own.passkey_remove_about,
        button: own.passkey_remove_button,
      })
      if ('elsewhere' in view) return view
      const data = html`<div data-passkey-removal data-options="${site.core.where.path('passkey-options')}" data-credential="${credential_id}" hidden></div>`
      return { ...view, main: html`${view.main}${data}`, script: removeScript }
    },
    async act(visit) {
      await gone(visit.perform('removePasskey', { params: { id: visit.params.id } }))
      return { to: site.pathOf(list), notice: visit.client.language.texts.pages.way_pages.passkey_removed }
    },
  })
}
