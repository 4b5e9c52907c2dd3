import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import type { Look } from '../pages/look.js'
import { notMeDonePage, notMePage } from '../pages/not-me.js'
import { disownLogin } from '../services/disown-login.js'
import { noteUser } from './audit.js'
import { sendPage, wantsHtml } from './negotiation.js'
import type { Route } from './route.js'
import { detailReply, type LinkParams, linkParams, resetLinkReply } from './schemas.js'
import { speak, speaking } from './speech.js'

/** The link in the mail about a new device: GET looks at it, POST uses it. */
export function notMeRoutes(deps: Deps & { lookOf(request: FastifyRequest): Look }): Route[] {
  const { links, lookOf } = deps
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
      schema: { params: linkParams, response: { 200: resetLinkReply } },
      async handler(request, reply) {
        const { user } = await links.open('not-me', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        const look = lookOf(request)
        return sendPage(reply, look.language, notMePage(look, user))
      },
    },
    {
      ...shared,
      method: 'POST',
      schema: { params: linkParams, response: { 200: detailReply } },
      async handler(request, reply) {
        const user = await disownLogin(speaking(deps, request), request.params as LinkParams)
        noteUser(request, user)
        const look = lookOf(request)
        if (wantsHtml(request)) return sendPage(reply, look.language, notMeDonePage(look, user))
        return { detail: speak(reply, look.language).texts.answers.not_me }
      },
    },
  ]
}
