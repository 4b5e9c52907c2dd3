import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { passwordPage } from './password.js'

export function accountRoutes(site: Site): PageRoute[] {
  return [passwordPage(site)]
}
