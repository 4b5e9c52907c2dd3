import { knownSession, loggedInUser } from '../../../http/access.js'
import { keepLoggedIn } from '../../../http/keep-logged-in.js'
import { inRequestLanguage } from '../../../http/request-language.js'
import type { Route } from '../../../http/route.js'
import { noReply } from '../../../http/schemas/replies.js'
import { type SessionParams, sessionParams } from '../../../http/schemas/requests.js'
import type { FeatureCore } from '../../feature.js'
import { confirmTotp } from '../confirm-totp.js'
import { listedApp } from '../factors/credentials.js'
import type { Setup } from '../factors/setup.js'
import { removeTotp } from '../remove-totp.js'
import { removeTotpApp } from '../remove-totp-app.js'
import { renameTotpApp } from '../rename-totp-app.js'
import { startTotp } from '../start-totp.js'
import { factorAdded, own } from './own.js'
import { appBody, appReply, codesReply, totpBody, totpReply } from './schemas.js'

/** Authenticator apps. */
export function appRoutes(core: FeatureCore, setup: Setup): Route[] {
  return [startRoute(core, setup), confirmRoute(core, setup), removeAllRoute(core), ...oneAppRoutes(core)]
}

function startRoute(core: FeatureCore, setup: Setup): Route {
  return {
    name: 'totp',
    action: 'start-totp',
    method: 'POST',
    path: '/second-factor/totp/',
    operation: {
      id: 'startTotp',
      summary: 'Start setting up an authenticator app',
      errors: ['ACCOUNTS_NOT_VERIFIED'],
    },
    ...own,
    schema: { response: { 200: totpReply } },
    handler: (request) => startTotp(core, setup, loggedInUser(request), knownSession(request)),
  }
}

function confirmRoute(core: FeatureCore, setup: Setup): Route {
  return {
    name: 'totp-confirm',
    action: 'confirm-totp',
    method: 'POST',
    path: '/second-factor/totp/confirm/',
    operation: {
      id: 'confirmTotp',
      summary: 'Turn on an authenticator app with its first code',
      errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFLICT'],
      setsSession: true,
    },
    ...own,
    budget: 'ownPassword',
    schema: { body: totpBody, response: { 200: codesReply } },
    async handler(request, reply) {
      const given = request.body as { code: string; token: string; name?: string }
      const deps = inRequestLanguage(core, request)
      const session = knownSession(request)
      const proven = { methods: ['otp', 'mfa'], after: factorAdded }
      const recoveryCodes = await keepLoggedIn(deps, request, reply, proven, (own) =>
        confirmTotp(own, setup, loggedInUser(request), session, given),
      )
      return { recovery_codes: recoveryCodes }
    },
  }
}

function removeAllRoute(core: FeatureCore): Route {
  return {
    name: 'totp',
    action: 'remove-totp',
    method: 'DELETE',
    path: '/second-factor/totp/',
    operation: {
      id: 'removeTotp',
      summary: 'Remove every authenticator app',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
    },
    ...own,
    schema: { response: { 204: noReply } },
    async handler(request, reply) {
      await removeTotp(inRequestLanguage(core, request), loggedInUser(request))
      return reply.code(204).send()
    },
  }
}

/** One of several apps. */
function oneAppRoutes(core: FeatureCore): Route[] {
  return [
    {
      name: 'totp-app',
      action: 'rename-totp-app',
      method: 'PATCH',
      path: '/second-factor/totp/:id',
      operation: {
        id: 'renameTotpApp',
        summary: 'Rename an authenticator app',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: sessionParams, body: appBody, response: { 200: appReply } },
      async handler(request) {
        const { id } = request.params as SessionParams
        const { name } = request.body as { name: string }
        return listedApp(await renameTotpApp(core, loggedInUser(request), id, name))
      },
    },
    {
      name: 'totp-app',
      action: 'remove-totp-app',
      method: 'DELETE',
      path: '/second-factor/totp/:id',
      operation: {
        id: 'removeTotpApp',
        summary: 'Remove one authenticator app',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      ...own,
      schema: { params: sessionParams, response: { 204: noReply } },
      async handler(request, reply) {
        const { id } = request.params as SessionParams
        await removeTotpApp(inRequestLanguage(core, request), loggedInUser(request), id)
        return reply.code(204).send()
      },
    },
  ]
}
