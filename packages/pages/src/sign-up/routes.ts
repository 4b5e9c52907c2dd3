import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'

export function signUpRoutes(_site: Site): PageRoute[] {
  return []
}
