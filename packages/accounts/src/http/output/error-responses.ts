import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeError } from '../../adapters/describe-error.js'
import { isOfOutage } from '../../adapters/outages.js'
import { AccountsError, BusyError, fieldError, invalidInput, translated } from '../../errors.js'
import type { Language } from '../../languages/languages.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { problemPage } from '../../pages/problem.js'
import type { PageTheme } from '../../pages/theme.js'
import { ClientGoneError } from '../../passwords/hash-queue.js'
import { RuleError } from '../../seams/rule-error.js'
import { InvalidArgumentError } from '../../seams/store-errors.js'
import type { Client } from '../../sessions/client.js'
import { LinkFault } from '../../tokens/link-fault.js'
import { addNote, noteRefusal } from '../guard/audit.js'
import { setRateLimitHeaders } from '../guard/security-headers.js'
import { respondIn } from '../input/request-language.js'
import { argumentsOf, type MakePage } from '../operation.js'
import type { ClientOf } from './client.js'
import { hiddenIn } from './hidden-in.js'
import { sendMade } from './respond.js'
import { asError, ThrownError } from './thrown-error.js'

/**
 * Sends the errors of a scope in the contract's format, or as a page on link pages; with `errorResponses: 'host'` through
 * the host's error handler, if it has one. An internal error never shows its text.
 * @param refusalLost called if that handler turns a refusal into a response of status 500 or more
 */
export function setErrorResponses(
  scope: FastifyInstance,
  host: FastifyInstance,
  {
    clientOf,
    themeOf,
    entranceFor,
  }: {
    clientOf: ClientOf
    themeOf(client: Client): PageTheme
    /** Where a browser goes that is refused; `null` if it gets the error. */
    entranceFor(error: Error, request: FastifyRequest): string | null
  },
  { errorResponses }: Pick<ResolvedOptions, 'errorResponses'>,
  refusalLost: () => void,
): void {
  scope.setErrorHandler((thrown: unknown, request, reply) => {
    const client = clientOf(request, reply)
    const theme = themeOf(client)
    const { error, status } = refusalOf(thrown, client.language, request, reply)
    const route = request.routeOptions.config.accounts
    const entrance = route?.isPage ? entranceFor(error, request) : null
    if (entrance !== null) return reply.redirect(entrance, 303)
    if (route?.linkPage && (route.isPage || client.prefersPage))
      return formAgain(error, request, client).then(
        (form = () => failedPage(theme, error, status, request)) => sendMade(form, theme, reply.code(status)),
      )
    // Checked at each error, as a host may set its handler after us. Fastify's own would drop the fields.
    if (errorResponses === 'host' && !isFastifysOwn(host)) {
      if (status < 500) reply.raw.once('finish', () => reply.statusCode >= 500 && refusalLost())
      // It knows what its app throws.
      return host.errorHandler(
        error instanceof ThrownError && error.body ? (thrown as FastifyError) : error,
        request,
        reply,
      )
    }
    reply.code(status).type('application/json; charset=utf-8')
    return reply.serializer(JSON.stringify).send(errorBody(theme.language, error, status))
  })
}

/** An error of an operation for a route of the app: what our route would have sent. */
export function asSent({ error, status }: Refusal, language: Language): Error {
  if (isMadeForClients(error)) return error
  const body = errorBody(language, error, status)
  return Object.assign(new Error('', { cause: error }), body, { statusCode: status })
}

interface Refusal {
  error: FastifyError
  status: number
}

/** Notes and logs why a request is refused, and says when to ask again. */
export function refusalOf(
  thrown: unknown,
  language: Language,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal {
  const rawError = asError(thrown)
  const mappedError =
    rawError instanceof InvalidArgumentError ? invalidInput(fieldError('', 'invalid')) : rawError
  const error = inLanguage(mappedError, language)
  const status = statusOf(error)
  const code = codeOf(error)
  if (code !== undefined) noteRefusal(request, code)
  if (error instanceof AccountsError && error.userId !== undefined)
    addNote(request, { user: { id: error.userId } })
  if (mappedError.cause instanceof ClientGoneError) request.log.info('accounts: the client disconnected')
  // An outage is logged once, at its start: a stack for each request would bury everything else.
  else if (status < 500 || isOfOutage(mappedError) || mappedError.cause instanceof BusyError) {
    request.log.info({ code, ...reasonOf(mappedError) }, 'accounts: the request was rejected')
  } else request.log.error({ err: mappedError }, 'accounts: the request failed')
  if (error instanceof AccountsError) setRetryHeaders(reply, error)
  else setHeadersOf(reply, error)
  if (isMadeForClients(error) || status >= 500) respondIn(reply, language)
  return { error, status }
}

/**
 * Whether the error handler is Fastify's own, which shows the text of internal errors. Only that one's place has a
 * `toJSON`; its name may be another once a bundler has shortened it.
 */
function isFastifysOwn(host: FastifyInstance): boolean {
  const place = hiddenIn(host, 'fastify.errorHandler')
  return place === undefined
    ? host.errorHandler.name === 'defaultErrorHandler'
    : Object.hasOwn(place, 'toJSON')
}

/** With a code and a text for clients: ours, or that of a rule of the app. */
const isMadeForClients = (error: Error): error is AccountsError | RuleError =>
  error instanceof AccountsError || error instanceof RuleError

function inLanguage(error: FastifyError, language: Language): FastifyError {
  if (error instanceof RuleError) return error.in(language.tag)
  return error instanceof AccountsError ? translated(error, language) : error
}

/** An app's own code may throw anything: an error is never sent as a success or a redirect. */
function statusOf({ statusCode = 500 }: Partial<FastifyError>): number {
  return Number.isInteger(statusCode) && statusCode >= 400 && statusCode <= 599 ? statusCode : 500
}

/** Those of a driver may be numbers. */
const codeOf = ({ code }: { code?: unknown }): string | undefined =>
  typeof code === 'string' && code !== '' ? code : undefined

/** In one line, if a refusal has a cause that the client isn't told. */
function reasonOf(error: Error): { reason?: string } {
  const hasReason = error instanceof AccountsError && error.statusCode < 500 && error.cause !== undefined
  return hasReason ? { reason: describeError(error.cause) } : {}
}

function setRetryHeaders(reply: FastifyReply, { limit, retryAfter }: AccountsError): void {
  if (retryAfter === undefined) return
  reply.header('retry-after', retryAfter)
  if (limit !== undefined) setRateLimitHeaders(reply, { limit, remaining: 0, reset: retryAfter })
}

/** Those that say when and how to ask again. Others may be of a response that the app itself got from somewhere. */
const passedHeaders = /^(retry-after|www-authenticate|(x-)?ratelimit(-\w+)*)$/i

function setHeadersOf(reply: FastifyReply, { headers }: FastifyError & { headers?: unknown }): void {
  for (const [name, value] of Object.entries(Object(headers)))
    if (passedHeaders.test(name) && ['string', 'number'].includes(typeof value)) reply.header(name, value)
}

async function formAgain(
  error: FastifyError,
  request: FastifyRequest,
  client: Client,
): Promise<MakePage | undefined> {
  if (!isMadeForClients(error)) return undefined
  const isTaken = error.code === 'ACCOUNTS_USERNAME_TAKEN'
  const isAboutInput =
    error instanceof RuleError ? error.fields : isTaken || error.code === 'ACCOUNTS_INVALID_INPUT'
  if (!isAboutInput) return undefined
  const fields = isTaken
    ? [{ field: 'username', code: 'invalid' as const, message: error.message }]
    : error.fields
  const { route } = request.routeOptions.config.accounts ?? {}
  if (route?.formAgain === undefined) return undefined
  const [input, deps] = argumentsOf(request, client, route.core)
  try {
    return await route.formAgain(input, fields ?? [], deps)
  } catch {
    // If the link is invalid as well, there is no form to show.
    return undefined
  }
}

/** The heading above the message; other errors are rare on a link page. */
const headings: Partial<Record<string, keyof PageTheme['language']['texts']['pages']['problem']>> = {
  ACCOUNTS_INVALID_LINK: 'link',
  ACCOUNTS_LOGIN_REQUIRED: 'login',
  ACCOUNTS_THROTTLED: 'throttled',
  ACCOUNTS_UNAVAILABLE: 'unavailable',
}

function failedPage(
  theme: PageTheme,
  error: FastifyError,
  status: number,
  { url, routeOptions }: FastifyRequest,
): string {
  const { errors, pages } = theme.language.texts
  const texts = pages.problem
  const isThrottled = status === 429
  const title = texts[headings[error.code] ?? (isThrottled ? 'throttled' : 'failed')]
  const message = status < 500 || error instanceof AccountsError ? textOf(error) : undefined
  const fields = isMadeForClients(error) ? error.fields : undefined
  const general = isThrottled ? errors.ACCOUNTS_THROTTLED : texts.unexpected
  const { reason, retryAfter, cause } = error as Partial<AccountsError>
  const problem = {
    status,
    code: codeOf(error) ?? '',
    reason,
    retryAfter,
    link: cause instanceof LinkFault ? cause : undefined,
    url,
    route: routeOptions.config.accounts?.route?.name,
  }
  return problemPage(theme, problem, { title, message: message ?? general, fields })
}

/** What an error says to people. */
function textOf(error: FastifyError): string | undefined {
  return error instanceof ThrownError ? error.text : `${error.message}` || undefined
}

function errorBody(language: Language, error: FastifyError, status: number): object {
  const title = STATUS_CODES[status] ?? 'Error'
  if (isMadeForClients(error)) return error.toJSON()
  const code = codeOf(error)
  if (status >= 500) {
    const message = language.texts.pages.problem.unexpected
    // An error with a status was made for clients, by a plugin of the host; a driver's code stays private.
    const isForClients = error.statusCode === status && code !== undefined
    return { statusCode: status, ...(isForClients && { code }), error: title, message }
  }
  if (error instanceof ThrownError && error.body !== undefined) return error.body
  return { statusCode: status, ...(code && { code }), error: title, message: error.message }
}
