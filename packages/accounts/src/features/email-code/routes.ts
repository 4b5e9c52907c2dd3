import { isChecked } from '../../http/input/checkbox.js'
import { emailBody } from '../../http/input/schemas.js'
import { linkRoutes } from '../../http/link-routes.js'
import { ownUserReply } from '../../http/output/reply-schemas.js'
import { detailReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { ownersName } from '../../identifiers/account-name.js'
import { type CodeRequests, createCodeRequests } from '../../logins/codes/code-requests.js'
import { codeFor, codesOf, liveCode } from '../../logins/codes/mailed-code.js'
import { finishLogin } from '../../logins/finish-login.js'
import { isMakersBrowser } from '../../logins/own-browser.js'
import { requestMail } from '../../logins/request-mail.js'
import type { Client } from '../../sessions/client.js'
import type { Visit } from '../../sessions/session-reader.js'
import type { OpenedLink } from '../../tokens/email-link.js'
import { invalidLink } from '../../tokens/link-fault.js'
import { ownUser, type User } from '../../user.js'
import type { FeatureCore } from '../feature.js'
import { logInWithCode } from './log-in-with-code.js'
import { loggedInPage, loginCodePage, typeCodePage } from './pages.js'
import { codeBody, shownReply } from './schemas.js'

const loginErrors = [
  'ACCOUNTS_INVALID_CODE',
  'ACCOUNTS_SECOND_FACTOR_REQUIRED',
  'ACCOUNTS_NOT_VERIFIED',
  'ACCOUNTS_DISABLED',
] as const

/** Requests a code, accepts it, and serves the page that its email links to. */
export function emailCodeRoutes(core: FeatureCore): Route[] {
  const requests = createCodeRequests('login-code', core.options, core.cookie('code'))
  return [requestRoute(requests), typedRoute(core, requests), ...linkedRoutes(core, requests)]
}

function requestRoute(requests: CodeRequests): Route {
  return route({
    name: 'login-code',
    action: 'request-login-code',
    method: 'POST',
    path: '/login/code/',
    operation: { id: 'requestLoginCode', summary: 'Email a login code' },
    access: 'anyone',
    budget: 'loginCodeRequest',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handle({ body, client }, deps) {
      await requestMail(deps, client, 'login-code', body, requests)
      return { status: 202, message: 'login_code' }
    },
  })
}

function typedRoute({ options }: FeatureCore, requests: CodeRequests): Route {
  return route({
    name: 'login-code-confirm',
    action: 'login-code',
    method: 'POST',
    path: '/login/code/confirm/',
    operation: {
      id: 'logInWithCode',
      summary: 'Log in with an emailed code, in the browser that requested it',
      asks: ['signUp', 'logIn'],
      errors: loginErrors,
      setsSession: true,
    },
    access: 'anyone-known',
    isOpenToEnroll: true,
    budget: 'login',
    schema: { body: codeBody, response: { 200: ownUserReply(options) } },
    async handle({ body: { code, remember, profile }, who, client }, deps) {
      const typed = { code, profile, remembers: isChecked(remember) }
      return { body: ownUser(await logIn(deps, requests, { who, client }, typed)) }
    },
  })
}

/** The link in the email. */
function linkedRoutes({ options }: FeatureCore, requests: CodeRequests): Route[] {
  return linkRoutes({
    name: 'login-code-link',
    action: 'login-code',
    path: '/login/code/',
    purpose: 'login-code',
    show: {
      action: 'show-login-code',
      operation: { id: 'showLoginCode', summary: 'Show the login button, or in another browser the code' },
      reply: shownReply,
      handle({ user, variant, client }) {
        const { code, seed } = linkedCode(options, { user, variant })
        const isHere = requests.read(client)?.seeds.includes(seed) === true
        return {
          body: { code, same_browser: isHere },
          // A page has no place for a second factor; if the code is typed, the login continues.
          page: (theme) =>
            isHere && user.factors.length === 0
              ? loginCodePage(theme, { username: ownersName(options, user) })
              : typeCodePage(theme, { code }),
        }
      },
    },
    use: {
      operation: {
        id: 'logInWithCodeLink',
        summary: 'Log in by the emailed link, in the browser that requested it',
        asks: ['signUp', 'logIn'],
        errors: loginErrors,
        setsSession: true,
      },
      access: 'anyone-known',
      schema: { response: { 200: ownUserReply(options) } },
      async handle({ params, who, client }, deps) {
        const opened = await deps.links.open('login-code', params)
        client.note({ user: opened.user })
        const { code } = linkedCode(options, opened)
        const user = await logIn(deps, requests, { who, client }, { code, remembers: false })
        return {
          body: ownUser(user),
          page: (theme) => loggedInPage(theme, { username: ownersName(options, user) }),
        }
      },
    },
  })
}

async function logIn(
  deps: FeatureCore,
  requests: CodeRequests,
  { who, client }: { who: Visit | null; client: Client },
  { code, profile, remembers }: { code: string; profile?: 'keep' | 'drop' | undefined; remembers: boolean },
): Promise<User> {
  const isMaker = isMakersBrowser(deps, client, who)
  const proof = await logInWithCode(deps, client, isMaker, requests, code, { profile })
  return finishLogin(deps, client, proof, remembers)
}

/** The code in the same email as a link. */
function linkedCode(
  options: FeatureCore['options'],
  { user, variant }: Pick<OpenedLink, 'user' | 'variant'>,
): { code: string; seed: string } {
  const [mailedCode] = codesOf(variant, 'login-code')
  const code = mailedCode ? liveCode(user, 'login-code', mailedCode.id) : null
  if (code === null || user.emailKey === null) throw invalidLink('used', 'login-code', user)
  const { kind, id: seed } = code
  return { code: codeFor(options, { kind, seed, emailKey: user.emailKey }), seed }
}
