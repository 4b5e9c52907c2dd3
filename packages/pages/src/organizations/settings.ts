import type { PageRoute } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import { html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { isolated } from '../parts/isolated.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { detailFields, detailsIn, withFieldFaults } from './details.js'
import { type Organization, read } from './facts.js'
import { backTo, organizationPage, pathIn } from './organization-page.js'
import { may } from './permissions.js'

/** Name, slug and own fields; leads to where an organization is deleted. */
export function settingsPage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'settings/',
    access: 'logged-in',
    needs: ['org:edit', 'org:delete'],
    view(visit, state, organization) {
      const { language } = visit.client
      const { organization_pages: own } = language.texts.pages
      const form = html`<form method="post">
${hidden(byField, visitorOf(visit).id)}
${detailFields(site, language, state, organization)}
${submit(own.save)}
</form>`
      const main = html`${may(organization, 'org:edit') ? form : nothing}
${may(organization, 'org:delete') ? linkButton(own.delete_more, pathIn(site, organization, 'settings/delete/'), 'quiet') : nothing}`
      return {
        ...{ page: 'organization-settings', kind: 'account', heading: own.settings, main },
        title: language.say(own.settings_of, { name: isolated(organization.name) }),
        back: backTo(site, visit, organization),
      }
    },
    async act(visit, typed) {
      const { language } = visit.client
      const { organization } = visit.params
      const body = detailsIn(site, language, typed, 'changed')
      const updated = await withFieldFaults(site, language, body, 'changed', () =>
        read<Organization>(visit, 'updateOrganization', { params: { organization }, body }),
      )
      const { saved } = language.texts.pages.organization_pages
      return { to: pathIn(site, updated), notice: saved }
    },
  })
}
