import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { shared } from '../copies.js'
import type { MountCore } from '../http/feature-core.js'
import type { ClientOf } from '../http/output/client.js'
import type { Client, DeliveredTokens } from '../sessions/client.js'
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

export function offerLoginWithoutRequest(
  app: FastifyInstance,
  accounts: Accounts,
  core: MountCore,
  clientOf: ClientOf,
): void {
  logins.set(accounts, async (userId, login, delivery) => {
    const request: RequestOfNobody = {
      headers: delivery === 'cookie' ? {} : { 'accounts-delivery': delivery },
      protocol: 'http',
      log: app.log,
    }
    // What the host's @fastify/session makes for a request without a cookie.
    if (core.keeper.list === undefined)
      await new Promise<void>((resolve) => app.decryptSession('', request, () => resolve()))
    const raw = new ServerResponse(new IncomingMessage(new Socket()))
    const client = clientOf(request as FastifyRequest, replyOn(raw))
    await logInByHost(core, client, userId, login)
    const cookies = [raw.getHeader('set-cookie') ?? []].flat().map((each) => String(each).split(';')[0])
    // As in OpenAPI: the host's @fastify/session doesn't expose the name.
    if (request.session) cookies.push(`sessionId=${request.session.encryptedSessionId}`)
    return { cookie: cookies.join('; '), tokens: client.delivered }
  })
}

/** A request that reveals nothing about its client. */
type RequestOfNobody = Pick<FastifyRequest, 'headers' | 'protocol' | 'log'> &
  Partial<Pick<FastifyRequest, 'session'>>

/** As much of a reply as a client needs. */
function replyOn(raw: ServerResponse): FastifyReply {
  const reply = {
    raw,
    sent: false,
    getHeader: (name: string) => raw.getHeader(name),
    removeHeader: (name: string) => raw.removeHeader(name),
    header: (name: string, value: string) =>
      name === 'set-cookie' ? raw.appendHeader(name, value) : raw.setHeader(name, value),
  }
  return reply as unknown as FastifyReply
}
