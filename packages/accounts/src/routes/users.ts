import type { TObject } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import { fieldError, invalidInput } from '../errors.js'
import type { UsersOptions } from '../options.js'
import type { Look } from '../pages/look.js'
import { verifiedPage, verifyPage } from '../pages/verify.js'
import { createUser } from '../services/create-user.js'
import { deleteUser } from '../services/delete-user.js'
import { listUsers } from '../services/list-users.js'
import { logOutUser } from '../services/log-out-user.js'
import { resendVerification } from '../services/resend-verification.js'
import { showUser } from '../services/show-user.js'
import { updateUser } from '../services/update-user.js'
import { verifyUser } from '../services/verify-user.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { ListCursor } from '../tokens/list-cursor.js'
import { type AccountUser, accountUser, ownUser, publicUser, type UserFields } from '../user.js'
import { knownUser, loggedInUser, requireConfirmed } from './access.js'
import { noteReason, noteUser } from './audit.js'
import { sendPage, wantsHtml } from './negotiation.js'
import type { Route } from './route.js'
import {
  type CreateUserBody,
  createUserBody,
  createUserFields,
  detailReply,
  type EmailBody,
  emailBody,
  type LinkParams,
  type ListQuery,
  linkParams,
  listQuery,
  noReply,
  ownUserReply,
  publicUserReply,
  type UserFlagsBody,
  type UserParams,
  userFlagsBody,
  userListReply,
  userParams,
  verifyReply,
} from './schemas.js'
import { speak, speaking } from './speech.js'

type UsersDeps = Deps & {
  keeper: SessionKeeper
  cursor: ListCursor
  fields: TObject | undefined
  usersOptions: Required<Omit<UsersOptions, 'fields'>>
  /** Where a user who was just created is shown, if anywhere. */
  locationOf(id: string): string | undefined
  /** The absolute URL of a path of the users routes. */
  urlOf(path: string): string
  lookOf(request: FastifyRequest): Look
}

/** The users routes: what variant A has, what variant B has. */
export function usersRoutes(deps: UsersDeps): Route[] {
  const { variant } = deps.usersOptions
  return [
    ...(variant === 'signup' ? [] : [...accountRoutes(deps), ...creationRoutes(deps, 'user')]),
    ...(variant === 'user' ? [] : creationRoutes(deps, 'signup')),
  ]
}

/** Creation and verification, under /user/ or under /signup/. */
function creationRoutes(deps: UsersDeps, variant: 'user' | 'signup'): Route[] {
  const { fields, links, lookOf } = deps
  const { requireEmailConfirmation } = deps.options
  const { verifyLinks } = deps.usersOptions
  const linkPath = `/${variant}/v/:uid64/:token/`
  const created = requireEmailConfirmation ? { 202: detailReply } : { 201: ownUserReply(fields) }

  return [
    {
      name: variant === 'user' ? 'user-list' : 'signup',
      action: 'create-user',
      method: 'POST',
      path: `/${variant}/`,
      access: 'anyone-known',
      budget: 'create',
      schema: { body: createUserBody(fields, requireEmailConfirmation), response: created },
      async handler(request, reply) {
        const actor = knownUser(request)
        const input = creationInput(request)
        const { user, mustConfirm } = await createUser(
          speaking(deps, request),
          actor && accountUser(actor),
          input,
          variant,
        )
        noteUser(request, user)
        // The answer hides it; the audit trail need not.
        if (user === null) noteReason(request, 'ACCOUNTS_EMAIL_TAKEN')
        if (mustConfirm || user === null) {
          reply.code(202)
          return { detail: speak(reply, lookOf(request).language).texts.answers.confirm }
        }
        const location = deps.locationOf(user.id)
        if (location !== undefined) reply.header('location', location)
        reply.code(201)
        return ownUser(user)
      },
    },
    {
      name: `${variant}-verify`,
      action: 'verify',
      method: 'GET',
      path: linkPath,
      access: 'anyone',
      budget: 'verify',
      linkPage: true,
      schema: { params: linkParams, response: { 200: verifyReply } },
      async handler(request, reply) {
        const parts = request.params as LinkParams
        const page = wantsHtml(request)
        // HEAD is what scanners send; a page's button, and the option, leave it to the POST.
        const changes = request.method === 'GET' && !page && verifyLinks === 'open'
        const user = changes ? await verifyUser(deps, parts) : (await links.open('verify-email', parts)).user
        noteUser(request, user)
        if (page) {
          const look = lookOf(request)
          const html = user.isVerified ? verifiedPage(look, user) : verifyPage(look, user)
          return sendPage(reply, look.language, html)
        }
        return { valid: true, verified: user.isVerified, username: user.username }
      },
    },
    {
      name: `${variant}-verify`,
      action: 'verify',
      method: 'POST',
      path: linkPath,
      access: 'anyone',
      budget: 'verify',
      linkPage: true,
      schema: { params: linkParams, response: { 200: verifyReply } },
      async handler(request, reply) {
        const user = await verifyUser(deps, request.params as LinkParams)
        noteUser(request, user)
        const look = lookOf(request)
        if (wantsHtml(request)) return sendPage(reply, look.language, verifiedPage(look, user))
        return { valid: true, verified: true, username: user.username }
      },
    },
    {
      name: `${variant}-verify-resend`,
      action: 'verify-resend',
      method: 'POST',
      path: `/${variant}/v/`,
      access: 'anyone',
      budget: 'resend',
      schema: { body: emailBody, response: { 202: detailReply } },
      async handler(request, reply) {
        const user = await resendVerification(speaking(deps, request), request.body as EmailBody, variant)
        noteUser(request, user)
        if (user === null) noteReason(request, 'ACCOUNTS_NOT_FOUND')
        reply.code(202)
        return { detail: speak(reply, lookOf(request).language).texts.answers.resend }
      },
    },
  ]
}

/** List, show, manage and delete: variant A only. */
function accountRoutes(deps: UsersDeps): Route[] {
  const { fields, cursor, keeper, urlOf } = deps
  const { publicFields } = deps.usersOptions
  const publicReply = publicUserReply(fields, publicFields)

  return [
    {
      name: 'user-list',
      action: 'list-users',
      method: 'GET',
      path: '/user/',
      access: 'logged-in',
      budget: null,
      schema: { querystring: listQuery, response: { 200: userListReply(publicReply) } },
      async handler(request, reply) {
        const query = request.query as ListQuery
        const after = query.cursor === undefined ? undefined : cursor.decode(query.cursor)
        if (after === null) throw invalidInput(fieldError('cursor', 'invalid'))
        const page = { limit: query.limit, after, search: query.search }
        const { users, next } = await listUsers(deps, accountUser(loggedInUser(request)), page)
        const search = query.search === undefined ? '' : `&search=${encodeURIComponent(query.search)}`
        const nextUrl =
          next && `${urlOf('/user/')}?limit=${query.limit}${search}&cursor=${cursor.encode(next)}`
        if (nextUrl !== null) reply.header('link', `<${nextUrl}>; rel="next"`)
        return { results: users.map((user) => publicUser(user, publicFields)), next: nextUrl }
      },
    },
    {
      name: 'user-detail',
      action: 'show-user',
      method: 'GET',
      path: '/user/:pk',
      access: 'logged-in',
      budget: null,
      // A user is shown in one of two views; the view itself says what is in it.
      schema: { params: userParams, response: { 200: ownOrPublicReply(fields, publicReply) } },
      async handler(request) {
        const actor = accountUser(loggedInUser(request))
        const { pk } = request.params as UserParams
        const target = await showUser(deps, actor, pk, (found) => noteUser(request, found))
        return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
      },
    },
    {
      name: 'user-detail',
      action: 'update-user',
      method: 'PATCH',
      path: '/user/:pk',
      access: 'logged-in',
      budget: null,
      schema: {
        params: userParams,
        body: userFlagsBody,
        response: { 200: ownOrPublicReply(fields, publicReply) },
      },
      async handler(request) {
        const actor = loggedInUser(request)
        const { pk } = request.params as UserParams
        const { is_active, is_staff } = request.body as UserFlagsBody
        // A browser that was left open must not make staff that lasts.
        if (is_staff !== undefined) requireConfirmed(request)
        const wanted = { id: pk, flags: { isActive: is_active, isStaff: is_staff } }
        const target = await updateUser(deps, actor, wanted, (found) => noteUser(request, found))
        return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
      },
    },
    {
      name: 'user-end-sessions',
      action: 'end-user-sessions',
      method: 'POST',
      path: '/user/:pk/end-sessions/',
      access: 'logged-in',
      budget: null,
      schema: { params: userParams, response: { 204: noReply } },
      async handler(request, reply) {
        const actor = accountUser(loggedInUser(request))
        const { pk } = request.params as UserParams
        await logOutUser(deps, actor, pk, (found) => noteUser(request, found))
        return reply.code(204).send()
      },
    },
    {
      name: 'user-detail',
      action: 'delete-user',
      method: 'DELETE',
      path: '/user/:pk',
      access: 'logged-in',
      budget: null,
      schema: { params: userParams, response: { 204: noReply } },
      async handler(request, reply) {
        const actor = accountUser(loggedInUser(request))
        const { pk } = request.params as UserParams
        // As DELETE /me/ does: this must not be the way around it.
        if (pk === actor.id) requireConfirmed(request)
        await deleteUser(deps, actor, pk, (found) => noteUser(request, found))
        if (pk === actor.id) await keeper.forget(request, reply)
        return reply.code(204).send()
      },
    },
  ]
}

function seesAll(actor: Pick<AccountUser, 'id' | 'isStaff'>, target: Pick<AccountUser, 'id'>): boolean {
  return actor.id === target.id || actor.isStaff
}

function ownOrPublicReply(fields: TObject | undefined, publicReply: TObject): TObject {
  const own = ownUserReply(fields)
  return { ...own, required: publicReply.required ?? [] }
}

/** An empty address in a form is no address; what is not ours is the integrator's. */
function creationInput(request: FastifyRequest): Parameters<typeof createUser>[2] {
  const body = request.body as CreateUserBody & UserFields
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !createUserFields.includes(name)))
  return {
    username: body.username,
    password: body.password,
    confirmPassword: body.confirm_password,
    email: body.email || undefined,
    fields,
  }
}
