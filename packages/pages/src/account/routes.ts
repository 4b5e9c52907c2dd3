import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { activityPages } from './activity.js'
import { emailPage } from './change-email.js'
import { deletePage } from './delete.js'
import { exportFile, exportPage } from './export.js'
import { languagePages } from './language.js'
import { accountPage } from './overview.js'
import { passwordPage, removePasswordPages } from './password.js'
import { profilePages } from './profile.js'

export function accountRoutes(site: Site): PageRoute[] {
  return [
    ...[accountPage(site), emailPage(site), passwordPage(site), ...removePasswordPages(site)],
    ...[...profilePages(site), ...languagePages(site), ...activityPages(site)],
    ...[exportPage(site), exportFile(site), deletePage(site)],
  ]
}
