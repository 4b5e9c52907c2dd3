import { accountUser, type PageRoute } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { isolated } from '../parts/isolated.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { detailFields, detailsIn, withFieldFaults } from './details.js'
import { factsOf, type Organization, read } from './facts.js'
import { pathIn } from './organization-page.js'

/** Creates an organization, whose owner the visitor is. */
export function createPage(site: Site): PageRoute {
  return formPage(site, {
    path: '/account/organizations/new/',
    access: 'logged-in',
    async view(visit, state) {
      const { language } = visit.client
      const { organization_pages: own } = language.texts.pages
      const user = visitorOf(visit)
      const mine = site.pathOf('/account/organizations/')
      const mayCreate = await factsOf(site).mayCreate(accountUser(user))
      const form = html`<form method="post">
${hidden(byField, user.id)}
${detailFields(site, language, state)}
${submit(own.create)}
</form>`
      const main = !mayCreate
        ? html`${paragraph(own.may_not_create)}
${linkButton(own.yours, mine)}`
        : user.isVerified
          ? form
          : html`${paragraph(own.unverified)}
${linkButton(own.verify, site.pathOf('/account/email/'))}`
      return {
        ...{ page: 'organization-new', kind: 'account', heading: own.new, main },
        back: { to: mine, label: own.back_to_yours },
      }
    },
    async act(visit, typed) {
      const { language } = visit.client
      const body = detailsIn(site, language, typed, 'new')
      const created = await withFieldFaults(site, language, body, 'new', () =>
        read<Organization>(visit, 'createOrganization', { body }),
      )
      const { organization_pages: own } = language.texts.pages
      return {
        to: pathIn(site, created),
        notice: language.say(own.created, { name: isolated(created.name) }),
      }
    },
  })
}
