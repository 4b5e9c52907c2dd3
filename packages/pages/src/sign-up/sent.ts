import type { PageRoute } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import { html } from '../html.js'
import { named } from '../parts/rows.js'
import { sendAgain } from '../parts/send-again.js'
import { withPart } from '../parts/with-part.js'
import { resendOperationOf } from '../resend-operation.js'
import type { Site } from '../site.js'

/** After a sign-up that an email has to confirm: what to do next, and the email once more. */
export function sentPage(site: Site): PageRoute {
  const resend = resendOperationOf(site)
  return formPage(site, {
    path: '/signup/sent/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    view(visit) {
      const { to: from, sent } = visit.query
      const next = site.nextOf(visit.query.next)
      const email = site.signUps.open(from)?.email
      if (visit.who !== null) return { elsewhere: next ?? site.landing.in }
      if (email === undefined) return { elsewhere: site.pathOf('/signup/', { next }) }
      const { language } = visit.client
      const texts = language.texts.pages
      const own = texts.sign_up_pages
      const change = site.pathOf('/signup/', { from: String(from), next })
      const main = html`<p>${withPart(language, own.sent, 'email', named(email))}
<a href="${change}">${own.change}</a></p>
<p>${own.not_there}</p>
${sendAgain({ label: texts.entrance_pages.send_again, sentAt: Number(sent) })}`
      return { page: 'signup-sent', kind: 'form', heading: own.inbox, main }
    },
    async act(visit) {
      const email = site.signUps.open(visit.query.to)?.email
      if (email === undefined || resend === null) return { to: visit.url }
      await visit.perform(resend, { body: { email } })
      const { resend: text } = visit.client.language.texts.responses
      const { to, next } = visit.query
      const again = { to: String(to), sent: String(Date.now()), next: site.nextOf(next) }
      return { to: site.pathOf('/signup/sent/', again), notice: { tone: 'info', text } }
    },
  })
}
