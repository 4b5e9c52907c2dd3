import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, type FormState, formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import { ownFields, valuesOf } from '../parts/own-fields.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import { visitorOf } from '../visitor.js'
import { hasProfile } from './profile-rows.js'

/** The username and the app's own fields; no page where there are neither. */
export function profilePages(site: Site): PageRoute[] {
  if (!hasProfile(site)) return []
  return [
    formPage(site, {
      path: '/account/profile/',
      access: 'logged-in',
      view(visit, state) {
        const { frame, account_pages: own } = visit.client.language.texts.pages
        return {
          ...{ page: 'account-profile', kind: 'account', heading: own.profile },
          main: formOf(site, visit, state),
          back: { to: site.pathOf('/account/'), label: frame.back },
        }
      },
      async act(visit, typed) {
        const { language } = visit.client
        await visit.perform('updateMe', {
          body: {
            ...nameIn(site, visit, typed),
            ...valuesOf(site.core.options.fields, typed, language, null),
          },
        })
        return { to: site.pathOf('/account/'), notice: language.texts.pages.account_pages.saved }
      },
    }),
  ]
}

function formOf({ core }: Site, visit: PageVisit, state: FormState) {
  const { language } = visit.client
  const { account_pages: own } = language.texts.pages
  const { names, fields } = core.options
  const user = visitorOf(visit)
  const { typed, faults } = state
  const username = field({
    ...{ name: 'username', label: own.username, autocomplete: 'username', faults },
    value: typed.username ?? user.username ?? '',
    isRequired: names === 'required',
  })
  return html`<form method="post">
${hidden(byField, user.id)}
${names === 'none' ? nothing : username}
${ownFields(fields, state, language, user.fields)}
${submit(own.save)}
</form>`
}

/** The username if it is another one: an imported one may not be allowed anymore, and stays. */
function nameIn({ core }: Site, visit: PageVisit, { username = '' }: Typed): { username?: string | null } {
  const { names } = core.options
  if (names === 'none' || username === (visitorOf(visit).username ?? '')) return {}
  return { username: username === '' && names === 'optional' ? null : username }
}
