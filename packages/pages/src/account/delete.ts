import { AccountsError, type FieldError } from 'fastify-accounts'
import { type PageRoute, shownName } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import { withPart } from '../parts/with-part.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import type { ShownAccount } from './shown-account.js'

/** Deletes an account whose owner types its name. */
export function deletePage(site: Site): PageRoute {
  const { options } = site.core
  const nameOf = (user: ShownAccount['user']): string => shownName(options, user) ?? user.email ?? ''
  return formPage(site, {
    path: '/account/delete/',
    access: 'confirmed',
    view(visit, { typed, faults }) {
      const { language } = visit.client
      const { frame, account_pages: own } = language.texts.pages
      const user = visitorOf(visit)
      const shown = nameOf(user)
      const name = html`<strong><bdi>${shown}</bdi></strong>`
      // Somebody without a name has none to type.
      const confirmation =
        shown === ''
          ? nothing
          : field({
              ...{ name: 'name', label: withPart(language, own.delete_type, 'name', name) },
              ...{ value: typed.name, autocomplete: 'off', faults },
            })
      const main = html`<p>${own.delete_warning}</p>
<form method="post">
${hidden(byField, user.id)}
${confirmation}
${submit(own.delete_button, 'danger')}
</form>
${linkButton(frame.cancel, site.pathOf('/account/'), 'quiet')}`
      return {
        ...{ page: 'account-delete', kind: 'account', heading: own.delete_question, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    async act(visit, { name = '' }) {
      const { say, texts } = visit.client.language
      const { account_pages: own } = texts.pages
      const wanted = nameOf(visitorOf(visit))
      if (plain(name) !== plain(wanted)) {
        const message = say(own.delete_mismatch, { name: wanted })
        const fault: FieldError = { field: 'name', code: 'mismatch', message }
        throw new AccountsError('ACCOUNTS_INVALID_INPUT', { fields: [fault] })
      }
      await visit.perform('deleteMe')
      return { to: site.pathOf('/logged-out/'), notice: own.deleted, isGone: true }
    },
  })
}

/** As people type it. */
const plain = (name: string): string => name.trim().normalize('NFKC').toLowerCase()
