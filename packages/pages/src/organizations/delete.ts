import { AccountsError } from 'fastify-accounts'
import type { PageRoute } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import { html } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import { isolated } from '../parts/isolated.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { findOrganization, organizationPage, pathIn } from './organization-page.js'

/** Deletes an organization whose name was typed. */
export function deletePage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'settings/delete/',
    access: 'confirmed',
    needs: ['org:delete'],
    view(visit, { typed, faults }, organization) {
      const { say, texts } = visit.client.language
      const { frame, organization_pages: own } = texts.pages
      const { name } = organization
      const main = html`${paragraph(say(own.delete_body, { count: organization.members }))}
<p>${own.delete_type} <strong><bdi>${name}</bdi></strong></p>
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${field({ name: 'name', label: own.name, value: typed.name, autocomplete: 'off', faults })}
${submit(own.delete, 'danger')}
</form>
${linkButton(frame.cancel, pathIn(site, organization, 'settings/'), 'quiet')}`
      return {
        ...{ page: 'organization-delete', kind: 'account', main },
        heading: say(own.delete_heading, { name: isolated(name) }),
        back: { to: pathIn(site, organization, 'settings/'), label: own.back_to_settings },
      }
    },
    async act(visit, { name = '' }) {
      const { language } = visit.client
      const { organization_pages: own } = language.texts.pages
      const found = await findOrganization(visit)
      if (found === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
      if (plain(name) !== plain(found.name)) {
        const fault = { field: 'name', code: 'mismatch' as const, message: own.other_name }
        throw new AccountsError('ACCOUNTS_INVALID_INPUT', { fields: [fault] })
      }
      await visit.perform('deleteOrganization', { params: { organization: found.id } })
      return {
        to: site.pathOf('/account/organizations/'),
        notice: language.say(own.deleted, { name: isolated(found.name) }),
      }
    },
  })
}

/** Browsers change white space, keyboards the composition of letters. */
const plain = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim()
