import type { FastifyReply } from 'fastify'
import type { Language } from '../../languages/languages.js'
import { removedSentence } from '../../languages/removed.js'
import type { PageTheme } from '../../pages/theme.js'
import { type Client, requestOf } from '../../sessions/client.js'
import { respondIn } from '../input/request-language.js'
import type { MakePage, Result } from '../operation.js'
import type { RequestClient } from './client.js'

/**
 * Sends the result of an operation: as JSON, as a page, or as a redirect.
 * @param themeOf `null` for a route without pages
 * @param declaresTokens whether the schema of the response has tokens
 */
export function respond(
  result: Result,
  client: RequestClient,
  reply: FastifyReply,
  themeOf: ((client: Client) => PageTheme) | null,
  declaresTokens = false,
): FastifyReply {
  const { page, redirect, refresh, location, headers } = result
  if (headers !== undefined) reply.headers(headers)
  if (location !== undefined) reply.header('location', location)
  if (redirect !== undefined && client.prefersPage) return reply.redirect(redirect, 303)
  if (page !== undefined && themeOf !== null && client.prefersPage) {
    const theme = themeOf(client)
    if (refresh !== undefined) reply.header('refresh', `0; url=${refresh}`)
    const isEnd = client[requestOf].method === 'POST' && refresh === undefined
    const kept = isEnd ? theme.frame.keep(client, page, theme) : null
    if (kept !== null) return reply.redirect(kept, 303)
    return sendMade(page, theme, reply.code(result.status ?? 200))
  }
  const { status, body, tokens } = answerOf(result, client, reply)
  reply.code(status)
  if (tokens === null) return reply.send(body)
  return declaresTokens ? reply.send({ ...body, tokens }) : sendBeside(tokens, body, reply)
}

/**
 * The same for a route of the app: status and body, as JSON has it. The rest goes with its response.
 * @param serialize makes the JSON that the schema of our route allows
 */
export function jsonOf(
  result: Result,
  client: RequestClient,
  reply: FastifyReply,
  serialize: (status: number, body: object) => string,
): { status: number; body: unknown } {
  const { location, headers } = result
  if (headers !== undefined) reply.headers(headers)
  const { status, body, tokens } = answerOf(result, client, reply)
  // Where something is that was created the app knows better.
  if (location !== undefined && status === 303) reply.header('location', location)
  const json = body && JSON.parse(serialize(status, body))
  return { status, body: tokens === null ? json : { ...json, tokens } }
}

interface Answer {
  status: number
  body: object | undefined
  tokens: RequestClient['delivered']
}

function answerOf(result: Result, client: RequestClient, reply: FastifyReply): Answer {
  const body = bodyOf(result, client, reply)
  const { delivered: tokens } = client
  return { status: result.status ?? (body === undefined && tokens === null ? 204 : 200), body, tokens }
}

/** The schema of a feature's route that doesn't say `setsSession` would drop the tokens. */
function sendBeside(tokens: object, body: object | undefined, reply: FastifyReply): FastifyReply {
  const own = body === undefined ? '{}' : String(reply.serialize(body))
  const members = [own.slice(1, -1), `"tokens":${JSON.stringify(tokens)}`].filter((each) => each !== '')
  return reply.type('application/json; charset=utf-8').send(`{${members.join()}}`)
}

function bodyOf(
  { body, message, removed = null }: Result,
  client: Client,
  reply: FastifyReply,
): object | undefined {
  if (message === undefined) return body
  const language = respondIn(reply, client.language)
  const detail = language.texts.responses[message]
  if (removed === null) return { ...body, detail }
  return { ...body, detail: `${detail} ${removedSentence(language, removed)}`, removed }
}

/** Sends a page past the JSON serializer of the route's schema. */
export function sendPage(reply: FastifyReply, language: Language, html: string): FastifyReply {
  respondIn(reply, language)
  return reply.type('text/html; charset=utf-8').serializer(String).send(html)
}

/**
 * Makes a page and sends it. A page with a script gets the policy that allows it.
 * @param policy replaces that of links
 */
export function sendMade(
  make: MakePage,
  theme: PageTheme,
  reply: FastifyReply,
  policy?: string,
): FastifyReply {
  const content = make(theme)
  if (policy !== undefined) reply.header('content-security-policy', policy)
  if (typeof content === 'string') return sendPage(reply, theme.language, content)
  if (policy === undefined) reply.header('content-security-policy', theme.frame.policy(content.script))
  return sendPage(reply, theme.language, content.html)
}
