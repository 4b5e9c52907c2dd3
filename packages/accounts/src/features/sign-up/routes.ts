import type { FastifyRequest } from 'fastify'
import { knownUser } from '../../http/access.js'
import { accountInput } from '../../http/account-input.js'
import { noteReason, noteUser } from '../../http/audit.js'
import { ownUserReply } from '../../http/reply-schemas.js'
import { inRequestLanguage, respondIn } from '../../http/request-language.js'
import { createUserBody } from '../../http/request-schemas.js'
import type { Route } from '../../http/route.js'
import { detailReply } from '../../http/schemas/replies.js'
import type { CreateUserBody } from '../../http/schemas/requests.js'
import { whileThere } from '../../http/while-there.js'
import { accountUser, ownUser, type UserFields } from '../../user.js'
import type { CreateUserInput } from '../../users/create.js'
import { createUser } from '../../users/create-user.js'
import type { FeatureCore } from '../feature.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'create-user': true
  }
}

/** Creation, under /user/ or under /signup/. */
export function signUpRoute(core: FeatureCore, variant: 'user' | 'signup'): Route {
  const { where, themeOf } = core
  const { fields, requireEmailConfirmation, names } = core.options
  const created = requireEmailConfirmation ? { 202: detailReply } : { 201: ownUserReply(fields, names) }

  return {
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
        whileThere(inRequestLanguage(core, request), reply),
        actor && accountUser(actor),
        { input: creationInput(request) },
        variant,
      )
      noteUser(request, user)
      // Staff create accounts for others.
      if (!actor?.isStaff && user?.email !== null) core.signUp.write(reply, user)
      // The response hides it; the audit trail doesn't have to.
      if (user === null) noteReason(request, 'ACCOUNTS_EMAIL_TAKEN')
      if (mustConfirm || user === null) {
        reply.code(202)
        return { detail: respondIn(reply, themeOf(request).language).texts.responses.confirm }
      }
      // The variant `signup` alone has no path for a single user.
      const location = where.url('user-detail', { pk: user.id }) ?? where.url('me')
      if (location !== undefined) reply.header('location', location)
      reply.code(201)
      return ownUser(user)
    },
  }
}

function creationInput(request: FastifyRequest): CreateUserInput {
  const { password, confirm_password, ...others } = request.body as CreateUserBody & UserFields
  return { ...accountInput(others), password, confirmPassword: confirm_password }
}
