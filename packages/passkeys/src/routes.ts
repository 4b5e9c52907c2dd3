import type { FastifyRequest } from 'fastify'
import { AccountsError, type StoredUser } from 'fastify-accounts'
import {
  type AccountBody,
  accountBody,
  accountInput,
  accountUser,
  clientOf,
  detailReply,
  type FeatureRoutes,
  inRequestLanguage,
  knownUser,
  loggedInUser,
  noReply,
  noteReason,
  noteUser,
  ownUser,
  ownUserReply,
  type Route,
  respondIn,
  startSession,
  waitingLogin,
} from 'fastify-accounts/features'
import { browserOf, markBrowser } from './browser.js'
import { creationOptions, requestOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { isOn, usablePasskeys } from './factor.js'
import { logInWithPasskey, methods } from './log-in.js'
import { listedPasskey, passkeysOf } from './passkey.js'
import { addPasskey, checkIsFirst, handleOf, removePasskey, renamePasskey } from './register.js'
import {
  type AddBody,
  type AttestationBody,
  addBody,
  addOptionsBody,
  attestation,
  type LoginBody,
  loginBody,
  loginOptionsBody,
  optionsReply,
  type PasskeyParams,
  passkeyListReply,
  passkeyParams,
  passkeyReply,
  type RenameBody,
  renameBody,
  type UseBody,
} from './schemas.js'
import { checkSignUp, signUpWithPasskey } from './sign-up.js'

export function passkeyRoutes(deps: PasskeyDeps): FeatureRoutes {
  const { users } = deps.options
  return {
    auth: [...ownRoutes(deps), ...confirmRoutes(deps), ...loginRoutes(deps)],
    // Where nobody signs up under /signup/, nobody does by a passkey.
    users: users === false || users.variant === 'user' ? [] : signUpRoutes(deps),
  }
}

/** The passkeys of whoever is logged in. */
function ownRoutes(deps: PasskeyDeps): Route[] {
  const { challenges, settings, throttle, features } = deps
  const site = deps.options.brand.name

  return [
    {
      name: 'passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/passkeys/options/',
      operation: {
        id: 'addPasskeyOptions',
        summary: 'What a browser makes a passkey by',
        errors: ['ACCOUNTS_ENROLLMENT_REQUIRED'],
      },
      access: 'confirmed',
      isOpenToEnroll: true,
      budget: 'passkeyOptions',
      schema: { body: addOptionsBody(features.has('second-factor')), response: { 200: optionsReply } },
      async handler(request, reply) {
        const { use = 'login' } = request.body as UseBody
        const user = await ownRecord(deps, request)
        if (await deps.owesFactor(request)) checkIsFirst(user)
        const browser = markBrowser(deps, request, reply)
        const { challenge, handle } = challenges.make(`add-${use}`, user.id, browser)
        return creationOptions(settings, site, {
          ...{ challenge, use, username: user.username ?? user.email ?? '' },
          handle: handleOf(user) ?? handle,
          known: passkeysOf(user),
        })
      },
    },
    {
      name: 'passkeys',
      action: 'add-passkey',
      method: 'POST',
      path: '/passkeys/',
      operation: {
        id: 'addPasskey',
        summary: 'Add a passkey that a browser has made',
        errors: [
          'ACCOUNTS_INVALID_PASSKEY',
          'ACCOUNTS_ENROLLMENT_REQUIRED',
          'ACCOUNTS_CONFLICT',
          'ACCOUNTS_THROTTLED',
        ],
      },
      access: 'confirmed',
      isOpenToEnroll: true,
      budget: null,
      schema: { body: addBody, response: { 201: passkeyReply } },
      async handler(request, reply) {
        const { response, name = nameOf(request, deps) } = request.body as AddBody
        const user = await ownRecord(deps, request)
        await throttle.spend('changePasskeys', user.id)
        const browser = browserOf(deps, request)
        const given = { response, name, browser, isFirst: await deps.owesFactor(request) }
        const added = await addPasskey(inRequestLanguage(deps, request), user, given)
        reply.code(201)
        return listedPasskey(added.passkey)
      },
    },
    {
      name: 'passkeys',
      action: 'list-passkeys',
      method: 'GET',
      path: '/passkeys/',
      operation: { id: 'listPasskeys', summary: 'List the passkeys of whoever is logged in', errors: [] },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: passkeyListReply } },
      handler: async (request) => ({
        results: passkeysOf(await ownRecord(deps, request)).map(listedPasskey),
      }),
    },
    {
      name: 'passkey',
      action: 'rename-passkey',
      method: 'PATCH',
      path: '/passkeys/:id',
      operation: {
        id: 'renamePasskey',
        summary: 'Give a passkey another name',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: passkeyParams, body: renameBody, response: { 200: passkeyReply } },
      async handler(request) {
        const { id } = request.params as PasskeyParams
        const { name } = request.body as RenameBody
        const user = await ownRecord(deps, request)
        await throttle.spend('changePasskeys', user.id)
        return listedPasskey(await renamePasskey(deps, user, id, name))
      },
    },
    {
      name: 'passkey',
      action: 'remove-passkey',
      method: 'DELETE',
      path: '/passkeys/:id',
      operation: {
        id: 'removePasskey',
        summary: 'Remove a passkey, unless it is the last way to log in',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'confirmed',
      budget: null,
      schema: { params: passkeyParams, response: { 204: noReply } },
      async handler(request, reply) {
        const { id } = request.params as PasskeyParams
        const user = await ownRecord(deps, request)
        await throttle.spend('changePasskeys', user.id)
        await removePasskey(inRequestLanguage(deps, request), user, id)
        return reply.code(204).send()
      },
    },
  ]
}

/** Confirming: a passkey of whoever is logged in, for POST /confirm/. */
function confirmRoutes(deps: PasskeyDeps): Route[] {
  return [
    {
      name: 'confirm-passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/confirm/passkey/options/',
      operation: {
        id: 'confirmOptions',
        summary: 'What a browser asks whoever is logged in for a passkey by',
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'passkeyOptions',
      schema: { response: { 200: optionsReply } },
      async handler(request, reply) {
        const user = await ownRecord(deps, request)
        if (usablePasskeys(user).length === 0) throw new AccountsError('ACCOUNTS_NOT_FOUND')
        const { challenge } = deps.challenges.make('confirm', user.id, markBrowser(deps, request, reply))
        return requestOptions(deps.settings, {
          challenge,
          allowed: usablePasskeys(user),
          isFactor: isOn(user),
        })
      },
    },
  ]
}

/** Logging in: nobody says who they are, the passkey does; or the login that waits for it. */
function loginRoutes(deps: PasskeyDeps): Route[] {
  const { challenges, settings } = deps
  return [
    {
      name: 'login-passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/login/passkey/options/',
      operation: {
        id: 'logInWithPasskeyOptions',
        summary: 'What a browser asks for a passkey by',
        errors: ['ACCOUNTS_LOGIN_EXPIRED'],
      },
      access: 'anyone',
      budget: 'passkeyOptions',
      schema: { body: loginOptionsBody, response: { 200: optionsReply } },
      async handler(request, reply) {
        const { use } = request.body as UseBody
        const { waiting, user, text } = await waitingLogin(deps, request)
        const isWaiting = waiting !== null && isOn(user)
        if (use === 'factor' && !isWaiting) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        const browser = markBrowser(deps, request, reply)
        if (use === 'login' || !isWaiting) {
          const { challenge } = challenges.make('login', '', browser)
          return requestOptions(settings, { challenge, allowed: [], isFactor: false })
        }
        const { challenge } = challenges.make('second-step', text, browser)
        return requestOptions(settings, { challenge, allowed: usablePasskeys(user), isFactor: true })
      },
    },
    {
      name: 'login-passkey',
      action: 'login-passkey',
      method: 'POST',
      path: '/login/passkey/',
      operation: {
        id: 'logInWithPasskey',
        summary: 'Log in with a passkey',
        errors: [
          'ACCOUNTS_INVALID_CREDENTIALS',
          'ACCOUNTS_NOT_VERIFIED',
          'ACCOUNTS_DISABLED',
          'ACCOUNTS_CONFLICT',
        ],
      },
      access: 'anyone',
      budget: 'loginPasskey',
      schema: { body: loginBody, response: { 200: ownUserReply(deps.options.fields, deps.options.names) } },
      async handler(request, reply) {
        const { response, remember = false } = request.body as LoginBody
        const proof = await logInWithPasskey(deps, response, browserOf(deps, request), (reason) =>
          noteReason(request, reason),
        )
        const remembers = remember !== false && remember !== 'false'
        return ownUser(await startSession(inRequestLanguage(deps, request), request, reply, proof, remembers))
      },
    },
  ]
}

/** Signing up without a password. */
function signUpRoutes(deps: PasskeyDeps): Route[] {
  const { challenges, settings, options, where, themeOf } = deps
  const { fields, requireEmailConfirmation } = options
  const errors = ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_USERNAME_TAKEN'] as const
  const actorOf = (request: FastifyRequest) => {
    const actor = knownUser(request)
    return actor && accountUser(actor)
  }
  return [
    {
      name: 'signup-passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/signup/passkey/options/',
      operation: {
        id: 'signUpWithPasskeyOptions',
        summary: 'What a browser makes the passkey of a new user by',
        errors: [...errors],
      },
      access: 'anyone-known',
      budget: 'create',
      schema: { body: accountBody(fields, options, {}), response: { 200: optionsReply } },
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
    },
    {
      name: 'signup-passkey',
      action: 'sign-up-passkey',
      method: 'POST',
      path: '/signup/passkey/',
      operation: {
        id: 'signUpWithPasskey',
        summary: 'Create a user who logs in with a passkey; without confirmation by email, logged in at once',
        errors: [...errors, 'ACCOUNTS_EMAIL_TAKEN', 'ACCOUNTS_INVALID_PASSKEY', 'ACCOUNTS_CONFLICT'],
      },
      access: 'anyone-known',
      budget: 'create',
      schema: {
        body: accountBody(fields, options, { response: attestation }),
        response: requireEmailConfirmation
          ? { 202: detailReply }
          : { 201: ownUserReply(fields, options.names) },
      },
      async handler(request, reply) {
        const { response, ...body } = request.body as AccountBody & { response: AttestationBody }
        const given = { response, name: nameOf(request, deps), browser: browserOf(deps, request) }
        const localized = inRequestLanguage(deps, request)
        const { user, mustConfirm } = await signUpWithPasskey(
          localized,
          actorOf(request),
          accountInput(body),
          given,
        )
        noteUser(request, user)
        // The answer hides it; the audit trail need not.
        if (user === null) noteReason(request, 'ACCOUNTS_EMAIL_TAKEN')
        if (mustConfirm || user === null) {
          reply.code(202)
          return { detail: respondIn(reply, themeOf(request).language).texts.answers.confirm }
        }
        const begun = await startSession(localized, request, reply, { user, methods }, false)
        const location = where.url('user-detail', { pk: user.id }) ?? where.url('me')
        if (location !== undefined) reply.header('location', location)
        reply.code(201)
        return ownUser(begun)
      },
    },
  ]
}

/** What a session knows of its user is not all. */
async function ownRecord({ users }: PasskeyDeps, request: FastifyRequest): Promise<StoredUser> {
  const { id, sessionEpoch } = loggedInUser(request)
  const record = await users.findById(id)
  if (record?.sessionEpoch !== sessionEpoch) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return record
}

/** What a passkey is called until its owner says: where it was made. */
function nameOf(request: FastifyRequest, { options }: Pick<PasskeyDeps, 'options'>): string {
  const { browser, system } = clientOf(request, options.session)
  return [browser, system].filter((word) => word !== null).join(', ') || 'Passkey'
}
