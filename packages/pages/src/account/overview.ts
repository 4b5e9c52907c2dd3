import type { PageRoute } from 'fastify-accounts/features'
import { html } from '../html.js'
import { showing } from '../showing.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { conditionalPasskey } from '../ways/passkey-parts.js'
import { dataRows } from './data-rows.js'
import { factsOf } from './facts.js'
import { finishCard } from './finish-card.js'
import { placeRows } from './place-rows.js'
import { profileRows } from './profile-rows.js'
import { urgentNotice } from './urgent-notice.js'
import { wayRows } from './way-rows.js'

/** Everything that an account has, in rows that lead to its pages. */
export function accountPage(site: Site): PageRoute {
  const card = finishCard(site)
  return {
    path: '/account/',
    access: 'logged-in',
    async show(visit) {
      const flash = site.flashes.take(visit)
      const { language } = visit.client
      const facts = { ...(await factsOf(site, visit)), user: visitorOf(visit), language }
      const finish = card.shown(visit.client, facts)
      const notice =
        flash.notice ?? urgentNotice(site, { ...facts, isAddressInCard: finish !== null }) ?? undefined
      const isByPassword = visit.who?.isConfirmed === true && visit.who.login.methods.includes('pwd')
      const offer = isByPassword && facts.passkeys?.length === 0 ? conditionalPasskey(site) : null
      const main = html`${finish}
${profileRows(site, facts)}
${wayRows(site, facts)}
${placeRows(site, facts)}
${dataRows(site, facts)}
${offer?.markup ?? null}`
      const heading = language.texts.pages.frame.account
      const view = { page: 'account', kind: 'account' as const, heading, main, notice }
      return showing(site, visit, { ...view, ...(offer && { script: offer.script }) }, {})
    },
    submit({ client }) {
      card.dismiss(client)
      return { redirect: site.pathOf('/account/') }
    },
  }
}
