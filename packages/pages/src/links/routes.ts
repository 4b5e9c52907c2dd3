import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { renewalPage } from './renewal.js'

/** What the pages of invalid links lead to. */
export function linkRoutes(site: Site): PageRoute[] {
  return [renewalPage(site)]
}
