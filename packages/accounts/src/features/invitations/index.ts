import { fail, lostOnRestart } from '../../options/checks.js'
import type { AccountsFeature } from '../../options/options.js'
import { day, hour } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { acceptRoutes } from './accept-routes.js'
import { invitationHost } from './host.js'
import { exportInvitations } from './invited/export-invitations.js'
import { findInvitee, findNewestInvitee } from './invited/find-invitee.js'
import { invitationMail, mailOf } from './invited/invitation-mail.js'
import { invitationOf } from './invited/invitee.js'
import { staffInvitationRoutes } from './routes.js'
import { type InvitationsOptions, resolveLifetime } from './settings.js'
import { de, en, fr } from './texts.js'

export type { InvitationsOptions } from './settings.js'

/** What anybody may cause an email about who names an address: the link of the invitation is in it instead. */
const requests = ['reset-password', 'login-code'] as const

/** Invitations by email to an account, with fields and roles chosen beforehand. For the option `features`. */
export function invitations(options: InvitationsOptions = {}): AccountsFeature {
  const lifetime = () => resolveLifetime(options)
  const feature: Feature = {
    name: 'invitations',
    texts: { en, de, fr },
    limits: {
      invite: { max: 50, window: hour },
      resendInvitation: { max: 100, window: hour },
      invitationMails: { max: 5, window: day },
    },
    links: {
      invitation: {
        route: 'invitation',
        mount: 'users',
        lifetime,
        begin: (user) => new Date(invitationOf(user).expiresAt.getTime() - lifetime()),
        boundTo: (user) => {
          const { emailKey, sends } = invitationOf(user)
          return [emailKey, sends]
        },
        subject: { idOf: (user) => invitationOf(user).id, find: (id, deps) => findInvitee(deps, id) },
      },
    },
    mails: {
      invitation: {
        ...invitationMail,
        insteadOf: { kinds: requests, find: (emailKey, deps) => findNewestInvitee(deps, emailKey) },
        facts: (_mail, { user }, deps) => mailOf(deps, user),
      },
      'invitation-known': invitationMail,
    },
    check(resolved) {
      lifetime()
      if (resolved.users === false)
        fail('features', 'has invitations, which needs users: true or an object of options')
      if (process.env.NODE_ENV === 'production' && resolved.invitationStore === undefined)
        fail('invitationStore', lostOnRestart)
    },
    host: () => invitationHost(lifetime),
    export: (user, core) => exportInvitations(core, user),
    routes: (core) => ({ users: [...staffInvitationRoutes(core, lifetime()), ...acceptRoutes(core)] }),
  }
  return feature
}
