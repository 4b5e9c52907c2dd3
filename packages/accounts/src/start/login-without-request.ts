import type { FastifyInstance, FastifyRequest } from 'fastify'
import { shared } from '../copies.js'
import type { MountCore } from '../http/feature-core.js'
import { type Client, type DeliveredTokens, requestOf } from '../sessions/client.js'
import type { Accounts, HostLogin } from './accounts.js'
import { logInByHost } from './host/log-in-by-host.js'

/**
 * Does what `app.accounts.logIn` does in a request, where there is none: in the tests of an app, by `logInAs` of
 * @fastify-accounts/testing. It has no export, as it would be a hole in an app that is in use. Resolves to the Cookie
 * header that a browser would send from then on, or to the tokens that an app would get, if this mount has tokens.
 */
type LoginWithoutRequest = (
  userId: string,
  login: HostLogin,
  delivery: Client['delivery'],
) => Promise<{ cookie: string; tokens: DeliveredTokens | null }>

/** By the decorator `app.accounts`, so it works on an app that is ready and whose options nobody knows. */
const logins = shared('logins', () => new WeakMap<object, LoginWithoutRequest>())

export function offerLoginWithoutRequest(app: FastifyInstance, accounts: Accounts, core: MountCore): void {
  logins.set(accounts, async (userId, login, delivery) => {
    const request = core.keeper.list === undefined ? await requestWithSession(app) : undefined
    const { client, cookies, delivered } = createClient(
      app,
      core,
      request as unknown as FastifyRequest,
      delivery,
    )
    await logInByHost(core, client, userId, login)
    // As in OpenAPI: the host's @fastify/session doesn't expose the name.
    if (request?.session) cookies.set('sessionId', request.session.encryptedSessionId)
    return { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), tokens: delivered() }
  })
}

interface SessionHolder {
  headers: object
  protocol: string
  session?: FastifyRequest['session']
}

/** What the host's @fastify/session makes for a request without a cookie. */
function requestWithSession(app: FastifyInstance): Promise<SessionHolder> {
  const request: SessionHolder = { headers: {}, protocol: 'http' }
  return new Promise((resolve) => app.decryptSession('', request, () => resolve(request)))
}

/** A client that shows nothing of itself, and the cookies that it is sent. */
function createClient(
  { log }: FastifyInstance,
  { options }: MountCore,
  request: FastifyRequest,
  delivery: Client['delivery'],
): { client: Client; cookies: Map<string, string>; delivered(): DeliveredTokens | null } {
  let tokens: DeliveredTokens | null = null
  const cookies = new Map<string, string>()
  const client: Client = {
    language: options.languages.fallback,
    prefersPage: false,
    asksForJson: true,
    network: null,
    isHead: false,
    details: { browser: null, system: null, ip: null },
    log,
    isGone: () => false,
    onGone() {},
    cookies: undefined,
    delivery,
    bearer: null,
    refreshToken: null,
    sessionName: null,
    setCookie(name, value) {
      cookies.set(name, encodeURIComponent(value))
    },
    checkReach() {},
    deliver(response) {
      tokens = response
    },
    challenge() {},
    clearSiteData() {},
    note() {},
    [requestOf]: request,
  }
  return { client, cookies, delivered: () => tokens }
}
