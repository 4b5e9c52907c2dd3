import type { PageRoute } from 'fastify-accounts/features'
import { html, trusted } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { showing } from '../showing.js'
import { showReturn } from '../sign-up/return.js'
import type { Site } from '../site.js'

/** What a form of a link has led to: shown once, and again as a plain end. */
export function donePage(site: Site): PageRoute {
  return {
    path: '/done/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    show(visit) {
      const { say, texts } = visit.client.language
      const { frame, onward } = texts.pages
      const { done } = site.flashes.take(visit.client)
      const next = showReturn(site, visit.client)
      const { heading = frame.done, main = '', logIn = visit.who === null } = done ?? {}
      const go =
        logIn && visit.who === null
          ? linkButton(frame.log_in, site.pathOf('/login/', { next }))
          : linkButton(say(onward, { site: site.core.options.brand.name }), next ?? site.landing.in)
      return showing(
        site,
        visit,
        { page: 'done', kind: 'link', heading, main: html`${trusted(main)}${go}` },
        {},
      )
    },
  }
}
