import { ownersName } from '../../identifiers/account-name.js'
import { noteUser } from '../../routes/audit.js'
import { sendPage, wantsHtml } from '../../routes/negotiation.js'
import { detailReply, linkReply } from '../../routes/reply-schemas.js'
import { inRequestLanguage, respondIn } from '../../routes/request-language.js'
import { type LinkParams, linkParams } from '../../routes/request-schemas.js'
import type { Route } from '../../routes/route.js'
import type { FeatureCore } from '../feature.js'
import { notMeDonePage, notMePage } from './pages.js'
import { reportLogin } from './report-login.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'not-me': true
  }
}

/** The link in the email about a new device: GET shows it, POST uses it. */
export function notMeRoutes(deps: FeatureCore): Route[] {
  const { links, themeOf } = deps
  const shared = {
    name: 'not-me',
    action: 'not-me',
    path: '/not-me/:uid64/:token/',
    access: 'anyone',
    budget: 'verify',
    linkPage: true,
  } as const
  return [
    {
      ...shared,
      method: 'GET',
      operation: {
        id: 'checkLoginReport',
        summary: 'Show the page that secures the account',
        errors: ['ACCOUNTS_INVALID_LINK'],
      },
      schema: { params: linkParams, response: { 200: linkReply } },
      async handler(request, reply) {
        const { user } = await links.open('not-me', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        const theme = themeOf(request)
        return sendPage(reply, theme.language, notMePage(theme, { username: ownersName(deps.options, user) }))
      },
    },
    {
      ...shared,
      method: 'POST',
      operation: {
        id: 'reportLogin',
        summary: 'Secure the account by the link in a new-login email',
        errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
      },
      schema: { params: linkParams, response: { 200: detailReply } },
      async handler(request, reply) {
        const user = await reportLogin(inRequestLanguage(deps, request), request.params as LinkParams)
        noteUser(request, user)
        const theme = themeOf(request)
        if (wantsHtml(request))
          return sendPage(
            reply,
            theme.language,
            notMeDonePage(theme, { username: ownersName(deps.options, user) }),
          )
        return { detail: respondIn(reply, theme.language).texts.answers.not_me }
      },
    },
  ]
}
