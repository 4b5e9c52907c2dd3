import { AccountsError, type FieldError } from '../errors.js'
import type { OpenedLink, Purpose } from '../tokens/email-link.js'
import type { FeatureCore } from './feature-core.js'
import type { Access } from './guard/access.js'
import { type LinkParams, linkParams } from './input/schemas.js'
import type { FormInput, Handle, Input, MakePage, OperationSchema } from './operation.js'
import { linkReply } from './output/schemas.js'
import { type OperationFacts, type Route, route } from './route.js'

const withParams = { params: linkParams }

/** What the routes of an emailed link share. */
interface LinkBase extends Pick<Route, 'name' | 'action'> {
  /** What precedes the variable part. Ends with a slash. */
  path: string
  /** Default `verify`. */
  budget?: Route['budget']
  /** What its tokens are for: one purpose, or several that differ in what they prove. */
  purpose: Purpose | readonly Purpose[]
  /**
   * For links about an address: the one that the query names.
   * @throws AccountsError ACCOUNTS_INVALID_LINK
   */
  addressOf?: (query: Record<string, unknown>) => string
}

/** What differs between emailed links. */
export interface Link<Shows extends Access, Uses extends Access, Schema extends UseSchema> extends LinkBase {
  /** The GET. */
  show: {
    /** Default: that of the link. */
    action?: Route['action']
    /** ACCOUNTS_INVALID_LINK is one of its errors anyway. */
    operation: OperationFacts
    /** Default `anyone`. */
    access?: Shows
    /** The schema of its body. Default: that of `{ valid: true }`. */
    reply?: object
    /** Called once the link has been opened. Its body is `{ valid: true }` by default. */
    handle: (input: LinkInput<Shows> & OpenedLink, deps: FeatureCore) => ReturnType<Handle>
  }
  /** The POST. */
  use: LinkUse<Uses, Schema>
}

/** A POST of a link. It opens the link itself, when it has checked the rest. */
interface LinkUse<Uses extends Access, Schema extends UseSchema> {
  /**
   * `new-password` for the path `…/:token/new-password/` and the name `…-new-password`; a slash becomes a dash in the name.
   * Default: those of the link.
   */
  way?: string
  /** ACCOUNTS_INVALID_LINK is one of its errors anyway. */
  operation: OperationFacts
  /** Default `anyone`. */
  access?: Uses
  schema: Schema
  handle: (input: LinkInput<Uses, Schema>, deps: FeatureCore) => ReturnType<Handle>
  /** See `Route.formAgain`. Called with the opened link; an invalid link has no form. */
  formAgain?: (
    link: Omit<FormInput<LinkInput<Uses>>, 'query'> & OpenedLink,
    faults: readonly FieldError[],
    deps: FeatureCore,
  ) => MakePage | Promise<MakePage>
}

type UseSchema = Pick<OperationSchema, 'body' | 'response'>
type LinkInput<Asked extends Access, Schema = unknown> = Input<Schema & typeof withParams, Asked>

/**
 * The routes of an emailed link. GET shows what the link will do and POST does it, so a mail scanner that opens it changes
 * nothing.
 */
export function linkRoutes<
  const Schema extends UseSchema,
  const Shows extends Access = 'anyone',
  const Uses extends Access = 'anyone',
>(link: Link<Shows, Uses, Schema>): Route[] {
  const { show, use } = link
  return [
    route({
      ...sharedBy(link),
      action: show.action ?? link.action,
      method: 'GET',
      operation: operationOf(show.operation),
      access: show.access ?? ('anyone' as Shows),
      schema: { ...withParams, response: { 200: show.reply ?? linkReply } },
      async handle(rawInput, deps) {
        const input = withoutMarks(rawInput)
        const opened = await deps.links.open(link.purpose, input.params, link.addressOf?.(input.query))
        // Who stands in for a user has no id.
        if (opened.user.id !== '') input.client.note({ user: opened.user })
        return { body: { valid: true }, ...(await show.handle({ ...input, ...opened }, deps)) }
      },
    }),
    linkUse(link, use),
  ]
}

/** One use of an emailed link: of a link that can be used in several ways, each has a path of its own below it. */
export function linkUse<const Schema extends UseSchema, const Uses extends Access = 'anyone'>(
  link: LinkBase,
  { way, operation, access, schema, handle, formAgain }: LinkUse<Uses, Schema>,
): Route {
  return route<Schema & typeof withParams, Uses>({
    ...sharedBy(link, way),
    method: 'POST',
    operation: operationOf(operation),
    access: access ?? ('anyone' as Uses),
    schema: { ...schema, ...withParams },
    handle: (input, deps) => handle(withoutMarks(input), deps),
    ...(formAgain && {
      async formAgain(rawInput, faults, deps) {
        const input = withoutMarks(rawInput)
        const opened = await deps.links.open(link.purpose, input.params, link.addressOf?.(input.query))
        return formAgain({ ...input, ...opened }, faults, deps)
      },
    }),
  })
}

function sharedBy({ name, action, path, budget = 'verify' }: LinkBase, way?: string) {
  return {
    name: way === undefined ? name : `${name}-${way.replaceAll('/', '-')}`,
    action,
    path: `${path}:uid64/:token/${way === undefined ? '' : `${way}/`}`,
    budget,
    linkPage: true,
    isLink: true,
    // The link decides, no matter who is logged in in the browser that opens it.
    isOpenToEnroll: true,
  } as const
}

/**
 * The link without the marks that a mail program or a chat takes for its end, such as the bracket that follows it.
 * @throws AccountsError ACCOUNTS_INVALID_LINK for anything else behind it
 */
function withoutMarks<Given extends { params: LinkParams }>(input: Given): Given {
  const { uid64, token: marked, '*': below = '' }: LinkParams & { '*'?: string } = input.params
  // A token is URL-safe, and has no other spelling, such as one with padding.
  const [token = ''] = /^[\w.~-]*/.exec(marked) ?? []
  // From HTML, marks may come as its source has them.
  const added = (marked.slice(token.length) + below).replace(/&(apos|gt|lt|nbsp|quot)\b/g, '')
  if (/[\p{L}\p{N}\p{Cc}=]/u.test(added) || marked.includes('/'))
    throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return { ...input, params: { uid64, token } }
}

function operationOf({ errors = [], ...operation }: OperationFacts): OperationFacts {
  return { ...operation, errors: ['ACCOUNTS_INVALID_LINK', ...errors] }
}
