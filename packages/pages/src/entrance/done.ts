import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import type { Flash } from '../flash.js'
import { html, trusted } from '../html.js'
import { ownName } from '../own-name.js'
import { besideNotice } from '../parts/beside-notice.js'
import { buttonForm, linkButton } from '../parts/buttons.js'
import { named } from '../parts/rows.js'
import { withPart } from '../parts/with-part.js'
import { showing } from '../showing.js'
import type { Site } from '../site.js'
import type { View } from '../view.js'

type Done = NonNullable<Flash['done']>

/** What a form of a link has led to: shown once, and again as a plain end. */
export function donePage(site: Site): PageRoute {
  return {
    path: '/done/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    show(visit) {
      const { frame } = visit.client.language.texts.pages
      const { done } = site.flashes.take(visit)
      const next = site.returns.show(visit.client)
      const end = done ?? { heading: frame.done, main: '', logIn: visit.who === null }
      return showing(site, visit, { page: 'done', kind: 'link', ...endOf(site, visit, end, next) }, {})
    },
  }
}

/** What has been done, and the way on for who is logged in here. */
function endOf(
  site: Site,
  { client, who }: PageVisit,
  { heading, main, logIn = false, isBeside = false }: Done,
  next: string | null,
): Pick<View, 'heading' | 'main' | 'notice'> {
  const { language } = client
  const { say, texts } = language
  const { frame, onward, entrance_pages: own } = texts.pages
  const words = trusted(main)
  const toSite = linkButton(say(onward, { site: site.core.options.brand.name }), next ?? site.landing.in)
  const login = site.pathOf('/login/', { next })
  if (who === null)
    return { heading, main: html`${words}${logIn ? linkButton(frame.log_in, login) : toSite}` }
  const name = ownName(site, who.user, language)
  if (logIn && isBeside) {
    const fields = { next: login }
    const to = site.pathOf('/logout/')
    const change = buttonForm({ label: own.other_account, kind: 'primary', to, fields })
    return { heading, main: html`${words}${change}`, notice: besideNotice(site, language, name) }
  }
  // It is their own account.
  const isWordless = logIn || main === ''
  const already = html`<p>${withPart(language, own.already_as, 'username', named(name))}</p>`
  return { heading, main: html`${isWordless ? already : words}${toSite}` }
}
