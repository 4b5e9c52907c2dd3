import {
  holdsPassword,
  noPassword,
  type PageRoute,
  type PageVisit,
  shownName,
} from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { accountName, hidden, secret } from '../parts/fields.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'

/** Changes the password, or sets the first one. */
export function passwordPage(site: Site): PageRoute {
  const { options } = site.core
  return formPage(site, {
    path: '/account/password/',
    access: 'logged-in',
    // As the operation asks, so that is confirmed before anything is typed.
    accessFor: (user) => (holdsPassword(user) ? (user.factors.length > 0 ? 'confirmed' : null) : 'owner'),
    async view(visit, { faults }) {
      const { say, texts } = visit.client.language
      const { frame, account_pages: own } = texts.pages
      const user = visitorOf(visit)
      const isFirst = !holdsPassword(user)
      const { minLength } = options.password
      const hint = say(texts.details.min_length, { count: minLength })
      const removal = (await canDoWithout(site, visit))
        ? linkButton(own.remove_password, site.pathOf('/account/password/remove/'), 'link')
        : null
      const form = html`<form method="post">
${accountName(shownName(options, user) ?? user.email)}
${hidden(byField, user.id)}
${isFirst ? null : secret({ name: 'old_password', label: own.old_password, kind: 'current', faults })}
${secret({ name: 'new_password', label: own.new_password, kind: 'new', minLength, hint, faults })}
${submit(isFirst ? own.set_password : own.change_password)}
</form>
${removal}`
      return {
        ...{ page: 'account-password', kind: 'account', heading: own.password, main: form },
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    async act(visit, { old_password, new_password = '' }) {
      const { account_pages: own } = visit.client.language.texts.pages
      const notice = holdsPassword(visitorOf(visit)) ? own.password_changed : own.password_set
      await visit.perform('changePassword', {
        body: {
          ...(old_password !== undefined && { old_password }),
          new_password,
          confirm_password: new_password,
        },
      })
      return { to: site.pathOf('/account/'), notice }
    },
  })
}

/** Removes the password; no page where there is no other way to log in. */
export function removePasswordPages(site: Site): PageRoute[] {
  if (!site.core.hasOtherWays) return []
  return [
    formPage(site, {
      path: '/account/password/remove/',
      access: 'owner',
      async view(visit) {
        const { pages, reasons } = visit.client.language.texts
        const { frame, account_pages: own } = pages
        const user = visitorOf(visit)
        const back = site.pathOf('/account/password/')
        if (!(await canDoWithout(site, visit))) {
          const text = holdsPassword(user)
            ? reasons.ACCOUNTS_CONFLICT.last_way_in
            : reasons.ACCOUNTS_NOT_FOUND.no_password
          return { elsewhere: back, notice: { tone: 'info', text } }
        }
        const main = html`<p>${own.remove_password_body}</p>
<form method="post">
${hidden(byField, user.id)}
${submit(own.remove_password, 'danger')}
</form>
${linkButton(frame.cancel, back, 'quiet')}`
        return {
          page: 'account-password-remove',
          kind: 'account',
          heading: own.remove_password_question,
          main,
        }
      },
      async act(visit) {
        await visit.perform('removePassword')
        const { account_pages: own } = visit.client.language.texts.pages
        return { to: site.pathOf('/account/'), notice: own.password_removed }
      },
    }),
  ]
}

/** Whether somebody has a password, and could log in without it. */
async function canDoWithout({ core }: Site, visit: PageVisit): Promise<boolean> {
  const user = visitorOf(visit)
  if (!core.hasOtherWays || !holdsPassword(user)) return false
  const stored = await core.users.findById(user.id)
  return stored !== null && core.hasWayIn({ ...stored, passwordHash: noPassword })
}
