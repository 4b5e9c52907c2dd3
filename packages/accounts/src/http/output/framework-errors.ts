import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { english } from '../../languages/languages.js'
import { problemPage } from '../../pages/problem.js'
import type { PageTheme } from '../../pages/theme.js'
import type { Client } from '../../sessions/client.js'
import { lingeringClose } from '../guard/lingering-close.js'
import { setCommonHeaders, setLinkPageHeaders } from '../guard/security-headers.js'
import { respondIn } from '../input/request-language.js'
import type { ClientOf } from './client.js'
import { sendPage } from './respond.js'

/** One registration of the plugin, for the purposes of its pages. */
interface Mount {
  /** Of its paths. */
  prefix: string
  clientOf: ClientOf
  themeOf(client: Client): PageTheme
}

const mounts = new WeakMap<object, Mount[]>()

/** Gives {@link frameworkErrors} the language and the brand of the pages below a prefix. */
export function themeFrameworkErrors(app: FastifyInstance, mount: Mount): void {
  mounts.set(app.server, [...(mounts.get(app.server) ?? []), mount])
}

/**
 * Handles what Fastify's router rejects, for `Fastify({ frameworkErrors })`: a path with a malformed percent
 * sign (400), or with a parameter that is too long (414). Fastify's own response repeats the path, and with
 * it the token of a badly copied link. This one has Fastify's status and code, no path, `no-store` and
 * `nosniff`, and is a page for browsers. Fastify logs such a request, so use it with `maskedRequest`.
 */
export function frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The hooks of the app don't run here.
  lingeringClose(request, reply, () => {})
  const mount = mountOf(request)
  const client = mount?.clientOf(request)
  const language = client?.language ?? english
  const { texts } = language
  const status = error.statusCode ?? 500
  const message = status < 500 ? texts.errors.ACCOUNTS_INVALID_LINK : texts.pages.problem.unexpected
  setCommonHeaders(reply.code(status))
  const theme = client && mount?.themeOf(client)
  if (theme) setLinkPageHeaders(reply, theme.frame.policy())
  if (theme && client?.prefersPage) {
    const title = status < 500 ? texts.pages.problem.link : texts.pages.problem.failed
    const code = status < 500 ? 'ACCOUNTS_INVALID_LINK' : ''
    const unknown = { reason: undefined, retryAfter: undefined, link: undefined, route: undefined }
    const problem = { status, code, url: '', ...unknown }
    sendPage(reply, theme.language, problemPage(theme, problem, { title, message }))
    return
  }
  const title = STATUS_CODES[status] ?? 'Error'
  respondIn(reply, language)
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
  reply.send({ statusCode: status, code: error.code, error: title, message })
}

/** The one whose prefix is the longest match for the path; without a match, the first. */
function mountOf(request: FastifyRequest): Mount | undefined {
  const all = mounts.get(request.server.server) ?? []
  const fitting = all.filter(({ prefix }) => request.url.startsWith(prefix))
  return fitting.toSorted((one, other) => other.prefix.length - one.prefix.length)[0] ?? all[0]
}
