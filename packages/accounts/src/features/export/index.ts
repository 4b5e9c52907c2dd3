import { type Route, route } from '../../http/route.js'
import { hour } from '../../options/time.js'
import { onUser } from '../../users/host-accounts.js'
import { ownRecord } from '../../users/own-record.js'
import type { Feature } from '../feature.js'
import { hostCall } from '../host.js'
import { exportUser } from './export-user.js'
import { userExportReply } from './schemas.js'

/** People get all that is kept of them, as one document. */
export const userExport: Feature = {
  name: 'export',
  limits: { exportMe: { max: 10, window: hour } },
  host: () => ({
    calls: {
      exportUser: hostCall(
        'export-user',
        ['userId'],
        (core) => (userId) => onUser(core, userId, (user) => exportUser(core, user, null)),
      ),
    },
  }),
  routes: () => ({ auth: [exportRoute] }),
}

const exportRoute: Route = route({
  name: 'me-export',
  action: 'export-user',
  method: 'GET',
  path: '/me/export/',
  operation: {
    id: 'exportMe',
    host: 'exportUser()',
    summary: 'Get all that is kept of the current user',
    errors: ['ACCOUNTS_THROTTLED'],
  },
  access: 'confirmed',
  budget: null,
  schema: { response: { 200: userExportReply } },
  async handle({ who, client }, deps) {
    const user = await ownRecord(deps, who.user)
    await deps.throttle.spend('exportMe', user.id)
    return {
      body: await exportUser(deps, user, client),
      headers: { 'content-disposition': 'attachment; filename="account.json"' },
    }
  },
})
