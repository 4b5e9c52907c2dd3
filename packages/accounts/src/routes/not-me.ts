import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import { notMeDonePage, notMePage } from '../pages/not-me.js'
import type { PageTheme } from '../pages/theme.js'
import { reportLogin } from '../services/report-login.js'
import { noteUser } from './audit.js'
import { sendPage, wantsHtml } from './negotiation.js'
import { inRequestLanguage, speak } from './request-language.js'
import type { Route } from './route.js'
import { detailReply, type LinkParams, linkParams, resetLinkReply } from './schemas.js'

/** The link in the mail about a new device: GET looks at it, POST uses it. */
export function notMeRoutes(deps: Deps & { themeOf(request: FastifyRequest): PageTheme }): Route[] {
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
        id: 'checkNotMe',
        summary: 'Ask whether to shut everybody out',
        errors: ['ACCOUNTS_INVALID_LINK'],
      },
      schema: { params: linkParams, response: { 200: resetLinkReply } },
      async handler(request, reply) {
        const { user } = await links.open('not-me', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        const theme = themeOf(request)
        return sendPage(reply, theme.language, notMePage(theme, user))
      },
    },
    {
      ...shared,
      method: 'POST',
      operation: {
        id: 'notMe',
        summary: 'Shut everybody out, by the link in the mail of a new login',
        errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
      },
      schema: { params: linkParams, response: { 200: detailReply } },
      async handler(request, reply) {
        const user = await reportLogin(inRequestLanguage(deps, request), request.params as LinkParams)
        noteUser(request, user)
        const theme = themeOf(request)
        if (wantsHtml(request)) return sendPage(reply, theme.language, notMeDonePage(theme, user))
        return { detail: speak(reply, theme.language).texts.answers.not_me }
      },
    },
  ]
}
