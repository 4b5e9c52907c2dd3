import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import type { UsersOptions } from '../options/options.js'
import type { PageTheme } from '../pages/theme.js'
import { verifiedPage, verifyPage } from '../pages/verify.js'
import { createUser } from '../services/create-user.js'
import { resendVerification } from '../services/resend-verification.js'
import { verifyUser } from '../services/verify-user.js'
import { accountUser, type FieldsSchema, ownUser, type UserFields } from '../user.js'
import { knownUser } from './access.js'
import { noteReason, noteUser } from './audit.js'
import { asksForJson, sendPage, wantsHtml } from './negotiation.js'
import { inRequestLanguage, speak } from './request-language.js'
import type { Route } from './route.js'
import {
  type CreateUserBody,
  createUserBody,
  createUserFields,
  detailReply,
  type EmailBody,
  emailBody,
  type LinkParams,
  linkParams,
  openedReply,
  ownUserReply,
  verifyReply,
} from './schemas.js'
import { whileThere } from './while-there.js'

export type CreationDeps = Deps & {
  fields: FieldsSchema | undefined
  usersOptions: Required<Omit<UsersOptions, 'fields'>>
  /** Where a user who was just created is shown, if anywhere. */
  locationOf(id: string): string | undefined
  themeOf(request: FastifyRequest): PageTheme
}

/** Each variant is a route of its own, and has names of its own. */
const operationIds = {
  user: {
    create: 'createUser',
    open: 'openUserVerification',
    verify: 'verifyUser',
    resend: 'resendUserVerification',
  },
  signup: {
    create: 'signUp',
    open: 'openSignupVerification',
    verify: 'verifySignup',
    resend: 'resendSignupVerification',
  },
}

/** Creation and verification, under /user/ or under /signup/. */
export function creationRoutes(deps: CreationDeps, variant: 'user' | 'signup'): Route[] {
  const { fields, links, themeOf } = deps
  const { requireEmailConfirmation } = deps.options
  const { verifyLinks } = deps.usersOptions
  const ids = operationIds[variant]
  const linkPath = `/${variant}/v/:uid64/:token/`
  const created = requireEmailConfirmation ? { 202: detailReply } : { 201: ownUserReply(fields) }

  return [
    {
      name: variant === 'user' ? 'user-list' : 'signup',
      action: 'create-user',
      method: 'POST',
      path: `/${variant}/`,
      operation: {
        id: ids.create,
        summary: 'Create a user',
        errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_EMAIL_TAKEN'],
      },
      access: 'anyone-known',
      budget: 'create',
      schema: { body: createUserBody(fields, requireEmailConfirmation), response: created },
      async handler(request, reply) {
        const actor = knownUser(request)
        const input = creationInput(request)
        const { user, mustConfirm } = await createUser(
          whileThere(inRequestLanguage(deps, request), reply),
          actor && accountUser(actor),
          input,
          variant,
        )
        noteUser(request, user)
        // The answer hides it; the audit trail need not.
        if (user === null) noteReason(request, 'ACCOUNTS_EMAIL_TAKEN')
        if (mustConfirm || user === null) {
          reply.code(202)
          return { detail: speak(reply, themeOf(request).language).texts.answers.confirm }
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
      operation: {
        id: ids.open,
        summary:
          'Show the page that verifies the address; a client that asks for application/json by name verifies by it',
        errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
      },
      access: 'anyone',
      budget: 'verify',
      linkPage: true,
      schema: { params: linkParams, response: { 200: verifyLinks === 'json' ? openedReply : verifyReply } },
      async handler(request, reply) {
        const parts = request.params as LinkParams
        const page = wantsHtml(request)
        // A mail scanner takes whatever comes, as a browser or not: unless JSON is asked for by name, nothing changes,
        // and nothing is told of the account.
        const isAsked = verifyLinks !== 'json' || asksForJson(request)
        // HEAD is what scanners send; a page's button, and the option, leave it to the POST.
        const changes = request.method === 'GET' && !page && isAsked && verifyLinks !== 'click'
        const user = changes ? await verifyUser(deps, parts) : (await links.open('verify-email', parts)).user
        noteUser(request, user)
        if (page) {
          const theme = themeOf(request)
          const html = user.isVerified ? verifiedPage(theme, user) : verifyPage(theme, user)
          return sendPage(reply, theme.language, html)
        }
        return isAsked ? { valid: true, verified: user.isVerified, username: user.username } : { valid: true }
      },
    },
    {
      name: `${variant}-verify`,
      action: 'verify',
      method: 'POST',
      path: linkPath,
      operation: {
        id: ids.verify,
        summary: 'Verify the e-mail address by a link',
        errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
      },
      access: 'anyone',
      budget: 'verify',
      linkPage: true,
      schema: { params: linkParams, response: { 200: verifyReply } },
      async handler(request, reply) {
        const user = await verifyUser(deps, request.params as LinkParams)
        noteUser(request, user)
        const theme = themeOf(request)
        if (wantsHtml(request)) return sendPage(reply, theme.language, verifiedPage(theme, user))
        return { valid: true, verified: true, username: user.username }
      },
    },
    {
      name: `${variant}-verify-resend`,
      action: 'verify-resend',
      method: 'POST',
      path: `/${variant}/v/`,
      operation: { id: ids.resend, summary: 'Mail the verification link again', errors: [] },
      access: 'anyone',
      budget: 'resend',
      schema: { body: emailBody, response: { 202: detailReply } },
      async handler(request, reply) {
        const user = await resendVerification(
          inRequestLanguage(deps, request),
          request.body as EmailBody,
          variant,
        )
        noteUser(request, user)
        if (user === null) noteReason(request, 'ACCOUNTS_NOT_FOUND')
        reply.code(202)
        return { detail: speak(reply, themeOf(request).language).texts.answers.resend }
      },
    },
  ]
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
