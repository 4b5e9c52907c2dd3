import { fail } from '../../options/checks.js'
import type { AccountsFeature } from '../../options/options.js'
import { day, hour } from '../../options/time.js'
import { addressKey } from '../../throttle/throttle.js'
import { invitationOf } from '../../users/invitation.js'
import type { Feature } from '../feature.js'
import { acceptRoutes } from './accept-routes.js'
import { invitationHost } from './host.js'
import { staffInvitationRoutes } from './routes.js'
import { type InvitationsOptions, resolveLifetime } from './settings.js'
import { de, en, fr } from './texts.js'

export type { InvitationsOptions } from './settings.js'

const budgetKey = (_mail: unknown, { emailKey }: { emailKey: string | null }): string =>
  addressKey(emailKey ?? '')

const limits = {
  budget: 'invitationMails',
  budgetKey,
  counted: 'exclusive',
} as const

/** Invitations by email to an account, with fields and roles chosen beforehand. For the option `features`. */
export function invitations(options: InvitationsOptions = {}): AccountsFeature {
  const feature: Feature = {
    name: 'invitations',
    texts: { en, de, fr },
    limits: { invite: { max: 50, window: hour }, invitationMails: { max: 5, window: day } },
    links: {
      invitation: {
        route: 'invitation',
        mount: 'users',
        lifetime: () => resolveLifetime(options),
        begin: ({ invitedAt }) => invitedAt,
        boundTo: (user) => {
          const { verifyEpoch, emailKey, isVerified, notes = {} } = user
          return [verifyEpoch, emailKey, isVerified, invitationOf({ verifyEpoch, emailKey, notes })?.id]
        },
      },
    },
    mails: {
      invitation: { link: 'invitation', ...limits },
      'invitation-known': limits,
    },
    check(resolved) {
      resolveLifetime(options)
      if (resolved.users === false)
        fail('features', 'has invitations, which needs users: true or an object of options')
    },
    host(core) {
      const lifetime = resolveLifetime(options)
      return invitationHost(core, () => lifetime)
    },
    routes(core) {
      const lifetime = resolveLifetime(options)
      return { users: [...staffInvitationRoutes(core, lifetime), ...acceptRoutes(core)] }
    },
  }
  return feature
}
