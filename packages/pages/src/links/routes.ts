import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { renewalPage } from './renewal.js'

/** What the pages of invalid links lead to, and pages of the core that are elsewhere now. */
export function linkRoutes(site: Site): PageRoute[] {
  return [renewalPage(site), passwordForm(site)]
}

/** Password managers lead there: /.well-known/change-password redirects to it. */
function passwordForm(site: Site): PageRoute {
  const elsewhere = () => ({ redirect: site.pathOf('/account/password/') })
  return { path: '/change-password/form/', access: 'anyone', show: elsewhere, submit: elsewhere }
}
