import { removedLately } from '../../emails/removal-note.js'
import { linkRoutes } from '../../http/link-routes.js'
import { removedReply, removingLinkReply } from '../../http/output/schemas.js'
import type { Route } from '../../http/route.js'
import { ownersName } from '../../identifiers/account-name.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import { removedBy } from '../../users/removed.js'
import type { FeatureCore } from '../feature.js'
import { notMeDonePage, notMePage } from './pages.js'
import { reportLogin } from './report-login.js'

/** The link in the email about a new device. */
export function notMeRoutes({ options, pending: { devices } }: FeatureCore): Route[] {
  return linkRoutes({
    name: 'not-me',
    action: 'not-me',
    path: '/not-me/',
    purpose: 'not-me',
    show: {
      operation: { id: 'checkLoginReport', summary: 'Show the page that secures the account' },
      reply: removingLinkReply,
      handle({ user }) {
        const removes = removedBy(user, ownershipChanges('locked', user, options) ?? {}, devices)
        const facts = { username: ownersName(options, user), removes }
        return {
          body: { valid: true, ...(removes && { removes }) },
          page: (theme) => notMePage(theme, facts),
        }
      },
    },
    use: {
      operation: {
        id: 'reportLogin',
        host: 'secureUser()',
        summary: 'Secure the account by the link in a new-login email',
      },
      schema: { response: { 200: removedReply } },
      async handle({ params, client }, deps) {
        const user = await reportLogin(deps, devices, params)
        client.note({ user })
        const removed = removedLately(user)
        const facts = { username: ownersName(options, user), removed }
        return { message: 'not_me', removed, page: (theme) => notMeDonePage(theme, facts) }
      },
    },
  })
}
