import type { PageRoute } from 'fastify-accounts/features'
import { warnOfUntitled } from '../parts/own-fields.js'
import type { Site } from '../site.js'
import { enrollPage } from './enroll.js'
import { forgotPage, forgotSentPage } from './forgot.js'
import { forgotCodePage } from './forgot-code.js'
import { sentPage } from './sent.js'
import { signUpPage } from './sign-up.js'

export function signUpRoutes(site: Site): PageRoute[] {
  const { login, users, signUp, fields } = site.core.options
  warnOfUntitled(site, 'users.fields', fields)
  warnOfUntitled(site, 'signUp.fields', signUp.fields)
  return [
    ...(users === false ? [] : [signUpPage(site), sentPage(site)]),
    forgotPage(site),
    login.emailCode ? forgotCodePage(site) : forgotSentPage(site),
    ...(site.has('second-factor') ? [enrollPage(site)] : []),
  ]
}
