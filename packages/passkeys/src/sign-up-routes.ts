import type { FastifyRequest } from 'fastify'
import type { AccountUser } from 'fastify-accounts'
import {
  type AccountBody,
  accountBody,
  accountInput,
  accountUser,
  detailReply,
  inRequestLanguage,
  knownUser,
  noteReason,
  noteUser,
  ownUser,
  ownUserReply,
  type Route,
  respondIn,
  startSession,
} from 'fastify-accounts/features'
import { browserOf, deviceName, markBrowser } from './browser.js'
import { creationOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { methods } from './log-in.js'
import { type AttestationBody, noProof, optionsReply, signUpProof } from './schemas.js'
import { checkSignUp, signUpWithPasskey } from './sign-up.js'

/** Signing up without a password. */
export function signUpRoutes(deps: PasskeyDeps): Route[] {
  return [optionsRoute(deps), signUpRoute(deps)]
}

const errors = ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_USERNAME_TAKEN'] as const

function optionsRoute(deps: PasskeyDeps): Route {
  const { challenges, settings, options } = deps
  return {
    name: 'signup-passkey-options',
    action: 'passkey-options',
    method: 'POST',
    path: '/signup/passkey/options/',
    operation: {
      id: 'signUpWithPasskeyOptions',
      summary: 'Get the options for signing up with a passkey',
      errors: [...errors],
    },
    access: 'anyone-known',
    budget: 'create',
    schema: {
      body: accountBody(options.fields, options, noProof),
      response: { 200: optionsReply },
    },
    async handler(request, reply) {
      const input = accountInput(request.body as AccountBody)
      await checkSignUp(deps, actorOf(request), input)
      const { challenge, handle } = challenges.make('sign-up', '', markBrowser(deps, request, reply))
      const asked = {
        challenge,
        handle,
        use: 'login',
        username: input.username ?? input.email ?? '',
        known: [],
      } as const
      return creationOptions(settings, options.brand.name, asked)
    },
  }
}

function signUpRoute(deps: PasskeyDeps): Route {
  const { options, where, themeOf } = deps
  const { fields, requireEmailConfirmation } = options
  return {
    name: 'signup-passkey',
    action: 'sign-up-passkey',
    method: 'POST',
    path: '/signup/passkey/',
    operation: {
      id: 'signUpWithPasskey',
      summary: 'Create a user with a passkey, logged in at once unless email confirmation is required',
      errors: [...errors, 'ACCOUNTS_EMAIL_TAKEN', 'ACCOUNTS_INVALID_PASSKEY', 'ACCOUNTS_CONFLICT'],
      setsSession: true,
    },
    access: 'anyone-known',
    budget: 'create',
    schema: {
      body: accountBody(fields, options, signUpProof),
      response: requireEmailConfirmation
        ? { 202: detailReply }
        : { 201: ownUserReply(fields, options.names) },
    },
    async handler(request, reply) {
      const { response, ...body } = request.body as AccountBody & { response: AttestationBody }
      const given = { response, name: deviceName(request, deps), browser: browserOf(deps, request) }
      const localized = inRequestLanguage(deps, request)
      const actor = actorOf(request)
      const { user, mustConfirm } = await signUpWithPasskey(localized, actor, accountInput(body), given)
      noteUser(request, user)
      // Staff create accounts for others.
      if (!actor?.isStaff && user?.email !== null) deps.signUp.write(reply, user)
      // The response hides it; the audit trail need not.
      if (user === null) noteReason(request, 'ACCOUNTS_EMAIL_TAKEN')
      if (mustConfirm || user === null) {
        reply.code(202)
        return { detail: respondIn(reply, themeOf(request).language).texts.responses.confirm }
      }
      const begun = await startSession(localized, request, reply, { user, methods }, false)
      const location = where.url('user-detail', { pk: user.id }) ?? where.url('me')
      if (location !== undefined) reply.header('location', location)
      reply.code(201)
      return ownUser(begun)
    },
  }
}

function actorOf(request: FastifyRequest): AccountUser | null {
  const actor = knownUser(request)
  return actor && accountUser(actor)
}
