import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import { type Html, html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import { paragraph } from '../parts/notes.js'
import { named } from '../parts/rows.js'
import { sendAgain } from '../parts/send-again.js'
import { withPart } from '../parts/with-part.js'
import { showing } from '../showing.js'
import type { Site } from '../site.js'

/** Emails what sets a new password. A page of a link sends the address sealed, as `to`. */
export function forgotPage(site: Site): PageRoute {
  const hasCode = site.core.options.login.emailCode
  return formPage(site, {
    path: '/forgot/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    isEntrance: true,
    view(visit, { typed, faults }) {
      const { sign_up_pages: own, frame } = visit.client.language.texts.pages
      const next = site.nextOf(visit.query.next ?? typed.next)
      const address = site.addresses.open(visit.query.to ?? typed.to, 'reset')
      const value = typed.email ?? address ?? visit.who?.user.email ?? undefined
      const main = html`${paragraph(hasCode ? own.forgot_code : own.forgot)}
<form method="post">
${next === null ? nothing : hidden('next', next)}
${field({ name: 'email', label: own.email, type: 'email', value, autocomplete: 'email', faults })}
${submit(own.send)}
</form>
${linkButton(frame.log_in, site.pathOf('/login/', { next }), 'link')}`
      return { page: 'forgot', kind: 'form', heading: own.reset, main }
    },
    async act(visit, { email: entered, to = visit.query.to, next = visit.query.next }) {
      const email = entered ?? site.addresses.open(to, 'reset') ?? ''
      await visit.perform('requestPasswordReset', { body: { email } })
      const onward = site.nextOf(next)
      if (onward !== null) site.returns.keep(visit.client, onward)
      const sealed = site.addresses.seal(email, 'reset')
      const page = hasCode ? '/forgot/code/' : '/forgot/sent/'
      const { forgot, forgot_code } = visit.client.language.texts.responses
      return {
        to: site.pathOf(page, { to: sealed, sent: String(Date.now()), next: onward }),
        // From a page that has no field for it, such as that of an expired link.
        ...(entered === undefined && { notice: { tone: 'info', text: hasCode ? forgot_code : forgot } }),
      }
    },
  })
}

/** Where the email has a link only. The page is the same whether or not there is an account. */
export function forgotSentPage(site: Site): PageRoute {
  return {
    path: '/forgot/sent/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    show(visit) {
      const own = visit.client.language.texts.pages.sign_up_pages
      const { to } = visit.query
      const email = site.addresses.open(to, 'reset')
      if (email === null)
        return { redirect: site.pathOf('/forgot/', { next: site.nextOf(visit.query.next) }) }
      const { intro, again } = sentTo(site, visit, { email, to: String(to), text: own.forgot_sent })
      const main = html`${intro}${again}`
      return showing(site, visit, { page: 'forgot-sent', kind: 'form', heading: own.inbox, main })
    },
  }
}

/** Where an email has gone, with a way to change that, and a form that sends another one. */
export function sentTo(
  site: Site,
  { client: { language }, query }: PageVisit,
  { email, to, text }: { email: string; to: string; text: string },
): { intro: Html; again: Html } {
  const { sign_up_pages: own, entrance_pages } = language.texts.pages
  const path = site.pathOf('/forgot/', { to, next: site.nextOf(query.next) })
  return {
    intro: html`<p>${withPart(language, text, 'email', named(email))} <a href="${path}">${own.change}</a></p>`,
    again: html`<p>${own.not_there}</p>
${sendAgain({ label: entrance_pages.send_again, sentAt: Number(query.sent), to: path })}`,
  }
}
