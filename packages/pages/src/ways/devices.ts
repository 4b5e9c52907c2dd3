import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { submit } from '../parts/buttons.js'
import { deviceName } from '../parts/devices.js'
import { hidden } from '../parts/fields.js'
import { dated } from '../parts/moments.js'
import { paragraph } from '../parts/notes.js'
import { rowForm } from '../parts/row-buttons.js'
import { empty, named, type Row, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { removed } from './kept-thing.js'
import { type BodyOf, readOf } from './operations.js'

type Session = BodyOf<'listSessions'>['results'][number]

const path = '/account/devices/'

/** Where somebody is logged in. */
export function devicesPage(site: Site): PageRoute {
  return formPage(site, {
    path,
    access: 'logged-in',
    isOpenToEnroll: true,
    async view(visit) {
      const { way_pages: own, account_pages, frame } = visit.client.language.texts.pages
      const { results } = await readOf(visit, 'listSessions')
      const others = results
        .filter(({ current }) => !current)
        .toSorted((one, other) => other.last_seen_at.localeCompare(one.last_seen_at))
      const here = results.filter(({ current }) => current)
      const all = html`<form method="post">
${hidden(byField, visitorOf(visit).id)}
${submit(own.log_out_others, 'primary', { name: 'all', value: 'on' })}
</form>`
      const main = html`${paragraph(own.devices_about)}
${rows(
  account_pages.this_device,
  here.map((each) => rowOf(site, visit, each)),
)}
${
  others.length === 0
    ? empty(own.no_others)
    : rows(
        account_pages.other_devices,
        others.map((each) => rowOf(site, visit, each)),
      )
}
${others.length > 1 ? all : nothing}`
      return {
        ...{ page: 'account-devices', kind: 'account', heading: own.devices, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    async act(visit, { id, all }) {
      const { way_pages: own } = visit.client.language.texts.pages
      const to = site.pathOf(path)
      if (all !== undefined) {
        await visit.perform('endOtherSessions')
        return { to, notice: own.others_logged_out }
      }
      await removed(visit.perform('endSession', { params: { id } }))
      return { to, notice: own.device_logged_out }
    },
  })
}

function rowOf(site: Site, visit: PageVisit, session: Session): Row {
  const { language } = visit.client
  const { way_pages: own } = language.texts.pages
  const { id, ip, current, last_seen_at } = session
  const device = deviceName(language, session)
  const seen = dated(site, language, own.last_seen, last_seen_at)
  return {
    label: named(device),
    value: html`${seen}${ip === null ? nothing : html` · ${ip}`}`,
    ...(!current && { action: rowForm(visit, own.log_out_device, device, id) }),
  }
}
