import type { PageRoute } from 'fastify-accounts/features'
import { warnOfUntitled } from '../parts/own-fields.js'
import type { Site } from '../site.js'
import { createPage } from './create.js'
import { deletePage } from './delete.js'
import { schemaOf } from './details.js'
import { invitationsPage, invitePage } from './invitations.js'
import { leavePage } from './leave.js'
import { memberPage, removeMemberPage } from './member.js'
import { membersPage } from './members.js'
import { ownOrganizationsPage } from './mine.js'
import { onePage } from './one.js'
import { settingsPage } from './settings.js'

export function organizationRoutes(site: Site): PageRoute[] {
  if (!site.has('organizations')) return []
  warnOfUntitled(site, 'fields of organizations()', schemaOf(site))
  return [
    ...[ownOrganizationsPage(site), createPage(site), onePage(site), leavePage(site)],
    ...[membersPage(site), memberPage(site), removeMemberPage(site)],
    ...[invitationsPage(site), invitePage(site)],
    ...[settingsPage(site), deletePage(site)],
  ]
}
