import type { PageRoute } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import { html } from '../html.js'
import { buttonForm, linkButton } from '../parts/buttons.js'
import { showing } from '../showing.js'
import type { Site } from '../site.js'

/** Asks before it logs out, as a link that does would be opened by others. A form may name where it leads: `next`. */
export function logOutPage(site: Site): PageRoute {
  const { once } = site
  return formPage(site, {
    path: '/logout/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    view(visit) {
      const { entrance_pages: own, frame } = visit.client.language.texts.pages
      if (visit.who === null) return { elsewhere: site.landing.out }
      const main = html`${buttonForm({ label: frame.log_out, kind: 'primary' })}
${linkButton(frame.cancel, site.landing.in, 'quiet')}`
      return { page: 'logout', kind: 'form', heading: own.log_out, main }
    },
    async act(visit, { next }) {
      await visit.perform('logOut')
      // What waits for the next page was for the person who has left.
      site.flashes.take(visit)
      once.clear(visit.client)
      return { to: site.nextOf(next) ?? site.landing.out }
    },
  })
}

export function loggedOutPage(site: Site): PageRoute {
  return {
    path: '/logged-out/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    show(visit) {
      const { say, texts } = visit.client.language
      const { entrance_pages: own, frame } = texts.pages
      const { url, name } = site.core.options.brand
      const main = html`${linkButton(frame.log_in, site.pathOf('/login/'))}
${url !== null && linkButton(say(own.back_to_site, { site: name }), url, 'link')}`
      return showing(site, visit, { page: 'logged-out', kind: 'form', heading: own.logged_out, main })
    },
  }
}
