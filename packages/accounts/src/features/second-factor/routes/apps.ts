import { sessionParams } from '../../../http/input/schemas.js'
import { noReply } from '../../../http/output/schemas.js'
import { type Route, route } from '../../../http/route.js'
import { sessionMark } from '../../../sessions/session-rules.js'
import { ownRecord } from '../../../users/own-record.js'
import { confirmTotp } from '../confirm-totp.js'
import { findApp, listedApp } from '../factors/credentials.js'
import type { Setup } from '../factors/setup.js'
import { removeTotp } from '../remove-totp.js'
import { renameTotpApp } from '../rename-totp-app.js'
import { startTotp } from '../start-totp.js'
import { own } from './factors.js'
import { appBody, appReply, codesReply, totpBody, totpReply } from './schemas.js'

/** Authenticator apps. */
export function appRoutes(setup: Setup): Route[] {
  return [startRoute(setup), confirmRoute(setup), removeAllRoute, renameRoute, removeRoute]
}

function startRoute(setup: Setup): Route {
  return route({
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
    async handle({ who: { user, login } }, deps) {
      return { body: await startTotp(deps, setup, user, sessionMark(login)) }
    },
  })
}

function confirmRoute(setup: Setup): Route {
  return route({
    name: 'totp-confirm',
    action: 'confirm-totp',
    method: 'POST',
    path: '/second-factor/totp/confirm/',
    operation: {
      id: 'confirmTotp',
      summary: 'Turn on an authenticator app with its first code',
      asks: [],
      errors: ['ACCOUNTS_NOT_VERIFIED'],
      setsSession: true,
    },
    ...own,
    budget: 'ownPassword',
    schema: { body: totpBody, response: { 200: codesReply } },
    async handle({ body, who: { user, login }, client }, deps) {
      const recoveryCodes = await confirmTotp(deps, setup, { user, mark: sessionMark(login), client }, body)
      return { body: { recovery_codes: recoveryCodes } }
    },
  })
}

const removeAllRoute = route({
  name: 'totp',
  action: 'remove-totp',
  method: 'DELETE',
  path: '/second-factor/totp/',
  operation: { id: 'removeTotp', summary: 'Remove every authenticator app', errors: ['ACCOUNTS_NOT_FOUND'] },
  ...own,
  schema: { response: { 204: noReply } },
  async handle({ who }, deps) {
    await removeTotp(deps, who.user)
    return {}
  },
})

const renameRoute = route({
  name: 'totp-app',
  action: 'rename-totp-app',
  method: 'PATCH',
  path: '/second-factor/totp/:id',
  operation: {
    id: 'renameTotpApp',
    summary: 'Rename an authenticator app',
    errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_THROTTLED'],
  },
  access: 'logged-in',
  budget: null,
  schema: { params: sessionParams, body: appBody, response: { 200: appReply } },
  resource: {
    reply: appReply,
    async show({ params: { id }, who }, deps) {
      const app = findApp(await ownRecord(deps, who.user), id)
      return app === undefined ? null : listedApp(app)
    },
  },
  async handle({ params: { id }, body: { name }, who }, deps) {
    return { body: listedApp(await renameTotpApp(deps, who.user, id, name)) }
  },
})

/** One of several. */
const removeRoute = route({
  name: 'totp-app',
  action: 'remove-totp-app',
  method: 'DELETE',
  path: '/second-factor/totp/:id',
  operation: { id: 'removeTotpApp', summary: 'Remove one authenticator app', errors: ['ACCOUNTS_NOT_FOUND'] },
  ...own,
  schema: { params: sessionParams, response: { 204: noReply } },
  async handle({ params: { id }, who }, deps) {
    await removeTotp(deps, who.user, id)
    return {}
  },
})
