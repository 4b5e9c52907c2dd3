import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { ownFieldsOf } from '../parts/own-field.js'
import { shownValue } from '../parts/own-value.js'
import { type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { factsOf, type Organization } from './facts.js'
import { organizationPage, pathIn } from './organization-page.js'
import { isAlone, may } from './permissions.js'
import { rolesText } from './roles-field.js'

/** One organization: what it is, and what the visitor may do there. */
export function onePage(site: Site): PageRoute {
  return organizationPage(site, {
    below: '',
    access: 'logged-in',
    view(visit, _state, organization) {
      const { organization_pages: own } = visit.client.language.texts.pages
      return {
        ...{ page: 'organization', kind: 'account', heading: organization.name },
        main: rows(null, rowsOf(site, visit, organization)),
        back: { to: site.pathOf('/account/organizations/'), label: own.back_to_yours },
      }
    },
  })
}

function rowsOf(site: Site, { client: { language } }: PageVisit, organization: Organization): Row[] {
  const { organization_pages: own } = language.texts.pages
  const { slug, members, roles, fields } = organization
  const mayEdit = may(organization, 'org:edit')
  const go = (label: string, below: string, about: string) =>
    rowLink(label, about, pathIn(site, organization, below))
  const ownFields = ownFieldsOf(factsOf(site).fields, language)
  return [
    { label: own.your_roles, value: rolesText(language, roles) },
    {
      label: own.members,
      value: language.say(own.members_count, { count: members }),
      action: go(may(organization, 'members:edit') ? own.manage : own.show, 'members/', own.members),
    },
    ...(may(organization, 'members:invite', 'members:edit')
      ? [
          {
            label: own.invitations,
            value: own.invitations_hint,
            action: go(own.manage, 'invitations/', own.invitations),
          },
        ]
      : []),
    { label: own.slug, value: slug },
    ...ownFields.flatMap((each): Row[] => {
      const value = shownValue(each, fields[each.name], language)
      return value === null ? [] : [{ label: each.label, value }]
    }),
    ...(mayEdit || may(organization, 'org:delete')
      ? [
          {
            label: own.settings,
            value: mayEdit ? own.settings_hint : own.delete,
            action: go(own.change, 'settings/', own.settings),
          },
        ]
      : []),
    ...(roles.length > 0
      ? [
          {
            label: own.leave,
            value: isAlone(organization) ? own.alone_hint : own.leave_hint,
            action: go(own.leave_more, 'leave/', organization.name),
          },
        ]
      : []),
  ]
}
