import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { accountPage } from './overview.js'
import { passwordPage } from './password.js'

export function accountRoutes(site: Site): PageRoute[] {
  return [accountPage(site), passwordPage(site)]
}
