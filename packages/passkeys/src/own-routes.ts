import {
  inRequestLanguage,
  loggedInUser,
  noReply,
  ownRecord,
  type Route,
  showRemoved,
} from 'fastify-accounts/features'
import { browserOf, deviceName, markBrowser } from './browser.js'
import { creationOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { listedPasskey, passkeysOf } from './passkey.js'
import { addPasskey, checkIsFirst, handleOf, removePasskey, renamePasskey } from './register.js'
import {
  type AddBody,
  addBody,
  addOptionsBodies,
  optionsReply,
  type PasskeyParams,
  passkeyListReply,
  passkeyParams,
  passkeyReply,
  type RenameBody,
  renameBody,
  type UseBody,
} from './schemas.js'

/** The logged-in user's passkeys. */
export function ownRoutes(deps: PasskeyDeps): Route[] {
  return [addOptionsRoute(deps), addRoute(deps), ...keptRoutes(deps)]
}

function addOptionsRoute(deps: PasskeyDeps): Route {
  const { challenges, settings, features } = deps
  return {
    name: 'passkey-options',
    action: 'passkey-options',
    method: 'POST',
    path: '/passkeys/options/',
    operation: {
      id: 'addPasskeyOptions',
      summary: 'Get the options for adding a passkey',
      errors: ['ACCOUNTS_ENROLLMENT_REQUIRED'],
    },
    access: 'owner',
    isOpenToEnroll: true,
    budget: 'passkeyOptions',
    schema: {
      body: addOptionsBodies[features.has('second-factor') ? 'withFactors' : 'alone'],
      response: { 200: optionsReply },
    },
    async handler(request, reply) {
      const { use = 'login' } = request.body as UseBody
      const user = await ownRecord(deps, loggedInUser(request))
      if (await deps.owesFactor(request)) checkIsFirst(user)
      const browser = markBrowser(deps, request, reply)
      const { challenge, handle } = challenges.make(`add-${use}`, user.id, browser)
      return creationOptions(settings, deps.options.brand.name, {
        challenge,
        use,
        username: user.username ?? user.email ?? '',
        handle: handleOf(user) ?? handle,
        known: passkeysOf(user),
      })
    },
  }
}

function addRoute(deps: PasskeyDeps): Route {
  return {
    name: 'passkeys',
    action: 'add-passkey',
    method: 'POST',
    path: '/passkeys/',
    operation: {
      id: 'addPasskey',
      summary: 'Add the passkey that the browser created',
      errors: [
        'ACCOUNTS_INVALID_PASSKEY',
        'ACCOUNTS_ENROLLMENT_REQUIRED',
        'ACCOUNTS_CONFLICT',
        'ACCOUNTS_THROTTLED',
      ],
    },
    access: 'owner',
    isOpenToEnroll: true,
    budget: null,
    schema: { body: addBody, response: { 201: passkeyReply } },
    async handler(request, reply) {
      const { response, name = deviceName(request, deps) } = request.body as AddBody
      const user = await ownRecord(deps, loggedInUser(request))
      await deps.throttle.spend('changePasskeys', user.id)
      const browser = browserOf(deps, request)
      const given = { response, name, browser, isFirst: await deps.owesFactor(request) }
      const added = await addPasskey(inRequestLanguage(deps, request), user, given)
      reply.code(201)
      return listedPasskey(added.passkey)
    },
  }
}

/** Routes for managing existing passkeys. */
function keptRoutes(deps: PasskeyDeps): Route[] {
  const { throttle } = deps
  return [
    {
      name: 'passkeys',
      action: 'list-passkeys',
      method: 'GET',
      path: '/passkeys/',
      operation: { id: 'listPasskeys', summary: "List the current user's passkeys", errors: [] },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: passkeyListReply } },
      async handler(request) {
        const user = await ownRecord(deps, loggedInUser(request))
        return { results: passkeysOf(user).map(listedPasskey), removed: showRemoved(user) }
      },
    },
    {
      name: 'passkey',
      action: 'rename-passkey',
      method: 'PATCH',
      path: '/passkeys/:id',
      operation: {
        id: 'renamePasskey',
        summary: 'Rename a passkey',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: passkeyParams, body: renameBody, response: { 200: passkeyReply } },
      async handler(request) {
        const { id } = request.params as PasskeyParams
        const { name } = request.body as RenameBody
        const user = await ownRecord(deps, loggedInUser(request))
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
      access: 'owner',
      budget: null,
      schema: { params: passkeyParams, response: { 204: noReply } },
      async handler(request, reply) {
        const { id } = request.params as PasskeyParams
        const user = await ownRecord(deps, loggedInUser(request))
        await throttle.spend('changePasskeys', user.id)
        await removePasskey(inRequestLanguage(deps, request), user, id)
        return reply.code(204).send()
      },
    },
  ]
}
