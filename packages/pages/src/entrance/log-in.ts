import type { PageRoute } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { checkbox, field, hidden, secret } from '../parts/fields.js'
import type { Site } from '../site.js'

/** Logs in with a name and a password. */
export function logInPage(site: Site): PageRoute {
  const { options } = site.core
  return formPage(site, {
    path: '/login/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    view(visit, { typed, faults, refusal }) {
      const { say, texts } = visit.client.language
      const own = texts.pages.entrance_pages
      const next = site.nextOf(visit.query.next ?? typed.next)
      if (visit.who !== null && 'in' in visit.query) return { elsewhere: next ?? site.landing.in }
      const isWrong = refusal?.code === 'ACCOUNTS_INVALID_CREDENTIALS'
      const forgot = html`<a href="${site.pathOf('/forgot/')}">${own.forgot}</a>`
      const form = html`<form method="post">
${next === null ? nothing : hidden('next', next)}
${field({ name: 'username', label: own.username, value: typed.username, autocomplete: 'username', faults })}
${secret({ name: 'password', label: own.password, kind: 'current', beside: forgot, faults })}
${checkbox({ name: 'remember', label: own.remember, isChecked: typed.remember === 'on' })}
${submit(own.log_in)}
</form>
${options.users === false ? nothing : linkButton(own.create, site.pathOf('/signup/', { next }), 'link')}`
      return {
        ...{
          page: 'login',
          kind: 'form',
          heading: say(own.log_in_to, { site: options.brand.name }),
          main: form,
        },
        ...(isWrong && { notice: { tone: 'fault', text: own.wrong } }),
        ...(visit.who === null &&
          'in' in visit.query && {
            notice: { tone: 'fault', text: say(own.no_cookie, { site: options.brand.name }) },
          }),
      }
    },
    async act(visit, { username = '', password = '', remember, next }) {
      await visit.perform('logIn', {
        body: { username, password, ...(remember === 'on' && { remember: true }) },
      })
      // There it shows whether the browser has kept the cookie.
      return { to: site.pathOf('/login/', { in: '', next: site.nextOf(next) }) }
    },
  })
}
