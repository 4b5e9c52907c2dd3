import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { type Html, html, nothing } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { isolated } from '../parts/isolated.js'
import { nextPage } from '../parts/paging.js'
import { named, type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { cursorOf, type Listed, type Member, nameOf, type Organization, positionIn, read } from './facts.js'
import { backTo, organizationPage, pathIn } from './organization-page.js'
import { may, mayGive } from './permissions.js'
import { rolesText } from './roles-field.js'

/** Who belongs to an organization. */
export function membersPage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'members/',
    access: 'logged-in',
    async view(visit, _state, organization) {
      const { organization_pages: own } = visit.client.language.texts.pages
      const list = await read<Listed<Member>>(visit, 'listMembers', {
        params: { organization: organization.id },
        query: positionIn(visit),
      })
      const cursor = cursorOf(list)
      const main = html`${rows(
        null,
        list.results.map((member) => memberRow(site, visit, organization, member)),
      )}
${nextPage(own.next, cursor === null ? null : pathIn(site, organization, 'members/', { cursor }))}
${may(organization, 'members:invite') ? linkButton(own.invite, pathIn(site, organization, 'invitations/new/')) : nothing}`
      return {
        ...{ page: 'organization-members', kind: 'account', heading: own.members, main },
        title: visit.client.language.say(own.members_of, { name: isolated(organization.name) }),
        back: backTo(site, visit, organization),
      }
    },
  })
}

function memberRow(site: Site, visit: PageVisit, organization: Organization, member: Member): Row {
  const { language } = visit.client
  const { organization_pages: own } = language.texts.pages
  const { user_id, kind, username, email, roles } = member
  const address: Html = username !== null && email !== null ? html`<br>${named(email)}` : nothing
  const badge = user_id === visitorOf(visit).id ? own.you : kind === 'service' ? own.service : undefined
  const mayChange = may(organization, 'members:edit') && mayGive(site, organization, roles)
  return {
    label: html`${named(nameOf(member))}${address}`,
    value: rolesText(language, roles),
    ...(badge !== undefined && { badge }),
    ...(mayChange && {
      action: rowLink(own.change, nameOf(member), memberPath(site, organization, member, visit)),
    }),
  }
}

/** The page of one member, which is found again where the list has shown them. */
export const memberPath = (
  site: Site,
  organization: Organization,
  { user_id }: Pick<Member, 'user_id'>,
  visit: PageVisit,
  below = '',
): string => pathIn(site, organization, `members/${encodeURIComponent(user_id)}/${below}`, positionIn(visit))
