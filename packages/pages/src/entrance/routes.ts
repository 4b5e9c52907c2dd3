import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { donePage } from './done.js'
import { languagePage } from './language.js'
import { logInPage } from './log-in.js'
import { loggedOutPage, logOutPage } from './log-out.js'

export function entranceRoutes(site: Site): PageRoute[] {
  return [logInPage(site), logOutPage(site), loggedOutPage(site), donePage(site), languagePage(site)]
}
