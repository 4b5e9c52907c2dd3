import { noReply, ownRecord, type Route, route, showRemoved } from 'fastify-accounts/features'
import { deviceName, markBrowser } from './browser.js'
import { creationOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { listedPasskey, passkeysOf, shownId } from './passkey.js'
import { addPasskey, checkIsFirst, handleOf, removePasskey, renamePasskey } from './register.js'
import {
  addBody,
  addOptionsBodies,
  optionsReply,
  passkeyListReply,
  passkeyParams,
  passkeyReply,
  renameBody,
} from './schemas.js'

/** The logged-in user's passkeys. */
export function ownRoutes(deps: PasskeyDeps): Route[] {
  return [addOptionsRoute(deps), addRoute(deps), ...keptRoutes(deps)]
}

function addOptionsRoute(deps: PasskeyDeps): Route {
  const { challenges, settings, features } = deps
  return route({
    name: 'passkey-options',
    action: 'passkey-options',
    method: 'POST',
    path: '/passkeys/options/',
    operation: {
      id: 'addPasskeyOptions',
      summary: 'Get the options for adding a passkey',
      asks: [],
      errors: ['ACCOUNTS_ENROLLMENT_REQUIRED'],
    },
    access: 'owner',
    isOpenToEnroll: true,
    budget: 'passkeyOptions',
    schema: {
      body: addOptionsBodies[features.has('second-factor') ? 'withFactors' : 'alone'],
      response: { 200: optionsReply },
    },
    async handle({ body: { use = 'login', mediation }, who, client }) {
      const user = await ownRecord(deps, who.user)
      if (await deps.owesFactor(who)) checkIsFirst(user)
      const isSilent = use === 'login' && mediation === 'conditional'
      const ceremony = isSilent ? 'add-silently' : (`add-${use}` as const)
      const { challenge, handle } = challenges.make(ceremony, user.id, markBrowser(deps, client))
      const body = await creationOptions(settings, deps.options.brand.name, {
        challenge,
        ...{ use, isSilent },
        username: user.username ?? user.email ?? '',
        handle: handleOf(user) ?? handle,
        passkeys: passkeysOf(user),
      })
      return { body }
    },
  })
}

function addRoute(deps: PasskeyDeps): Route {
  return route({
    name: 'passkeys',
    action: 'add-passkey',
    method: 'POST',
    path: '/passkeys/',
    operation: {
      id: 'addPasskey',
      summary: 'Add the passkey that the browser created',
      asks: [],
      errors: ['ACCOUNTS_INVALID_PASSKEY', 'ACCOUNTS_ENROLLMENT_REQUIRED', 'ACCOUNTS_THROTTLED'],
    },
    access: 'owner',
    isOpenToEnroll: true,
    budget: null,
    schema: { body: addBody, response: { 201: passkeyReply } },
    async handle({ body, who, client }, core) {
      const { response, name = deviceName(client) } = body
      const user = await ownRecord(deps, who.user)
      await deps.throttle.spend('changePasskeys', user.id)
      const registration = { response, name, client, isFirst: await deps.owesFactor(who) }
      const { passkey } = await addPasskey({ ...deps, ...core }, user, registration)
      return { status: 201, body: listedPasskey(passkey) }
    },
  })
}

/** Routes for managing existing passkeys. */
function keptRoutes(deps: PasskeyDeps): Route[] {
  const { throttle } = deps
  return [
    route({
      name: 'passkeys',
      action: 'list-passkeys',
      method: 'GET',
      path: '/passkeys/',
      operation: { id: 'listPasskeys', summary: "List the current user's passkeys" },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: passkeyListReply } },
      async handle({ who }) {
        const user = await ownRecord(deps, who.user)
        return { body: { results: passkeysOf(user).map(listedPasskey), removed: showRemoved(user) } }
      },
    }),
    route({
      name: 'passkey',
      action: 'rename-passkey',
      method: 'PATCH',
      path: '/passkeys/:id',
      operation: {
        id: 'renamePasskey',
        summary: 'Rename a passkey',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: passkeyParams, body: renameBody, response: { 200: passkeyReply } },
      resource: {
        reply: passkeyReply,
        async show({ params: { id }, who }) {
          const passkey = passkeysOf(await ownRecord(deps, who.user)).find((each) => shownId(each) === id)
          return passkey === undefined ? null : listedPasskey(passkey)
        },
      },
      async handle({ params: { id }, body: { name }, who }, core) {
        const user = await ownRecord(deps, who.user)
        await throttle.spend('changePasskeys', user.id)
        return { body: listedPasskey(await renamePasskey(core, user, id, name)) }
      },
    }),
    route({
      name: 'passkey',
      action: 'remove-passkey',
      method: 'DELETE',
      path: '/passkeys/:id',
      operation: {
        id: 'removePasskey',
        summary: 'Remove a passkey, unless it is the last way to log in',
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'owner',
      budget: null,
      schema: { params: passkeyParams, response: { 204: noReply } },
      async handle({ params: { id }, who }, core) {
        await removePasskey(core, await ownRecord(deps, who.user), id)
        return {}
      },
    }),
  ]
}
