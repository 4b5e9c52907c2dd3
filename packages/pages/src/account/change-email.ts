import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, type FormState, formPage, type Outcome } from '../form-page.js'
import { type Html, html } from '../html.js'
import { buttonForm, submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import { named, type Row, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { sendAgain, sendAgainForm } from './confirmation-email.js'
import { type EmailChange, emailRow } from './email-row.js'

/** The address of an account: changes it, cancels a change, and has the link sent again that confirms it. */
export function emailPage(site: Site): PageRoute {
  return formPage(site, {
    path: '/account/email/',
    access: 'owner',
    async view(visit, state) {
      const { frame, account_pages: own } = visit.client.language.texts.pages
      return {
        ...{ page: 'account-email', kind: 'account', heading: own.email },
        main: html`${await addresses(site, visit)}
${changeForm(visit, state)}`,
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    async act(visit, { do: what, email = '' }) {
      const { say, texts } = visit.client.language
      const { account_pages: own } = texts.pages
      const account = site.pathOf('/account/')
      const after = (notice: string): Outcome => ({ to: account, notice })
      if (what === 'cancel') {
        await visit.perform('cancelEmailChange')
        return after(own.change_canceled)
      }
      if (what === 'confirm') {
        const sentTo = await sendAgain(site, visit)
        return sentTo === null ? { to: account } : after(say(own.confirmation_sent, { email: sentTo }))
      }
      await visit.perform('changeEmail', { body: { email } })
      return after(say(own.change_sent, { email: email.trim() }))
    },
  })
}

/** The current one, and the one that awaits its confirmation. */
async function addresses(site: Site, visit: PageVisit): Promise<Html> {
  const user = visitorOf(visit)
  const { language } = visit.client
  const { account_pages: own } = language.texts.pages
  const { email: pending } = (await visit.perform('showEmailChange')).body as EmailChange
  const again = user.isVerified ? null : sendAgainForm(site, { user, language })
  const list: Row[] = [{ ...emailRow({ user, language }), ...(again !== null && { action: again }) }]
  if (pending !== null) {
    const fields = { do: 'cancel', [byField]: user.id }
    list.push({
      label: own.waiting,
      value: named(pending),
      action: buttonForm({ label: own.cancel_change, fields }),
    })
  }
  return rows(null, list)
}

function changeForm(visit: PageVisit, { typed, faults }: FormState): Html {
  const { account_pages: own } = visit.client.language.texts.pages
  return html`<form method="post">
${hidden(byField, visitorOf(visit).id)}
${field({
  ...{ name: 'email', label: own.new_email, type: 'email', autocomplete: 'email' },
  ...{ value: typed.email, hint: own.new_email_hint, faults },
})}
${submit(own.change_email)}
</form>`
}
