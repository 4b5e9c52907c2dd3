import {
  accountBody,
  accountInput,
  accountUser,
  created,
  createdReplies,
  finishLogin,
  type Route,
  route,
} from 'fastify-accounts/features'
import { deviceName } from './browser.js'
import type { PasskeyDeps } from './deps.js'
import { firstOptions } from './first-passkey.js'
import { methods } from './log-in-with-passkey.js'
import { noProof, optionsReply, signUpProof } from './schemas.js'
import { checkSignUp, signUpWithPasskey } from './sign-up.js'

/** Signing up without a password. */
export function signUpRoutes(deps: PasskeyDeps): Route[] {
  return [optionsRoute(deps), signUpRoute(deps)]
}

const errors = ['ACCOUNTS_USERNAME_TAKEN'] as const

function optionsRoute(deps: PasskeyDeps): Route {
  const { options } = deps
  return route({
    name: 'signup-passkey-options',
    action: 'passkey-options',
    method: 'POST',
    path: '/signup/passkey/options/',
    operation: {
      id: 'signUpWithPasskeyOptions',
      summary: 'Get the options for signing up with a passkey',
      authorize: ['createUser'],
      asks: [],
      errors,
    },
    access: 'anyone-known',
    budget: 'create',
    schema: { body: accountBody(options, noProof), response: { 200: optionsReply } },
    async handle({ body, who, client }) {
      const { transient: _, ...input } = accountInput(options, body)
      await checkSignUp(deps, who && accountUser(who.user), input)
      return { body: await firstOptions(deps, client, '', input.username ?? input.email ?? '') }
    },
  })
}

function signUpRoute(deps: PasskeyDeps): Route {
  const { options } = deps
  return route({
    name: 'signup-passkey',
    action: 'sign-up-passkey',
    method: 'POST',
    path: '/signup/passkey/',
    operation: {
      id: 'signUpWithPasskey',
      summary: 'Create a user with a passkey, logged in at once unless email confirmation is required',
      authorize: ['createUser'],
      asks: ['signUp', 'logIn'],
      errors: [...errors, 'ACCOUNTS_EMAIL_TAKEN', 'ACCOUNTS_INVALID_PASSKEY'],
      setsSession: true,
    },
    access: 'anyone-known',
    budget: 'create',
    schema: { body: accountBody(options, signUpProof), response: createdReplies(options) },
    async handle({ body: { response, ...account }, who, client }, core) {
      const registration = { response, name: deviceName(client), client }
      const signedUp = await signUpWithPasskey(
        { ...deps, ...core },
        who && accountUser(who.user),
        accountInput(options, account),
        registration,
      )
      return created(core, { who, client }, signedUp, (user) =>
        finishLogin(core, client, { user, methods }, false),
      )
    },
  })
}
