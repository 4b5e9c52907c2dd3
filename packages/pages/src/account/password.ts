import { holdsPassword, type PageRoute, shownName } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html } from '../html.js'
import { submit } from '../parts/buttons.js'
import { accountName, hidden, secret } from '../parts/fields.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'

/** Changes the password, or sets the first one. */
export function passwordPage(site: Site): PageRoute {
  const { options } = site.core
  return formPage(site, {
    path: '/account/password/',
    access: 'logged-in',
    // The first password needs a recent login, and is confirmed before it is typed.
    accessFor: (user) => (holdsPassword(user) ? null : 'owner'),
    view(visit, { faults }) {
      const { say, texts } = visit.client.language
      const { frame, account_pages: own } = texts.pages
      const user = visitorOf(visit)
      const isFirst = !holdsPassword(user)
      const { minLength } = options.password
      const form = html`<form method="post">
${accountName(shownName(options, user) ?? user.email)}
${hidden(byField, user.id)}
${isFirst ? null : secret({ name: 'old_password', label: own.old_password, kind: 'current', faults })}
${secret({ name: 'new_password', label: own.new_password, kind: 'new', minLength, hint: say(texts.details.min_length, { count: minLength }), faults })}
${submit(isFirst ? own.set_password : own.change_password)}
</form>`
      return {
        ...{ page: 'account-password', kind: 'account', heading: own.password, main: form },
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    async act(visit, { old_password, new_password = '' }) {
      await visit.perform('changePassword', {
        body: {
          ...(old_password !== undefined && { old_password }),
          new_password,
          confirm_password: new_password,
        },
      })
      const { account_pages: own } = visit.client.language.texts.pages
      return { to: site.pathOf('/account/'), notice: own.password_changed }
    },
  })
}
