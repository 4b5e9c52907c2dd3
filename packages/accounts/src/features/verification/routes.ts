import { noteReason, noteUser } from '../../http/audit.js'
import { isMakersBrowser } from '../../http/maker.js'
import { asksForJson, sendPage, wantsHtml } from '../../http/negotiation.js'
import { isOwnBrowser } from '../../http/own-browser.js'
import { inRequestLanguage, respondIn } from '../../http/request-language.js'
import { verifyBody } from '../../http/request-schemas.js'
import type { Route } from '../../http/route.js'
import { detailReply, openedReplies, verifyReplies } from '../../http/schemas/replies.js'
import { type EmailBody, emailBody, type LinkParams, linkParams } from '../../http/schemas/requests.js'
import { ownersName } from '../../identifiers/account-name.js'
import type { FeatureCore } from '../feature.js'
import { verifiedPage, verifyPage } from './pages.js'
import { resendVerification } from './resend-verification.js'
import { accountFacts, showElsewhere } from './routes/elsewhere.js'
import { verifyByBody } from './routes/verify.js'
import { verifyUser } from './verify-user.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    verify: true
    'verify-resend': true
  }
}

/** Each variant of creation has its own routes, with their own names. */
const operationIds = {
  user: { get: 'verifyUserByGet', verify: 'verifyUser', resend: 'resendUserVerification' },
  signup: { get: 'verifySignupByGet', verify: 'verifySignup', resend: 'resendSignupVerification' },
}

/** The link in the email to a new account, and the request for another one. */
export function verificationRoutes(core: FeatureCore): Route[] {
  const { users } = core.options
  if (users === false) return []
  const { variant, verifyLinks } = users
  return [
    ...(variant === 'signup' ? [] : variantRoutes(core, 'user', verifyLinks)),
    ...(variant === 'user' ? [] : variantRoutes(core, 'signup', verifyLinks)),
  ]
}

function variantRoutes(core: FeatureCore, variant: Variant, verifyLinks: VerifyLinks): Route[] {
  return [openRoute(core, variant, verifyLinks), verifyRoute(core, variant), resendRoute(core, variant)]
}

type Variant = 'user' | 'signup'
type VerifyLinks = 'json' | 'open' | 'click'

const linkPath = (variant: Variant): string => `/${variant}/v/:uid64/:token/`

function openRoute(core: FeatureCore, variant: Variant, verifyLinks: VerifyLinks): Route {
  return {
    name: `${variant}-verify`,
    action: 'verify',
    method: 'GET',
    path: linkPath(variant),
    operation: {
      id: operationIds[variant].get,
      summary:
        'Show the page that verifies the address; a client that asks for application/json by name verifies by it',
      errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
    },
    access: 'anyone-known',
    isOpenToEnroll: true,
    budget: 'verify',
    linkPage: true,
    schema: {
      params: linkParams,
      response: {
        200: (verifyLinks === 'json' ? openedReplies : verifyReplies)[core.options.names],
      },
    },
    async handler(request, reply) {
      const parts = request.params as LinkParams
      const asPage = wantsHtml(request)
      // A mail scanner accepts any content type, as a browser or not: unless JSON is requested by name,
      // nothing changes, and nothing about the account is revealed.
      const isAsked = verifyLinks !== 'json' || asksForJson(request)
      // Scanners send HEAD; the page's button and the option leave the change to a POST.
      const changes = request.method === 'GET' && !asPage && isAsked && verifyLinks !== 'click'
      const isMaker = isMakersBrowser(core, request)
      if (asPage) {
        const { user } = await core.links.open('verify-email', parts)
        noteUser(request, user)
        const theme = core.themeOf(request)
        const html = user.isVerified
          ? verifiedPage(theme, { username: ownersName(core.options, user) })
          : isMaker(user)
            ? verifyPage(theme, accountFacts(core, user))
            : showElsewhere(core, request, reply, user)
        return sendPage(reply, theme.language, html)
      }
      const user = changes
        ? await verifyUser(core, parts, isMaker)
        : (await core.links.open('verify-email', parts)).user
      noteUser(request, user)
      if (changes) core.signUp.clear(request, reply)
      return isAsked ? { valid: true, verified: user.isVerified, username: user.username } : { valid: true }
    },
  }
}

function verifyRoute(core: FeatureCore, variant: Variant): Route {
  return {
    name: `${variant}-verify`,
    action: 'verify',
    method: 'POST',
    path: linkPath(variant),
    operation: {
      id: operationIds[variant].verify,
      summary: 'Verify the email address by a link',
      errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'anyone-known',
    isOpenToEnroll: true,
    budget: 'verify',
    linkPage: true,
    schema: {
      params: linkParams,
      body: verifyBody(core.factors.filter(({ aloneRoute }) => aloneRoute !== undefined)),
      response: { 200: verifyReplies[core.options.names] },
    },
    async formPage(request, faults, reply) {
      const { user } = await core.links.open('verify-email', request.params as LinkParams)
      return showElsewhere(core, request, reply, user, faults)
    },
    async handler(request, reply) {
      const user = await verifyByBody(core, request, reply)
      noteUser(request, user)
      core.signUp.clear(request, reply)
      const theme = core.themeOf(request)
      if (wantsHtml(request)) {
        const html = verifiedPage(theme, { username: ownersName(core.options, user) })
        return sendPage(reply, theme.language, html)
      }
      return { valid: true, verified: true, username: user.username }
    },
  }
}

function resendRoute(core: FeatureCore, variant: Variant): Route {
  return {
    name: `${variant}-verify-resend`,
    action: 'verify-resend',
    method: 'POST',
    path: `/${variant}/v/`,
    operation: { id: operationIds[variant].resend, summary: 'Send the verification link again', errors: [] },
    access: 'anyone',
    budget: 'resend',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handler(request, reply) {
      const user = await resendVerification(
        inRequestLanguage(core, request),
        request.body as EmailBody,
        variant,
        isOwnBrowser(core, request),
      )
      noteUser(request, user)
      if (user === null) noteReason(request, 'ACCOUNTS_NOT_FOUND')
      reply.code(202)
      return { detail: respondIn(reply, core.themeOf(request).language).texts.responses.resend }
    },
  }
}
