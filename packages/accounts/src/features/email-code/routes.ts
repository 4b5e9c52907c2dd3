import type { Static } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../../errors.js'
import { noteReason, noteUser } from '../../http/audit.js'
import { sendPage, wantsHtml } from '../../http/negotiation.js'
import { isOwnBrowser } from '../../http/own-browser.js'
import { ownUserReply } from '../../http/reply-schemas.js'
import { inRequestLanguage, respondIn } from '../../http/request-language.js'
import { isChecked } from '../../http/request-schemas.js'
import type { Route } from '../../http/route.js'
import { detailReply } from '../../http/schemas/replies.js'
import { type EmailBody, emailBody, type LinkParams, linkParams } from '../../http/schemas/requests.js'
import { startSession } from '../../http/start-session.js'
import { ownersName } from '../../identifiers/account-name.js'
import type { NamedCookie } from '../../sessions/named-cookie.js'
import { ownUser, type StoredUser, type User } from '../../user.js'
import type { FeatureCore } from '../feature.js'
import { type AskedCodes, askedLifetime, createAskedCodes } from './codes/asked-code.js'
import { codeFor, codesOf, liveCode } from './codes/mailed-code.js'
import { logInWithCode } from './log-in-with-code.js'
import { loggedInPage, loginCodePage, typeCodePage } from './pages.js'
import { requestLoginCode } from './request-login-code.js'
import { codeBody, shownReply } from './schemas.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'request-login-code': true
    'login-code': true
    'show-login-code': true
  }
}

const loginErrors = [
  'ACCOUNTS_INVALID_CODE',
  'ACCOUNTS_SECOND_FACTOR_REQUIRED',
  'ACCOUNTS_NOT_VERIFIED',
  'ACCOUNTS_DISABLED',
  'ACCOUNTS_CONFLICT',
  'ACCOUNTS_THROTTLED',
] as const

/** What these routes also need: the requests for codes, and their cookie. */
type CodeCore = FeatureCore & { asked: AskedCodes; askedCookie: NamedCookie }

/** Requests a code, accepts it, and serves the page that its email links to. */
export function emailCodeRoutes(core: FeatureCore): Route[] {
  const withAsked = { ...core, asked: createAskedCodes(core.options), askedCookie: core.cookie('code') }
  return [requestRoute(withAsked), typedRoute(withAsked), ...linkRoutes(withAsked)]
}

function requestRoute(core: CodeCore): Route {
  const { asked, askedCookie, themeOf } = core
  return {
    name: 'login-code',
    action: 'request-login-code',
    method: 'POST',
    path: '/login/code/',
    operation: { id: 'requestLoginCode', summary: 'Email a login code', errors: [] },
    access: 'anyone',
    budget: 'loginCodeRequest',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handler(request, reply) {
      const localized = inRequestLanguage(core, request)
      const body = request.body as EmailBody
      const isOwn = isOwnBrowser(core, request)
      const { user, text } = await requestLoginCode(localized, asked, body, isOwn)
      noteUser(request, user)
      if (user === null) noteReason(request, 'ACCOUNTS_NOT_FOUND')
      askedCookie.write(reply, text, askedLifetime / 1000)
      reply.code(202)
      return { detail: respondIn(reply, themeOf(request).language).texts.responses.login_code }
    },
  }
}

function typedRoute(core: CodeCore): Route {
  const { options } = core
  return {
    name: 'login-code-confirm',
    action: 'login-code',
    method: 'POST',
    path: '/login/code/confirm/',
    operation: {
      id: 'logInWithCode',
      summary: 'Log in with an emailed code, in the browser that requested it',
      errors: loginErrors,
      setsSession: true,
    },
    access: 'anyone',
    budget: 'login',
    schema: { body: codeBody, response: { 200: ownUserReply(options.fields, options.names) } },
    async handler(request, reply) {
      const { code, remember } = request.body as Static<typeof codeBody>
      return ownUser(await logIn(core, request, reply, { code, remembers: isChecked(remember) }))
    },
  }
}

/** The link in the email: GET shows its page, POST logs in. */
function linkRoutes(core: CodeCore): Route[] {
  const { options, asked, askedCookie, themeOf } = core
  const link = {
    name: 'login-code-link',
    path: '/login/code/:uid64/:token/',
    access: 'anyone',
    budget: 'verify',
    linkPage: true,
  } as const

  return [
    {
      ...link,
      action: 'show-login-code',
      method: 'GET',
      operation: {
        id: 'showLoginCode',
        summary: 'Show the login button, or in another browser the code',
        errors: ['ACCOUNTS_INVALID_LINK'],
      },
      schema: { params: linkParams, response: { 200: shownReply } },
      async handler(request, reply) {
        const { user, code, seed } = await openLink(core, request)
        const isHere = asked.open(askedCookie.read(request) ?? '')?.seed === seed
        if (!wantsHtml(request)) return { code, same_browser: isHere }
        const theme = themeOf(request)
        // A page has no place for a second factor; if the code is typed, the login continues.
        const html =
          isHere && user.factors.length === 0
            ? loginCodePage(theme, { username: ownersName(options, user) })
            : typeCodePage(theme, { code })
        return sendPage(reply, theme.language, html)
      },
    },
    {
      ...link,
      action: 'login-code',
      method: 'POST',
      operation: {
        id: 'logInWithCodeLink',
        summary: 'Log in by the emailed link, in the browser that requested it',
        errors: ['ACCOUNTS_INVALID_LINK', ...loginErrors],
        setsSession: true,
      },
      schema: { params: linkParams, response: { 200: ownUserReply(options.fields, options.names) } },
      async handler(request, reply) {
        const { code } = await openLink(core, request)
        const user = await logIn(core, request, reply, { code, remembers: false })
        if (!wantsHtml(request)) return ownUser(user)
        const theme = themeOf(request)
        return sendPage(reply, theme.language, loggedInPage(theme, { username: ownersName(options, user) }))
      },
    },
  ]
}

async function logIn(
  core: CodeCore,
  request: FastifyRequest,
  reply: FastifyReply,
  { code, remembers }: { code: string; remembers: boolean },
): Promise<User> {
  const { options, device, asked, askedCookie } = core
  const localized = { ...inRequestLanguage(core, request), options }
  const from = asked.open(askedCookie.read(request) ?? '')
  const proof = await logInWithCode(localized, from, code, (user) => device.read(request, user))
  // It has been used, and no longer works.
  askedCookie.clear(request, reply)
  return startSession(localized, request, reply, proof, remembers)
}

/** Whose code a link shows. */
async function openLink(
  { options, links }: CodeCore,
  request: FastifyRequest,
): Promise<{ user: StoredUser; code: string; seed: string }> {
  const { user, variant } = await links.open('login-code', request.params as LinkParams)
  noteUser(request, user)
  const [known] = codesOf(variant, 'login-code')
  const code = known ? liveCode(user, 'login-code', known.id) : null
  if (code === null || user.emailKey === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const { kind, id: seed } = code
  return { user, code: codeFor(options, { kind, seed, emailKey: user.emailKey }), seed }
}
