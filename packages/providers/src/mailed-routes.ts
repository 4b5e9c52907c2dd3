import { AccountsError } from 'fastify-accounts'
import {
  inRequestLanguage,
  type LinkParams,
  linkParams,
  linkReply,
  noteHandOver,
  noteUser,
  ownUser,
  ownUserReply,
  type Route,
  sendPage,
  startSession,
  wantsHtml,
} from 'fastify-accounts/features'
import { askWhose } from './claim-routes.js'
import { confirmIdentity } from './confirm-identity.js'
import type { ProviderDeps } from './deps.js'
import { confirmIdentityPage } from './pages.js'
import { loginErrors } from './route-errors.js'

/** The emailed link for users whose provider does not vouch for their address. */
export function mailedRoutes(deps: ProviderDeps): Route[] {
  const { links, pendingIdentities, themeOf, options } = deps
  const shared = {
    name: 'confirm-identity',
    action: 'confirm-identity',
    path: '/login/with/confirm/:uid64/:token/',
    access: 'anyone',
    budget: 'verify',
    linkPage: true,
  } as const
  return [
    {
      ...shared,
      method: 'GET',
      operation: {
        id: 'checkIdentity',
        summary: 'Show the page that finishes signing up with another provider',
        errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_OTHER_BROWSER'],
      },
      schema: { params: linkParams, response: { 200: linkReply } },
      async handler(request, reply) {
        const { user } = await links.open('confirm-identity', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        if (pendingIdentities.read(request, user.emailKey) === null)
          throw new AccountsError('ACCOUNTS_OTHER_BROWSER')
        const theme = themeOf(request)
        return sendPage(reply, theme.language, confirmIdentityPage(theme))
      },
    },
    {
      ...shared,
      method: 'POST',
      operation: {
        id: 'confirmIdentity',
        summary: 'Finish signing up with another provider, in the browser where it began',
        errors: [
          ...(['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_OTHER_BROWSER', 'ACCOUNTS_IDENTITY_TAKEN'] as const),
          ...loginErrors,
        ],
        redirects: true,
        setsSession: true,
      },
      schema: {
        params: linkParams,
        response: { 200: ownUserReply(options.fields, options.names) },
      },
      async handler(request, reply) {
        const pendingFor = (emailKey: string | null) => pendingIdentities.read(request, emailKey)
        const parts = request.params as LinkParams
        const localized = { ...deps, ...inRequestLanguage(deps, request) }
        const { taken, owner, pending } = await confirmIdentity(
          { ...localized, noteHandOver: noteHandOver.bind(null, request) },
          parts,
          pendingFor,
        )
        if (taken === 'used')
          return askWhose(deps, request, reply, { claim: deps.claims.seal(pending), owner })
        pendingIdentities.drop(reply)
        const proof = { user: taken, methods: pending.methods }
        const user = await startSession(localized, request, reply, proof, pending.remember)
        return wantsHtml(request) ? reply.redirect(pending.next, 303) : ownUser(user)
      },
    },
  ]
}
