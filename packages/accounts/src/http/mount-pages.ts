import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { AccountsError } from '../errors.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { PageTheme } from '../pages/theme.js'
import type { Client } from '../sessions/client.js'
import { type AccessRule, whoOf } from './guard/access.js'
import { setLinkPageHeaders } from './guard/security-headers.js'
import { limitBodyTime } from './input/body-deadline.js'
import { addNavigation, forNavigation } from './navigation.js'
import { sendMade } from './output/respond.js'
import type { PageResult, PageRoute, PageVisit } from './page-route.js'
import { type Operations, performIn } from './perform.js'
import { guardOf, type PipelineDeps } from './pipeline.js'
import { scopePath } from './scope-path.js'
import { spellings } from './spellings.js'

interface MountDeps extends Omit<PipelineDeps, 'options'> {
  options: PipelineDeps['options'] & Pick<ResolvedOptions, 'constraints'>
  prefix: string
  themeOf(client: Client): PageTheme
  operations: Operations
  /** The path of the site that a proxy removes from the URL; `''` if none does. */
  outerPath: string
}

/** Mounts the pages of a feature, beside the routes of their paths. */
export function mountPages(scope: FastifyInstance, pages: readonly PageRoute[], deps: MountDeps): void {
  addNavigation(scope)
  const perform = performIn(deps.operations)
  const { constraints } = deps.options
  const limits = { ...(constraints?.host !== undefined && { host: constraints.host }), ...forNavigation }

  function visitOf(request: FastifyRequest, reply: FastifyReply): PageVisit {
    return {
      client: deps.clientOf(request, reply),
      who: whoOf(request),
      params: request.params as PageVisit['params'],
      query: request.query as PageVisit['query'],
      body: Object(request.body) as PageVisit['body'],
      // A router may take several slashes for one; a browser takes what follows two for a host.
      url: (deps.outerPath + request.url).replace(/^\/{2,}/, '/'),
      perform: (id, input = {}) => perform(request, reply, id, input),
    }
  }
  async function respond(reply: FastifyReply, client: Client, result: PageResult): Promise<FastifyReply> {
    if ('redirect' in result) return reply.redirect(result.redirect, 303)
    if ('file' in result) {
      reply.header('content-disposition', `attachment; filename="${result.name}"`)
      return reply.type(result.type).send(result.file)
    }
    const { page, status = 200, policy } = result
    sendMade(page, deps.themeOf(client), reply.code(status), policy)
    return reply
  }
  for (const page of pages) {
    const guards = {
      GET: guardOf({ ...page, budget: page.budget ?? null }, deps),
      POST: guardOf({ access: submitAccess(page), isOpenToEnroll: true, budget: null }, deps),
    }
    for (const url of spellings(scope, deps.prefix + page.path)) {
      // Of several versions in one app, the first serves browsers.
      if (scope.hasRoute({ method: 'GET', url: scopePath(scope) + url, constraints: limits as never }))
        continue
      // One route for all: an app starts faster.
      scope.route({
        method: ['GET', 'HEAD', 'POST'],
        url,
        constraints: limits,
        schema: { hide: true } as FastifySchema,
        config: { accounts: { access: page.access, linkPage: true, isPage: true } },
        onRequest: async (request, reply) => {
          setLinkPageHeaders(reply, deps.themeOf(deps.clientOf(request, reply)).frame.policy())
          await guards[isForm(request) ? 'POST' : 'GET'](request, reply)
          if (isForm(request)) limitBodyTime(request, reply)
        },
        handler: async (request, reply) => {
          const visit = visitOf(request, reply)
          return respond(
            reply,
            visit.client,
            await (isForm(request) ? submit(page, visit) : page.show(visit)),
          )
        },
      })
    }
  }
}

const isForm = ({ method }: FastifyRequest): boolean => method === 'POST'

/** @throws AccountsError ACCOUNTS_METHOD_NOT_ALLOWED if it has no form */
function submit(page: PageRoute, visit: PageVisit): Promise<PageResult> | PageResult {
  if (page.submit === undefined) throw new AccountsError('ACCOUNTS_METHOD_NOT_ALLOWED')
  return page.submit(visit)
}

/** Who may send its form: what that performs asks again. */
const submitAccess = ({ access }: PageRoute): AccessRule['access'] =>
  access === 'anyone' ? 'anyone' : 'anyone-known'
