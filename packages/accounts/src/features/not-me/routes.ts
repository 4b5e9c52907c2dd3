import { removedLately } from '../../emails/removal-note.js'
import { noteUser } from '../../http/audit.js'
import { sendPage, wantsHtml } from '../../http/negotiation.js'
import { removedResponse } from '../../http/removed-response.js'
import { inRequestLanguage, respondIn } from '../../http/request-language.js'
import type { Route } from '../../http/route.js'
import { removedReply, removingLinkReply } from '../../http/schemas/replies.js'
import { type LinkParams, linkParams } from '../../http/schemas/requests.js'
import { ownersName } from '../../identifiers/account-name.js'
import { removedBy } from '../../logins/removed.js'
import { lockChanges } from '../../users/change.js'
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
  const { links, themeOf, options, pending } = deps
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
      schema: { params: linkParams, response: { 200: removingLinkReply } },
      async handler(request, reply) {
        const { user } = await links.open('not-me', request.params as LinkParams)
        noteUser(request, user)
        const removes = removedBy(user, lockChanges(user, options.links.undoLifetime), pending.devices)
        if (!wantsHtml(request)) return { valid: true, ...(removes && { removes }) }
        const theme = themeOf(request)
        const facts = { username: ownersName(options, user), removes }
        return sendPage(reply, theme.language, notMePage(theme, facts))
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
      schema: { params: linkParams, response: { 200: removedReply } },
      async handler(request, reply) {
        const parts = request.params as LinkParams
        const user = await reportLogin(inRequestLanguage(deps, request), pending.devices, parts)
        noteUser(request, user)
        const theme = themeOf(request)
        const removed = removedLately(user)
        const facts = { username: ownersName(options, user), removed }
        if (wantsHtml(request)) return sendPage(reply, theme.language, notMeDonePage(theme, facts))
        const language = respondIn(reply, theme.language)
        return removedResponse(language, language.texts.responses.not_me, removed)
      },
    },
  ]
}
