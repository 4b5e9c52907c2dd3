import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { codePage } from './code.js'
import { confirmPage } from './confirm.js'
import { donePage } from './done.js'
import { languagePage } from './language.js'
import { logInPage } from './log-in.js'
import { loggedOutPage, logOutPage } from './log-out.js'
import { secondFactorPage } from './second-factor.js'

/** The pages through which people get in and out. */
export function entranceRoutes(site: Site): PageRoute[] {
  return [
    logInPage(site),
    ...(site.core.options.login.emailCode ? [codePage(site)] : []),
    secondFactorPage(site),
    confirmPage(site),
    logOutPage(site),
    loggedOutPage(site),
    donePage(site),
    languagePage(site),
  ]
}
