import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { PageTheme } from '../pages/theme.js'
import { createUser } from '../services/create-user.js'
import type { SignUpCookie } from '../sessions/sign-up-cookie.js'
import { accountUser, type FieldsSchema, ownUser, type UserFields } from '../user.js'
import type { CreateUserInput } from '../users/create.js'
import { knownUser } from './access.js'
import { accountInput } from './account-input.js'
import { noteReason, noteUser } from './audit.js'
import { ownUserReply } from './reply-schemas.js'
import { inRequestLanguage, respondIn } from './request-language.js'
import { createUserBody } from './request-schemas.js'
import type { Route } from './route.js'
import type { RouteUrls } from './route-urls.js'
import { detailReply } from './schemas/replies.js'
import type { CreateUserBody } from './schemas/requests.js'
import { whileThere } from './while-there.js'

declare module '../feature-names.js' {
  interface FeatureActions {
    'create-user': true
  }
}

export type CreationDeps = Deps & {
  fields: FieldsSchema | undefined
  signUp: SignUpCookie
  usersOptions: Exclude<ResolvedOptions['users'], false>
  where: RouteUrls
  themeOf(request: FastifyRequest): PageTheme
}

/** Creation, under /user/ or under /signup/. */
export function creationRoutes(deps: CreationDeps, variant: 'user' | 'signup'): Route[] {
  const { fields, where, themeOf } = deps
  const { requireEmailConfirmation, names } = deps.options
  const created = requireEmailConfirmation ? { 202: detailReply } : { 201: ownUserReply(fields, names) }

  return [
    {
      name: variant === 'user' ? 'user-list' : 'signup',
      action: 'create-user',
      method: 'POST',
      path: `/${variant}/`,
      operation: {
        // Each variant has its own route.
        id: variant === 'user' ? 'createUser' : 'signUp',
        summary: 'Create a user',
        errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_EMAIL_TAKEN'],
      },
      access: 'anyone-known',
      budget: 'create',
      schema: { body: createUserBody(fields, { requireEmailConfirmation, names }), response: created },
      async handler(request, reply) {
        const actor = knownUser(request)
        const { user, mustConfirm } = await createUser(
          whileThere(inRequestLanguage(deps, request), reply),
          actor && accountUser(actor),
          { input: creationInput(request) },
          variant,
        )
        noteUser(request, user)
        // Staff create accounts for others.
        if (!actor?.isStaff && user?.email !== null) deps.signUp.write(reply, user)
        // The response hides it; the audit trail doesn't have to.
        if (user === null) noteReason(request, 'ACCOUNTS_EMAIL_TAKEN')
        if (mustConfirm || user === null) {
          reply.code(202)
          return { detail: respondIn(reply, themeOf(request).language).texts.answers.confirm }
        }
        // Variant B alone has no path for a single user.
        const location = where.url('user-detail', { pk: user.id }) ?? where.url('me')
        if (location !== undefined) reply.header('location', location)
        reply.code(201)
        return ownUser(user)
      },
    },
  ]
}

function creationInput(request: FastifyRequest): CreateUserInput {
  const { password, confirm_password, ...others } = request.body as CreateUserBody & UserFields
  return { ...accountInput(others), password, confirmPassword: confirm_password }
}
