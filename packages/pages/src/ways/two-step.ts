import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { type Html, html, nothing } from '../html.js'
import { buttonForm } from '../parts/buttons.js'
import { deviceName } from '../parts/devices.js'
import { dated } from '../parts/moments.js'
import { paragraph } from '../parts/notes.js'
import { removedSentence } from '../parts/removed.js'
import { rowForm } from '../parts/row-buttons.js'
import { empty, named, type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { removed as gone } from './kept-thing.js'
import { type BodyOf, readOf } from './operations.js'

type Factors = BodyOf<'showFactors'>

export const twoStepPath = '/account/two-step/'

/** Two-step verification: what is on, and what stands in for it. */
export function twoStepPage(site: Site): PageRoute {
  return formPage(site, {
    path: twoStepPath,
    access: 'logged-in',
    isOpenToEnroll: true,
    async view(visit) {
      const { language } = visit.client
      const { way_pages: own, account_pages, frame } = language.texts.pages
      const factors = await readOf(visit, 'showFactors')
      const { removed, required } = factors
      const isOn = factors.totp || factors.passkeys
      const main = html`${paragraph(isOn ? own.two_step_about : own.two_step_about_off)}
${removed === null ? nothing : paragraph(removedSentence(site, language, removed))}
${required ? paragraph(own.two_step_required) : nothing}
${appRows(site, visit, factors)}
${buttonForm({
  label: factors.apps.length > 0 ? own.app_another : own.app_set_up,
  kind: isOn ? 'quiet' : 'primary',
  to: site.pathOf(`${twoStepPath}app/`),
  fields: { [byField]: visitorOf(visit).id },
})}
${rows(null, [...passkeyRow(site, visit, factors), ...codesRow(site, visit, factors)])}
${rememberedRows(site, visit, factors)}`
      return {
        ...{ page: 'account-two-step', kind: 'account', heading: account_pages.two_step, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    async act(visit, { id }) {
      await gone(visit.perform('removeRememberedDevice', { params: { id } }))
      return { to: site.pathOf(twoStepPath), notice: visit.client.language.texts.pages.way_pages.forgotten }
    },
  })
}

function appRows(site: Site, { client: { language } }: PageVisit, { apps }: Factors): Html {
  const { way_pages: own } = language.texts.pages
  const list = apps.map(({ id, name, created_at, last_used_at }): Row => {
    const used = last_used_at === null ? own.not_used : dated(site, language, own.last_used, last_used_at)
    const to = site.pathOf(`${twoStepPath}app/${id}/`)
    return {
      label: named(name),
      value: html`${dated(site, language, own.added, created_at)} · ${used}`,
      action: html`${rowLink(own.rename, name, to)}
${rowLink(own.remove, name, `${to}remove/`)}`,
    }
  })
  return html`<h2>${own.apps}</h2>
${list.length === 0 ? empty(own.no_apps) : rows(null, list)}`
}

function passkeyRow(site: Site, { client: { language } }: PageVisit, { passkeys }: Factors): Row[] {
  const { way_pages: own } = language.texts.pages
  if (!site.has('passkeys')) return []
  const label = own.factor_passkeys
  const action = passkeys ? own.turn_off : own.turn_on
  return [
    {
      label,
      value: passkeys ? own.factor_on : own.factor_off,
      action: rowLink(action, label, site.pathOf(`${twoStepPath}passkeys/`)),
    },
  ]
}

function codesRow(site: Site, { client: { language } }: PageVisit, factors: Factors): Row[] {
  const { way_pages: own } = language.texts.pages
  if (!factors.totp && !factors.passkeys) return []
  const { recovery_codes: label, codes_left, get_new } = own
  return [
    {
      label,
      value: language.say(codes_left, { count: factors.recovery_codes_left }),
      action: rowLink(get_new, label, site.pathOf('/account/recovery-codes/')),
    },
  ]
}

function rememberedRows(site: Site, visit: PageVisit, { remembered_devices: devices }: Factors): Html {
  const { language } = visit.client
  const { way_pages: own } = language.texts.pages
  if (devices.length === 0) return nothing
  return rows(
    own.remembered,
    devices.map((each): Row => {
      const device = deviceName(language, each)
      return {
        label: named(device),
        value: dated(site, language, own.remembered_until, each.expires_at),
        action: rowForm(visit, own.remove, device, each.id),
      }
    }),
  )
}
